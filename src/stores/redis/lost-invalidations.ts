/** Further prefixes and keys are not kept: the whole cache is cleared instead. */
const MAX_LOST = 1000;

/** Number of keys that are deleted in one round trip. */
const BATCH = 100;

/** Deletions that did not reach Redis. They are repeated before the cache is used again: a stale value must not come back after an outage. */
export class LostInvalidations {
  #keys = new Set<string>();
  #prefixes = new Set<string>();
  #isRunning: Promise<boolean> | undefined;

  get isEmpty(): boolean {
    return this.#keys.size + this.#prefixes.size === 0;
  }

  addKey(key: string): void {
    this.#keys.add(key);
    this.#bound();
  }

  addPrefix(prefix: string): void {
    this.#prefixes.add(prefix);
    this.#bound();
  }

  /** Repeats the deletions, once for concurrent callers. Returns whether none is left. */
  repeat(deletions: Deletions): Promise<boolean> {
    this.#isRunning ??= this.#repeat(deletions).finally(() => {
      this.#isRunning = undefined;
    });
    return this.#isRunning;
  }

  async #repeat({ deleteKey, deletePrefix }: Deletions): Promise<boolean> {
    try {
      for (const prefix of this.#prefixes) {
        await deletePrefix(prefix);
        this.#prefixes.delete(prefix);
      }
    } catch {
      return false;
    }
    const forget = async (key: string): Promise<void> => {
      await deleteKey(key);
      this.#keys.delete(key);
    };
    // The first one probes Redis: until it has a reply, further commands may fail without being sent.
    for (let size = 1; this.#keys.size > 0; size = BATCH) {
      const ended = await Promise.allSettled(Array.from(this.#keys).slice(0, size).map(forget));
      if (ended.some(({ status }) => status === 'rejected')) return false;
    }
    return this.isEmpty;
  }

  #bound(): void {
    if (this.#keys.size + this.#prefixes.size <= MAX_LOST) return;
    this.#keys = new Set();
    this.#prefixes = new Set(['']);
  }
}

/** Deletions in Redis. They reject if they fail. */
export interface Deletions {
  readonly deleteKey: (key: string) => Promise<unknown>;
  readonly deletePrefix: (prefix: string) => Promise<unknown>;
}
