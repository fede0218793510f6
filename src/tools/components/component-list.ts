import type { AnyMiddleware } from '../../middleware/middleware.ts';
import type { CompiledTool } from '../../pipeline/compiled-tool.ts';
import { guard } from '../../pipeline/guard.ts';
import type { Caller } from '../../pipeline/policy.ts';
import { VisibilityChange } from '../../pipeline/visibility-change.ts';
import type { ListWatch } from '../../pipeline/visibility-change.ts';
import { entriesOfClass, planVisibility, visibilityClass } from '../../pipeline/visibility.ts';
import type { VisibilityPlan } from '../../pipeline/visibility.ts';
import { remember } from '../../stores/remember.ts';

/** One entry of a list as it goes to clients. */
export interface WireItem {
  /** What it is found by: the name of a prompt, the URI or URI template of a resource. */
  readonly key: string;
  /** The entry as JSON text, written once. */
  readonly json: string;
}

/** A prompt or a resource, compiled. */
export interface ComponentEntry extends WireItem {
  readonly tool: CompiledTool;
}

/** A prompt or a resource before anything that all of them have in common is put around it. */
export interface BareEntry<TEntry extends ComponentEntry> {
  readonly key: string;
  readonly within: (middleware: readonly AnyMiddleware[]) => TEntry;
}

/** So many lists are kept. Others are made anew when they are asked for. */
const MAX_LISTS = 256;

/** Prompts or resources in the order of their registration. Listing and finding ask the same guard. */
export class ComponentList<TEntry extends ComponentEntry> {
  /** A Map: `__proto__` and `constructor` are keys like any other. */
  readonly #entries = new Map<string, TEntry>();
  readonly #bare = new Map<string, BareEntry<TEntry>>();
  readonly #lists = new Map<string, readonly TEntry[]>();
  readonly #change = new VisibilityChange();
  #middleware: readonly AnyMiddleware[] = [];
  /** Made when first needed after a change. */
  #plan: VisibilityPlan<TEntry> | undefined;

  get size(): number {
    return this.#entries.size;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  add(bare: BareEntry<TEntry>): void {
    this.#entries.set(bare.key, bare.within(this.#middleware));
    this.#bare.set(bare.key, bare);
    this.#forget();
  }

  /** Puts a middleware around all entries, inside those before it. */
  use(middleware: AnyMiddleware): void {
    this.#middleware = [...this.#middleware, middleware];
    for (const [key, bare] of this.#bare) this.#entries.set(key, bare.within(this.#middleware));
    this.#forget();
  }

  /** False if there was none. */
  remove(key: string): boolean {
    const isGone = this.#entries.delete(key);
    this.#bare.delete(key);
    if (isGone) this.#forget();
    return isGone;
  }

  /** All of them, whoever may see them. */
  values(): Iterable<TEntry> {
    return this.#entries.values();
  }

  /** What has this key, if it exists for the caller. */
  find(key: string, caller: Caller): TEntry | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && guard(entry.tool, caller) ? entry : undefined;
  }

  /** What a caller may see. The same array as long as nothing changed, for all callers who see the same. */
  list(caller: Caller): readonly TEntry[] {
    const plan = this.#visibility();
    const key = visibilityClass(plan, caller);
    return remember(this.#lists, key, { max: MAX_LISTS, make: () => entriesOfClass(plan, key) });
  }

  /** Whether different callers may be shown different entries. */
  get variesByCaller(): boolean {
    return this.#visibility().asked.length > 0;
  }

  watch(): ListWatch {
    let before = this.#visibility();
    return (caller) => {
      const [was, is] = [before, this.#visibility()];
      before = is;
      return this.#change.concerns(was, is, caller);
    };
  }

  #visibility(): VisibilityPlan<TEntry> {
    return (this.#plan ??= planVisibility(this.#entries.values(), undefined));
  }

  #forget(): void {
    this.#plan = undefined;
    this.#lists.clear();
  }
}
