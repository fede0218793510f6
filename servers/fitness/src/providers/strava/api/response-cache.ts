interface Entry {
  readonly value: unknown;
  readonly bytes: number;
  readonly expiresAt: number;
}

const LIFETIME_MS = 5 * 60_000;
const MAX_ENTRIES = 500;
const MAX_BYTES = 33_554_432;

/** Parsed responses of the last minutes, for each user: they save requests, which are few. */
export class ResponseCache {
  readonly #entries = new Map<string, Map<string, Entry>>();
  readonly #now: () => number;
  #bytes = 0;
  #count = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  find(user: string, path: string): { readonly value: unknown } | undefined {
    const entry = this.#entries.get(user)?.get(path);
    return entry !== undefined && entry.expiresAt > this.#now() ? entry : undefined;
  }

  keep(
    user: string,
    path: string,
    { value, bytes }: { readonly value: unknown; readonly bytes: number },
  ): void {
    if (this.#count >= MAX_ENTRIES || this.#bytes + bytes > MAX_BYTES) this.#clear();
    const own = this.#entries.get(user) ?? new Map<string, Entry>();
    this.#entries.set(user, own);
    own.set(path, { value, bytes, expiresAt: this.#now() + LIFETIME_MS });
    this.#bytes += bytes;
    this.#count += 1;
  }

  forget(user: string): void {
    const own = this.#entries.get(user);
    if (own === undefined) return;
    for (const { bytes } of own.values()) this.#bytes -= bytes;
    this.#count -= own.size;
    this.#entries.delete(user);
  }

  #clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
    this.#count = 0;
  }
}
