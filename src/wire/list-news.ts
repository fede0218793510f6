import type { Caller } from '../pipeline/policy.ts';
import type { ListWatch } from '../pipeline/visibility-change.ts';
import type { ServerEvent } from '../stores/event-bus.ts';
import type { Served } from './served.ts';

/** An event that is about a list. */
export type ListEvent = Extract<ServerEvent, { kind: 'tools' | 'prompts' | 'resources' }>;

/** Decides which changes of lists a client is told of. One for each client, from the moment it listens. */
export class ListNews {
  readonly #served: Served;
  readonly #watches = new Map<ListEvent['kind'], ListWatch>();

  constructor(served: Served) {
    this.#served = served;
    for (const kind of ['tools', 'prompts', 'resources'] as const) this.#watch(kind);
  }

  /** Whether the caller is told: a change that it cannot see in its list would tell it of what is hidden. */
  concerns({ kind, cause }: ListEvent, caller: Caller): boolean {
    const watch = this.#watches.get(kind);
    // The first of its kind, or a server whose lists are in another process.
    if (watch === undefined) {
      this.#watch(kind);
      return true;
    }
    const isOther = watch(caller);
    return isOther || cause !== 'catalog';
  }

  #watch(kind: ListEvent['kind']): void {
    const { elsewhere, [kind]: listed } = this.#served;
    if (elsewhere === undefined && listed !== undefined) this.#watches.set(kind, listed.watch());
  }
}
