import type { CacheStore } from '../../stores/cache-store.ts';

/** A tag that is neither used nor renewed for so long is forgotten, and with it what was cached under it. */
const GENERATION_TTL_MS = 86_400_000;

/**
 * A generation for each tag, kept in the store: what was cached under another one is no longer valid. Generations are unique names and
 * not numbers, because a store cannot count up in one step, and two machines must never come to the same one by different ways. A
 * generation that the store has lost is replaced by a new one: forgetting makes misses, never old answers.
 */
export class TagGenerations {
  readonly #store: CacheStore;
  /** New generations on their way into the store; those who find none at the same time share one. */
  readonly #creating = new Map<string, Promise<string>>();

  constructor(store: CacheStore) {
    this.#store = store;
  }

  /** The generations of the tags, as one text. */
  async current(tags: readonly string[]): Promise<string> {
    const names = [...new Set(tags)].toSorted();
    const generations = await Promise.all(names.map((tag) => this.#find(tag)));
    return generations.join(' ');
  }

  /** Makes everything invalid that was cached under the tags, also what is being loaded now. */
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
        // Somebody may have been faster since we looked.
        const found = await this.#store.get(keyOf(tag));
        if (typeof found === 'string') return found;
        const generation = createGeneration();
        await this.#store.set(keyOf(tag), generation, GENERATION_TTL_MS);
        return generation;
      } finally {
        if (this.#creating.get(tag) === creating) this.#creating.delete(tag);
      }
    };
    // Started in a later turn, so that `creating` is there when it is asked for.
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
