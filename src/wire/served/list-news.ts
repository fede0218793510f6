import type { Caller } from '../../pipeline/tool/policy.ts';
import type { ListWatch } from '../../pipeline/visibility/visibility-change.ts';
import type { ServerEvent } from '../../stores/event-bus.ts';
import type { Announced } from './served.ts';

/** An event about a list. */
export type ListEvent = Extract<ServerEvent, { kind: 'tools' | 'prompts' | 'resources' }>;

/** Decides which list changes a client is notified of. One per client, from its subscription on. */
export class ListNews {
  readonly #announced: Announced;
  readonly #watches = new Map<ListEvent['kind'], ListWatch>();

  constructor(announced: Announced) {
    this.#announced = announced;
    for (const kind of ['tools', 'prompts', 'resources'] as const) this.#watch(kind);
  }

  /** Whether to notify the caller: a notification without a visible change would reveal hidden items. */
  concerns({ kind, cause }: ListEvent, caller: Caller): boolean {
    const watch = this.#watches.get(kind);
    // The first registration of its kind.
    if (watch === undefined) {
      this.#watch(kind);
      return true;
    }
    const isOther = watch(caller);
    return isOther || cause !== 'catalog';
  }

  #watch(kind: ListEvent['kind']): void {
    const watched = this.#announced[kind];
    if (watched !== undefined) this.#watches.set(kind, watched.watch());
  }
}
