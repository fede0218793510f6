import type { CompiledTool } from '../../pipeline/tool/compiled-tool.ts';
import { guard } from '../../pipeline/visibility/guard.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import { entriesOfClass, planVisibility, visibilityClass } from '../../pipeline/visibility/visibility.ts';
import type { VisibilityPlan } from '../../pipeline/visibility/visibility.ts';
import { remember } from '../../base/remember.ts';

/** One entry of a list as clients receive it. */
export interface WireItem {
  /** Lookup key: the name of a prompt, the URI or URI template of a resource. */
  readonly key: string;
  /** The entry as JSON text, serialized once. */
  readonly json: string;
}

/** A prompt or a resource, compiled. */
export interface ComponentEntry extends WireItem {
  /** The entry as an object; frozen. */
  readonly listed: { readonly name: string };
  readonly tool: CompiledTool;
}

/** Maximum number of cached lists. Others are created on request. */
const MAX_LISTS = 256;

/** A snapshot of prompts or resources, in the order of registration. Listing and finding use the same guard. */
export class ComponentList<TEntry extends ComponentEntry> {
  readonly entries: readonly TEntry[];
  /** A Map, so that `__proto__` and `constructor` are ordinary keys. */
  readonly #byKey: ReadonlyMap<string, TEntry>;
  readonly #lists = new Map<string, readonly TEntry[]>();
  /** Created on first use. */
  #plan: VisibilityPlan<TEntry> | undefined;

  constructor(entries: readonly TEntry[]) {
    this.entries = entries;
    this.#byKey = new Map(entries.map((entry) => [entry.key, entry]));
  }

  /** The list of these entries; the previous list, with its caches, if the entries are the same. */
  static of<TEntry extends ComponentEntry>(
    entries: readonly TEntry[],
    before: ComponentList<TEntry> | undefined,
  ): ComponentList<TEntry> {
    const isSame =
      before?.entries.length === entries.length &&
      entries.every((entry, index) => entry === before.entries[index]);
    return isSame ? before : new ComponentList(entries);
  }

  /** The entry with this key, if it is visible to the caller. */
  find(key: string, caller: Caller): TEntry | undefined {
    const entry = this.#byKey.get(key);
    return entry !== undefined && guard(entry.tool, caller) ? entry : undefined;
  }

  /** Entries visible to the caller. Callers who see the same entries get the same array. */
  list(caller: Caller): readonly TEntry[] {
    const plan = this.plan();
    const key = visibilityClass(plan, caller);
    return remember(this.#lists, key, { max: MAX_LISTS, make: () => entriesOfClass(plan, key) });
  }

  /** Whether callers may see different entries. */
  get variesByCaller(): boolean {
    return this.plan().asked.length > 0;
  }

  plan(): VisibilityPlan<TEntry> {
    return (this.#plan ??= planVisibility(this.entries, undefined));
  }
}
