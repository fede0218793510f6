import type { CacheStore } from '../../stores/cache-store.ts';

/** Lifetime of an unused tag; results cached under it expire with it. */
const GENERATION_TTL_MS = 86_400_000;

/**
 * A generation per tag, kept in the store: results cached under an earlier generation are stale. Generations are random ids, because a
 * store need not increment atomically, and two machines must never produce the same one. A lost generation is replaced by a new one, which
 * causes cache misses but never stale results.
 */
export class TagGenerations {
  readonly #store: CacheStore;
  /** New generations on their way into the store; concurrent lookups share one. */
  readonly #creating = new Map<string, Promise<string>>();

  constructor(store: CacheStore) {
    this.#store = store;
  }

  /** The generations of the tags as one string. */
  async current(tags: readonly string[]): Promise<string> {
    const names = [...new Set(tags)].toSorted();
    const generations = await Promise.all(names.map((tag) => this.#find(tag)));
    return generations.join(' ');
  }

  /** Invalidates everything cached under the tags, including running loads. */
  async renew(tags: readonly string[]): Promise<void> {
    await Promise.all(
      [...new Set(tags)].map(async (tag) => {
        this.#creating.delete(tag);
        await this.#store.set(keyOf(tag), createGeneration(), GENERATION_TTL_MS);
      }),
    );
  }

  async #find(tag: string): Promise<string> {
    const found = await this.#store.get(keyOf(tag));
    return typeof found === 'string' ? found : (this.#creating.get(tag) ?? this.#create(tag));
  }

  #create(tag: string): Promise<string> {
    const create = async (): Promise<string> => {
      try {
        const generation = createGeneration();
        // Another call may have stored one since the first lookup.
        const other = await (this.#store.add === undefined
          ? this.#store.get(keyOf(tag))
          : this.#store.add(keyOf(tag), generation, GENERATION_TTL_MS));
        if (typeof other === 'string') return other;
        if (this.#store.add === undefined) await this.#store.set(keyOf(tag), generation, GENERATION_TTL_MS);
        return generation;
      } finally {
        if (this.#creating.get(tag) === creating) this.#creating.delete(tag);
      }
    };
    // Started in a later turn, so that `creating` is assigned first.
    const creating = Promise.resolve().then(create);
    this.#creating.set(tag, creating);
    return creating;
  }
}

function keyOf(tag: string): string {
  return `toolwright:tag:${tag}`;
}

function createGeneration(): string {
  return globalThis.crypto.randomUUID();
}
