import type { Caller } from '../../pipeline/tool/policy.ts';
import type { ListWatch } from '../../pipeline/visibility/visibility-change.ts';
import type { ServerEvent } from '../../stores/event-bus.ts';
import type { Announced } from './served.ts';

/** An event that is about a list. */
export type ListEvent = Extract<ServerEvent, { kind: 'tools' | 'prompts' | 'resources' }>;

/** Decides which changes of lists a client is told of. One for each client, from the moment it listens. */
export class ListNews {
  readonly #announced: Announced;
  readonly #watches = new Map<ListEvent['kind'], ListWatch>();

  constructor(announced: Announced) {
    this.#announced = announced;
    for (const kind of ['tools', 'prompts', 'resources'] as const) this.#watch(kind);
  }

  /** Whether the caller is told: a change that it cannot see in its list would tell it of what is hidden. */
  concerns({ kind, cause }: ListEvent, caller: Caller): boolean {
    const watch = this.#watches.get(kind);
    // The first of its kind.
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
