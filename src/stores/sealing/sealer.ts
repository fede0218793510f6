import { wallTimeOf } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { KeyRing } from './key-ring.ts';

/** Options of {@link Sealer}. */
export interface SealerOptions {
  readonly ring: KeyRing;
  /** Use of the values. A value of one purpose is invalid for all others, also with the same ring. */
  readonly purpose: 'request state' | 'session';
  readonly ttlMs: number;
  readonly clock: Clock;
  /** Maximum length of a sealed value; longer ones were not issued here and are not decrypted. */
  readonly maxChars: number;
}

/**
 * Encrypts values of one purpose, so that a client can carry them. They are encrypted and authenticated, so that they can be neither read
 * nor changed; bound, for example to a caller and a request, so that they are invalid elsewhere; and they expire.
 */
export class Sealer<TValue extends object> {
  readonly #ring: KeyRing;
  readonly #purpose: string;
  readonly #ttlMs: number;
  readonly #clock: Clock;
  readonly #maxChars: number;

  constructor({ ring, purpose, ttlMs, clock, maxChars }: SealerOptions) {
    this.#ring = ring;
    this.#purpose = purpose;
    this.#ttlMs = ttlMs;
    this.#clock = clock;
    this.#maxChars = maxChars;
  }

  seal(value: TValue, binding: string): Promise<string> {
    const expiresAt = wallTimeOf(this.#clock) + this.#ttlMs;
    return this.#ring.seal(JSON.stringify({ ...value, expiresAt }), this.#purpose, binding);
  }

  /** Decrypts a value; undefined if it is invalid, bound to something else, or expired. The reason is not revealed. */
  async open(text: string, binding: string): Promise<TValue | undefined> {
    if (text.length > this.#maxChars) return undefined;
    const opened = await this.#ring.open(text, this.#purpose, binding);
    if (opened === undefined) return undefined;
    const { expiresAt, ...value } = JSON.parse(opened) as TValue & { expiresAt: number };
    // In wall time: another process may have encrypted it.
    // defence: end-of-a-state
    if (expiresAt <= wallTimeOf(this.#clock)) return undefined;
    return value as unknown as TValue;
  }
}
