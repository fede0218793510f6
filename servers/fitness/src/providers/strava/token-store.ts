/** Sealed tokens, one text for each user and provider. A store never sees an open token. */
export interface TokenStore {
  find(user: string, provider: string): Promise<string | undefined>;
  save(user: string, provider: string, sealed: string): Promise<void>;
  remove(user: string, provider: string): Promise<void>;
}

/** Tokens that are lost when the process ends. */
export class MemoryTokenStore implements TokenStore {
  readonly #sealed = new Map<string, string>();

  async find(user: string, provider: string): Promise<string | undefined> {
    return this.#sealed.get(keyOf(user, provider));
  }

  async save(user: string, provider: string, sealed: string): Promise<void> {
    this.#sealed.set(keyOf(user, provider), sealed);
  }

  async remove(user: string, provider: string): Promise<void> {
    this.#sealed.delete(keyOf(user, provider));
  }
}

function keyOf(user: string, provider: string): string {
  return JSON.stringify([user, provider]);
}
