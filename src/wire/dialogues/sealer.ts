import { fromBase64Url, toBase64Url } from '../../base/json/base64.ts';
import { DefinitionError } from '../../errors/errors.ts';
import { wallTimeOf } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';

/** What a call has to remember until its next round. */
export interface CallState {
  /** What the client has answered so far, as it answered. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** What steps gave. */
  readonly steps: Readonly<Record<string, { readonly value?: unknown }>>;
  /** How often the client was asked. */
  readonly round: number;
}

/** Options of {@link Sealer}. */
export interface SealerOptions {
  /** Secrets of at least 32 characters; the first seals, all open. Default: one that lives as long as this process. */
  readonly keys: readonly string[] | undefined;
  readonly ttlMs: number;
  readonly clock: Clock;
  /** Longer ones were not sealed here; they are not even looked at. */
  readonly maxChars: number;
}

/** The types of the platform, without naming a platform. */
type Subtle = typeof globalThis.crypto.subtle;
type CryptoKey = Awaited<ReturnType<Subtle['importKey']>>;
type CipherParameters = Parameters<Subtle['encrypt']>[0];

const PREFIX = 'v1.';
// defence: algorithm-of-states
const ALGORITHM = 'AES-GCM';
const IV_BYTES = 12;

/**
 * Seals the state of a call so that the client can carry it: encrypted, so that it cannot be read; authenticated, so that it cannot be
 * changed; bound to a caller and a request, so that it fits no other; and only good for a while.
 */
export class Sealer {
  readonly #secrets: readonly string[] | undefined;
  #keys: readonly Promise<CryptoKey>[] | undefined;
  readonly #ttlMs: number;
  readonly #clock: Clock;
  readonly #maxChars: number;

  constructor({ keys, ttlMs, clock, maxChars }: SealerOptions) {
    this.#maxChars = maxChars;
    this.#secrets = keys && [...keys];
    this.#ttlMs = ttlMs;
    this.#clock = clock;
  }

  async seal(state: CallState, binding: string): Promise<string> {
    const [key] = this.#importKeys();
    if (key === undefined)
      throw new DefinitionError('There is no key to seal the state of calls with.', {
        option: 'requestStateKeys',
      });
    const iv = globalThis.crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const text = JSON.stringify({ ...state, expiresAt: wallTimeOf(this.#clock) + this.#ttlMs });
    const sealed = await globalThis.crypto.subtle.encrypt(parameters(iv, binding), await key, utf8(text));
    const bytes = new Uint8Array(IV_BYTES + sealed.byteLength);
    bytes.set(iv);
    bytes.set(new Uint8Array(sealed), IV_BYTES);
    return PREFIX + toBase64Url(bytes);
  }

  /** The state; undefined when it was not sealed here, for this, or not lately enough. Which of these is nobody's business. */
  async open(text: string, binding: string): Promise<CallState | undefined> {
    if (text.length > this.#maxChars) return undefined;
    const bytes = text.startsWith(PREFIX) ? fromBase64Url(text.slice(PREFIX.length)) : undefined;
    if (bytes === undefined || bytes.length <= IV_BYTES) return undefined;
    const [iv, sealed] = [bytes.slice(0, IV_BYTES), bytes.slice(IV_BYTES)];
    for (const key of this.#importKeys()) {
      const opened = await decrypt(await key, { iv, sealed, binding });
      if (opened === undefined) continue;
      const { expiresAt, ...state } = JSON.parse(opened) as CallState & { expiresAt: number };
      // By the machine's time: it may have been sealed by another process.
      // defence: end-of-a-state
      if (expiresAt <= wallTimeOf(this.#clock)) return undefined;
      return state;
    }
    return undefined;
  }

  /** When they are first needed: most servers never seal anything, and Node loads its cryptography for whoever asks for it. */
  // defence: keys-that-open
  #importKeys(): readonly Promise<CryptoKey>[] {
    return (this.#keys ??= (this.#secrets ?? [randomSecret()]).map(importKey));
  }
}

async function decrypt(
  key: CryptoKey,
  { iv, sealed, binding }: { iv: Uint8Array<ArrayBuffer>; sealed: Uint8Array<ArrayBuffer>; binding: string },
): Promise<string | undefined> {
  try {
    const opened = await globalThis.crypto.subtle.decrypt(parameters(iv, binding), key, sealed);
    return new TextDecoder().decode(opened);
  } catch {
    return undefined;
  }
}

// defence: authentication-of-states
function parameters(iv: Uint8Array<ArrayBuffer>, binding: string): CipherParameters {
  return { name: ALGORITHM, iv, additionalData: utf8(binding) };
}

async function importKey(secret: string): Promise<CryptoKey> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', utf8(secret));
  return globalThis.crypto.subtle.importKey('raw', digest, ALGORITHM, false, ['encrypt', 'decrypt']);
}

function randomSecret(): string {
  return toBase64Url(globalThis.crypto.getRandomValues(new Uint8Array(32)));
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
