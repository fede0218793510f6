import type { Clock } from '../base/time/clock.ts';

/** Later callers do not wait for a load that takes longer: it may never end. */
const MAX_SHARED_MS = 60_000;
/** Maximum number of shared loads. Further loads run for their caller only, and their values are not cached. */
const MAX_SHARED = 1000;

interface Load {
  readonly result: Promise<unknown>;
  readonly startedAt: number;
}

/** Pending loads by key. */
export class SharedLoads {
  readonly #clock: Clock;
  /** Ordered by start. */
  readonly #loading = new Map<string, Load>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a further load would not be shared. */
  get isFull(): boolean {
    return this.#loading.size >= MAX_SHARED;
  }

  /** The pending load of a key, if any. */
  find(key: string): Promise<unknown> | undefined {
    const running = this.#loading.get(key);
    return running === undefined || this.#isLost(running) ? undefined : running.result;
  }

  /** Starts a load that others can share. `isCurrent`: the load was neither replaced nor invalidated. */
  start(key: string, run: (isCurrent: () => boolean) => Promise<unknown>): Promise<unknown> {
    const isCurrent = (): boolean => this.#loading.get(key) === load;
    const runOnce = async (): Promise<unknown> => {
      try {
        return await run(isCurrent);
      } finally {
        if (isCurrent()) this.#loading.delete(key);
      }
    };
    // Deferred, so that `load` is assigned when it is used.
    const load = { result: Promise.resolve().then(runOnce), startedAt: this.#clock.now() };
    this.#share(key, load);
    return load.result;
  }

  /** Invalidates the pending load of a key. */
  forget(key: string): void {
    this.#loading.delete(key);
  }

  /** Invalidates the pending loads of all keys with the prefix. */
  forgetAll(prefix: string): void {
    for (const key of this.#loading.keys()) if (key.startsWith(prefix)) this.#loading.delete(key);
  }

  #share(key: string, load: Load): void {
    this.#loading.delete(key);
    for (const [other, running] of this.#loading) {
      if (!this.#isLost(running)) break;
      this.#loading.delete(other);
    }
    if (!this.isFull) this.#loading.set(key, load);
  }

  #isLost({ startedAt }: Load): boolean {
    return this.#clock.now() - startedAt >= MAX_SHARED_MS;
  }
}
