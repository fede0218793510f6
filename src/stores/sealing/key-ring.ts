import { fromBase64Url, toBase64Url } from '../../base/json/base64.ts';
import { assertValues, isListOf, required, secret } from '../../errors/options/rules.ts';
import type { Rule } from '../../errors/options/rules.ts';

/** Web Crypto types, independent of the platform. */
type Subtle = typeof globalThis.crypto.subtle;
type CryptoKey = Awaited<ReturnType<Subtle['importKey']>>;
type CipherParameters = Parameters<Subtle['encrypt']>[0];

interface SealingKey {
  /** Name of the key in the texts that it encrypted. */
  readonly kid: string;
  readonly key: CryptoKey;
}

interface SealingKeys {
  readonly first: SealingKey;
  readonly byKid: ReadonlyMap<string, CryptoKey>;
}

const MIN_SECRET_CHARS = 32;

/** Rule for the secrets of a ring; messages do not show them. */
export const SECRETS: Rule = secret([
  (value) =>
    isListOf((each) => typeof each === 'string' && each.length >= MIN_SECRET_CHARS)(value) &&
    (value as readonly string[]).length > 0,
  'an array of secrets of at least 32 characters each',
]);

// defence: algorithm-of-states
const ALGORITHM = 'AES-GCM';
const KEY_BYTES = 32;
const KID_BYTES = 6;
const IV_BYTES = 12;

/** Version, kid and encrypted bytes. */
const SEALED = /^v2\.(?<kid>[\w-]{8})\.(?<body>[\w-]+)$/;

/**
 * Secrets that encrypt what clients carry for a server: request states and the ids of shared sessions, and queued tasks. The first secret encrypts, all
 * decrypt. {@link KeyRing.replace} rotates the secrets while servers use the ring.
 *
 * @example
 * const ring = new KeyRing(['the old secret, which is 32 characters long']);
 * const server = createServer({ name: 'inn', version: '1.0.0', tools, requestStateKeys: ring });
 * ring.replace(['the new secret, which is 32 characters long', 'the old secret, which is 32 characters long']);
 */
export class KeyRing {
  #secrets: readonly string[] | undefined;
  #keys: Promise<SealingKeys> | undefined;

  /** `secrets`: at least 32 characters each. Default: a random secret, which no other process has. */
  constructor(secrets?: readonly string[]) {
    if (secrets !== undefined) this.replace(secrets);
  }

  /** Whether the ring has only its random secret, so that no other process can decrypt its texts. */
  get isRandom(): boolean {
    return this.#secrets === undefined;
  }

  /** Replaces the secrets, from the next text on. Texts of a secret that is no longer in the array become invalid. */
  replace(secrets: readonly string[]): void {
    assertValues('KeyRing', { secrets }, { secrets: required(SECRETS) });
    this.#secrets = [...secrets];
    this.#keys = undefined;
  }

  /**
   * Encrypts and authenticates a text. Only {@link KeyRing.open} with the same purpose and binding decrypts it. The result names its key, by
   * a digest of the secret.
   */
  async seal(text: string, purpose: string, binding: string): Promise<string> {
    const { kid, key } = (await this.#import()).first;
    const iv = globalThis.crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const sealed = await globalThis.crypto.subtle.encrypt(
      parameters(iv, bind(purpose, binding)),
      key,
      utf8(text),
    );
    const bytes = new Uint8Array(IV_BYTES + sealed.byteLength);
    bytes.set(iv);
    bytes.set(new Uint8Array(sealed), IV_BYTES);
    return `v2.${kid}.${toBase64Url(bytes)}`;
  }

  /** Decrypts a text; undefined if its key is unknown, or if it was changed or belongs to another purpose or binding. The reason is not revealed. */
  async open(text: string, purpose: string, binding: string): Promise<string | undefined> {
    const { kid = '', body = '' } = SEALED.exec(text)?.groups ?? {};
    const key = (await this.#import()).byKid.get(kid);
    const bytes = fromBase64Url(body);
    if (key === undefined || bytes === undefined || bytes.length <= IV_BYTES) return undefined;
    const [iv, sealed] = [bytes.slice(0, IV_BYTES), bytes.slice(IV_BYTES)];
    try {
      const opened = await globalThis.crypto.subtle.decrypt(
        parameters(iv, bind(purpose, binding)),
        key,
        sealed,
      );
      return new TextDecoder().decode(opened);
    } catch {
      return undefined;
    }
  }

  /** Lazily: most servers never encrypt anything, and Node.js loads its cryptography on first use. */
  #import(): Promise<SealingKeys> {
    if (this.#keys !== undefined) return this.#keys;
    const [first = randomSecret(), ...others] = this.#known();
    this.#keys = importKeys(first, others);
    return this.#keys;
  }

  // defence: keys-that-open
  #known(): readonly string[] {
    return this.#secrets ?? [];
  }
}

async function importKeys(secret: string, others: readonly string[]): Promise<SealingKeys> {
  const [first, ...rest] = await Promise.all([importKey(secret), ...others.map(importKey)]);
  return { first, byKid: new Map([...rest, first].map(({ kid, key }) => [kid, key])) };
}

/** Derives the key and its name. Both are independent: the name reveals neither the key nor the secret. */
async function importKey(secret: string): Promise<SealingKey> {
  const { subtle } = globalThis.crypto;
  const base = await subtle.importKey('raw', utf8(secret), 'HKDF', false, ['deriveBits']);
  const derived = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: utf8('toolwright key ring'),
  };
  const bits = new Uint8Array(await subtle.deriveBits(derived, base, (KEY_BYTES + KID_BYTES) * 8));
  const key = await subtle.importKey('raw', bits.slice(0, KEY_BYTES), ALGORITHM, false, [
    'encrypt',
    'decrypt',
  ]);
  return { kid: toBase64Url(bits.slice(KEY_BYTES)), key };
}

// defence: authentication-of-states
function parameters(iv: Uint8Array<ArrayBuffer>, bound: Uint8Array<ArrayBuffer>): CipherParameters {
  return { name: ALGORITHM, iv, additionalData: bound };
}

/** As JSON, so that no part of a binding can pass for a purpose. */
function bind(purpose: string, binding: string): Uint8Array<ArrayBuffer> {
  return utf8(JSON.stringify([purpose, binding]));
}

function randomSecret(): string {
  return toBase64Url(globalThis.crypto.getRandomValues(new Uint8Array(32)));
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
