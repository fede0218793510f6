import type { CompiledTool } from '../../pipeline/tool/compiled-tool.ts';
import { guard } from '../../pipeline/visibility/guard.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import { entriesOfClass, planVisibility, visibilityClass } from '../../pipeline/visibility/visibility.ts';
import type { VisibilityPlan } from '../../pipeline/visibility/visibility.ts';
import { remember } from '../../base/remember.ts';

/** One entry of a list as it goes to clients. */
export interface WireItem {
  /** What it is found by: the name of a prompt, the URI or URI template of a resource. */
  readonly key: string;
  /** The entry as JSON text, written once. */
  readonly json: string;
}

/** A prompt or a resource, compiled. */
export interface ComponentEntry extends WireItem {
  /** The same as clients get it; frozen. */
  readonly listed: { readonly name: string };
  readonly tool: CompiledTool;
}

/** So many lists are kept. Others are made anew when they are asked for. */
const MAX_LISTS = 256;

/** Prompts or resources at one moment, in the order of their registration. Listing and finding ask the same guard. */
export class ComponentList<TEntry extends ComponentEntry> {
  readonly entries: readonly TEntry[];
  /** A Map: `__proto__` and `constructor` are keys like any other. */
  readonly #byKey: ReadonlyMap<string, TEntry>;
  readonly #lists = new Map<string, readonly TEntry[]>();
  /** Made when first needed. */
  #plan: VisibilityPlan<TEntry> | undefined;

  constructor(entries: readonly TEntry[]) {
    this.entries = entries;
    this.#byKey = new Map(entries.map((entry) => [entry.key, entry]));
  }

  /** The list of these entries: the one before if it has the same, with all that is kept in it. */
  static of<TEntry extends ComponentEntry>(
    entries: readonly TEntry[],
    before: ComponentList<TEntry> | undefined,
  ): ComponentList<TEntry> {
    const isSame =
      before?.entries.length === entries.length &&
      entries.every((entry, index) => entry === before.entries[index]);
    return isSame ? before : new ComponentList(entries);
  }

  /** What has this key, if it exists for the caller. */
  find(key: string, caller: Caller): TEntry | undefined {
    const entry = this.#byKey.get(key);
    return entry !== undefined && guard(entry.tool, caller) ? entry : undefined;
  }

  /** What a caller may see. The same array for all callers who see the same. */
  list(caller: Caller): readonly TEntry[] {
    const plan = this.plan();
    const key = visibilityClass(plan, caller);
    return remember(this.#lists, key, { max: MAX_LISTS, make: () => entriesOfClass(plan, key) });
  }

  /** Whether different callers may be shown different entries. */
  get variesByCaller(): boolean {
    return this.plan().asked.length > 0;
  }

  plan(): VisibilityPlan<TEntry> {
    return (this.#plan ??= planVisibility(this.entries, undefined));
  }
}
