import type { Clock } from '../base/time/clock.ts';

/** Later callers do not wait for a load that takes longer: it may never end. */
const MAX_SHARED_MS = 60_000;
/** So many loads are shared at once. Others run for their caller alone, and what they give is not cached. */
const MAX_SHARED = 1000;

interface Load {
  readonly result: Promise<unknown>;
  readonly startedAt: number;
}

/** Loads under way, by what they load. */
export class SharedLoads {
  readonly #clock: Clock;
  /** In the order in which the loads started. */
  readonly #loading = new Map<string, Load>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether another load would run for its caller alone. */
  get isFull(): boolean {
    return this.#loading.size >= MAX_SHARED;
  }

  /** The result to wait for, if there is one. */
  find(key: string): Promise<unknown> | undefined {
    const running = this.#loading.get(key);
    return running === undefined || this.#isLost(running) ? undefined : running.result;
  }

  /** Starts a load, which others can wait for. `isCurrent`: nobody has started another or forgotten it. */
  start(key: string, run: (isCurrent: () => boolean) => Promise<unknown>): Promise<unknown> {
    const isCurrent = (): boolean => this.#loading.get(key) === load;
    const runOnce = async (): Promise<unknown> => {
      try {
        return await run(isCurrent);
      } finally {
        if (isCurrent()) this.#loading.delete(key);
      }
    };
    // Started in a later turn, so that `load` is there when it is asked for.
    const load = { result: Promise.resolve().then(runOnce), startedAt: this.#clock.now() };
    this.#share(key, load);
    return load.result;
  }

  /** What is being loaded is out of date. */
  forget(key: string): void {
    this.#loading.delete(key);
  }

  /** The same for every key that begins with the prefix. */
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
