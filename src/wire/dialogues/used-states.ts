import { hash } from '../../base/hash.ts';
import type { Clock } from '../../base/time/clock.ts';
import { withinTime } from '../../base/time/within-time.ts';
import type { StateStore } from '../../stores/state/state-store.ts';

/** Timeout of the store, if it has none of its own. */
const STORE_MS = 2000;

/** Time that the clocks of nodes and of the store may differ: a state must not outlive the record of its use. */
const CLOCK_SKEW_MS = 60_000;

/** The use of a request state. */
export interface StateUse {
  /** Key of the caller, see `ownerKey`. */
  readonly owner: string;
  /** Whether the owner is all anonymous callers. */
  readonly isAnonymous: boolean;
  /** Random id of the request state. */
  readonly id: string;
}

/** The request states that were used, on all nodes that share the store. Their records do not count against the state of a caller. */
export class UsedStates {
  readonly #store: StateStore;
  readonly #clock: Clock;
  readonly #ttlMs: number;

  constructor(store: StateStore, clock: Clock, ttlMs: number) {
    this.#store = store;
    this.#clock = clock;
    this.#ttlMs = ttlMs + CLOCK_SKEW_MS;
  }

  /** Records the use. False if the state was used before. Rejects if the store does, or has no room. */
  async add({ owner, isAnonymous, id }: StateUse): Promise<boolean> {
    // All anonymous callers are one owner, so they have the room of several.
    const share = isAnonymous ? id.slice(0, 1) : '';
    const room = await hash(JSON.stringify(['request state', owner, share]));
    // defence: states-that-were-used
    return withinTime(this.#add(room, id), { clock: this.#clock, ms: STORE_MS });
  }

  async #add(room: string, id: string): Promise<boolean> {
    return this.#store.set(room, `used:${id}`, 'true', { ttlMs: this.#ttlMs, ifAbsent: true });
  }
}
