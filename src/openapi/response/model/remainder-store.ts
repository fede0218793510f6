import { wrongValue } from '../../../errors/options/wrong-value.ts';
import { systemClock } from '../../../base/time/clock.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { createId } from '../../../base/random-id.ts';
import { Shares } from '../../../stores/shares.ts';
import type { NextPage } from '../pagination/next-page.ts';
import type { RestContent } from './rest-content.ts';

/** A response that is returned in parts. */
export interface Remainder {
  /** Key of the server and the caller that can read it. */
  readonly owner: string;
  /** The request, such as `GET /pets`. */
  readonly what: string;
  readonly content: RestContent;
  /** The next page, returned with the last part. */
  readonly nextPage: NextPage | undefined;
  readonly structured: boolean;
}

/** Options of {@link RemainderStore}. */
export interface RemainderStoreOptions {
  /**
   * Maximum size of all responses, in bytes. The least recently read response of the owner with most bytes is evicted first. Default: 64
   * MiB.
   */
  readonly maxBytes?: number;
  /** Time that a response is kept after it was last read, in milliseconds. Default: 10 minutes. */
  readonly ttlMs?: number;
  readonly clock?: Clock;
}

interface Entry {
  readonly remainder: Remainder;
  readonly bytes: number;
  readonly expiresAt: number;
}

/** Keeps long responses in this process for some time. Evicted responses are indistinguishable from unknown ones. */
export class RemainderStore {
  readonly #maxBytes: number;
  readonly #ttlMs: number;
  readonly #clock: Clock;
  /** In order of the last read, which is the order of expiry. */
  readonly #entries = new Map<string, Entry>();
  readonly #shares = new Shares();

  constructor({
    maxBytes = 64 * 1024 * 1024,
    ttlMs = 600_000,
    clock = systemClock,
  }: RemainderStoreOptions = {}) {
    assertCount('maxBytes', maxBytes);
    assertCount('ttlMs', ttlMs);
    this.#maxBytes = maxBytes;
    this.#ttlMs = ttlMs;
    this.#clock = clock;
  }

  /** Size of the stored responses, in bytes. */
  get bytes(): number {
    return this.#shares.total;
  }

  /** Stores a response under a random id; undefined if it is too large. */
  keep(remainder: Remainder): string | undefined {
    const bytes = sizeOf(remainder.content);
    if (bytes > this.#maxBytes) return undefined;
    const id = createId();
    this.#add(id, remainder, bytes);
    const now = this.#clock.now();
    for (const [oldest, { expiresAt }] of this.#entries) {
      if (expiresAt > now) break;
      this.#remove(oldest);
    }
    while (this.#shares.total > this.#maxBytes) this.#remove(this.#shares.next(id));
    return id;
  }

  /** Returns a response to its owner and renews its expiry. */
  find(id: string, owner: string): Remainder | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    // defence: owner-of-a-rest
    if (entry.remainder.owner !== owner) return undefined;
    this.#remove(id);
    if (entry.expiresAt <= this.#clock.now()) return undefined;
    this.#add(id, entry.remainder, entry.bytes);
    return entry.remainder;
  }

  #add(id: string, remainder: Remainder, bytes: number): void {
    this.#entries.set(id, { remainder, bytes, expiresAt: this.#clock.now() + this.#ttlMs });
    this.#shares.add(remainder.owner, id, bytes);
  }

  #remove(id = ''): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#shares.remove(entry.remainder.owner, id);
  }
}

/** Upper bound: one or two bytes per character, and a constant per element. */
function sizeOf(content: RestContent): number {
  if (content.kind === 'text') return content.text.length * 2;
  return content.elements.reduce((sum, element) => sum + element.length * 2 + PER_ELEMENT, 0);
}

const PER_ELEMENT = 32;

function assertCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1)
    throw wrongValue('Store of long responses', {
      option: name,
      expected: 'an integer of at least 1',
      value,
    });
}
