import { fromBase64Url, toBase64Url } from '../../base/json/base64.ts';
import { DefinitionError } from '../../errors/errors.ts';
import { wallTimeOf } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';

/** State of a call between rounds. */
export interface CallState {
  /** Responses of the client so far, as received. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Recorded results of steps. */
  readonly steps: Readonly<Record<string, { readonly value?: unknown }>>;
  /** Number of rounds. */
  readonly round: number;
}

/** Options of {@link Sealer}. */
export interface SealerOptions {
  /** Secrets of at least 32 characters; the first encrypts, all decrypt. Default: a random one per process. */
  readonly keys: readonly string[] | undefined;
  readonly ttlMs: number;
  readonly clock: Clock;
  /** Maximum length of a state; longer ones were not issued here and are not decrypted. */
  readonly maxChars: number;
}

/** Web Crypto type, independent of the platform. */
type Subtle = typeof globalThis.crypto.subtle;
type CryptoKey = Awaited<ReturnType<Subtle['importKey']>>;
type CipherParameters = Parameters<Subtle['encrypt']>[0];

const PREFIX = 'v1.';
// defence: algorithm-of-states
const ALGORITHM = 'AES-GCM';
const IV_BYTES = 12;

/**
 * Encrypts the state of a call so that the client can carry it. It is encrypted and authenticated, so that it can be neither read nor
 * changed; bound to a caller and a request, so that it is invalid elsewhere; and it expires.
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
      throw new DefinitionError('requestStateKeys must have at least one secret.', {
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

  /** Decrypts a state; undefined if it is invalid, bound to something else, or expired. The reason is not revealed. */
  async open(text: string, binding: string): Promise<CallState | undefined> {
    if (text.length > this.#maxChars) return undefined;
    const bytes = text.startsWith(PREFIX) ? fromBase64Url(text.slice(PREFIX.length)) : undefined;
    if (bytes === undefined || bytes.length <= IV_BYTES) return undefined;
    const [iv, sealed] = [bytes.slice(0, IV_BYTES), bytes.slice(IV_BYTES)];
    for (const key of this.#importKeys()) {
      const opened = await decrypt(await key, { iv, sealed, binding });
      if (opened === undefined) continue;
      const { expiresAt, ...state } = JSON.parse(opened) as CallState & { expiresAt: number };
      // In wall time: another process may have encrypted it.
      // defence: end-of-a-state
      if (expiresAt <= wallTimeOf(this.#clock)) return undefined;
      return state;
    }
    return undefined;
  }

  /** Lazily: most servers never encrypt a state, and Node.js loads its cryptography on first use. */
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
