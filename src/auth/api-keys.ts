import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isPromiseLike } from '../base/maybe-promise.ts';
import { systemClock, wallTimeOf } from '../base/time/clock.ts';
import type { Clock } from '../base/time/clock.ts';
import { assertOptions, CLOCK, HEADER_NAME, numberFrom, objectWith } from '../errors/options/rules.ts';
import { wrongValue } from '../errors/options/wrong-value.ts';
import type { Rules } from '../errors/options/rules.ts';
import type { Principal } from '../middleware/context.ts';
import { isPrincipal } from '../pipeline/tool/read-principal.ts';
import { isObject } from '../base/is-object.ts';
import { invalid, NO_CREDENTIALS, readBearerToken, withToken } from './verifier.ts';
import type { CredentialRequest, Verdict, Verifier } from './verifier.ts';

/** An API key as it is stored: its hash, never the key. */
export interface ApiKeyRecord {
  /** The part of the key that may be shown, for support: `tw_9f86d081884c7d65`. */
  readonly prefix: string;
  /** SHA-256 of the whole key, as base64url. */
  readonly hash: string;
  readonly principal: Principal;
  /** Milliseconds since 1970. Default: never. */
  readonly expiresAt?: number | undefined;
}

/** Finds API keys by their prefix. Asked for every request: a key that the store has lost is not valid from then on. */
export interface ApiKeyStore {
  find(prefix: string): ApiKeyRecord | undefined | Promise<ApiKeyRecord | undefined>;
}

/** Options of {@link apiKeys}. */
export interface ApiKeyOptions {
  /** A header that has the key and nothing else, such as `x-api-key`. Default: `Authorization: Bearer <key>`. */
  readonly header?: string;
  readonly clock?: Clock;
}

/**
 * Verifies API keys that were made with {@link createApiKey}. Nothing is cached: a key is revoked as soon as the store no longer finds it.
 *
 * @example
 * const keys = new MemoryApiKeyStore();
 * const { key, record } = createApiKey({ id: 'ci', scopes: ['notes:read'] });
 * keys.add(record);
 * await serveHttp(server, { auth: { verify: apiKeys(keys), resource: 'https://api.example.com/mcp' } });
 */
export function apiKeys(store: ApiKeyStore, options: ApiKeyOptions = {}): Verifier {
  const [isStore, expected] = objectWith('find');
  if (!isStore(store)) throw wrongValue('apiKeys', { option: 'store', expected, value: store });
  assertOptions('apiKeys', options, RULES);
  const { header, clock = systemClock } = options;
  const read = (request: CredentialRequest): string | Verdict =>
    header === undefined ? readBearerToken(request) : (request.headers.get(header) ?? NO_CREDENTIALS);
  return {
    authorizationServers: [],
    credentialHeaders: header === undefined ? [] : [header.toLowerCase()],
    verify: (request) => {
      const key = read(request);
      if (typeof key !== 'string') return key;
      const prefix = KEY.exec(key)?.groups?.['prefix'];
      // defence: keys-of-the-store
      const found = prefix === undefined ? undefined : store.find(prefix);
      const judge = (kept: ApiKeyRecord | undefined): Verdict => {
        const verdict = verifyKey(key, kept, clock);
        return header === undefined ? withToken(verdict, key) : verdict;
      };
      return isPromiseLike(found) ? Promise.resolve(found).then(judge) : judge(found);
    },
  };
}

function verifyKey(key: string, record: ApiKeyRecord | undefined, clock: Clock): Verdict {
  // An unknown prefix costs the same comparison as a known one.
  const isSame = isSameHash(hashOf(key), record?.hash ?? NO_HASH);
  if (record === undefined || !isSame) return invalid('The API key is not valid.');
  const { expiresAt } = record;
  // A date as text is neither earlier nor later than any time: such a key would never expire.
  assertTime('The API key store', expiresAt);
  // defence: end-of-a-key
  if (expiresAt !== undefined && expiresAt <= wallTimeOf(clock)) return invalid('The API key has expired.');
  return { kind: 'verified', principal: record.principal };
}

const RULES: Rules<keyof ApiKeyOptions> = { header: HEADER_NAME, clock: CLOCK };

const PRINCIPAL = 'an object with an id: { id: "ada", scopes: ["notes:read"] }';

const [isTime] = numberFrom(0);

function assertTime(owner: string, expiresAt: unknown): void {
  if (expiresAt === undefined || isTime(expiresAt)) return;
  throw wrongValue(owner, {
    option: 'expiresAt',
    expected: 'milliseconds since 1970, or undefined for a key without an end',
    value: expiresAt,
  });
}

/** `tw_<16 hexadecimal digits>_<43 characters>`: the prefix finds the record, the rest is 256 random bits. */
const KEY = /^(?<prefix>[a-z][a-z\d]{0,15}_[\da-f]{16})_[\w-]{43}$/;

/** Options of {@link createApiKey}. */
export interface NewApiKeyOptions {
  /** First part of the key, by which scanners for leaked secrets know it. Default: `tw`. */
  readonly name?: string;
  /** Milliseconds since 1970. Default: never. */
  readonly expiresAt?: number;
}

/** A new API key for a principal. Show `key` once, store `record`: the key cannot be derived from it. */
export function createApiKey(
  principal: Principal,
  { name = 'tw', expiresAt }: NewApiKeyOptions = {},
): { readonly key: string; readonly record: ApiKeyRecord } {
  if (!/^[a-z][a-z\d]{0,15}$/.test(name))
    throw wrongValue('createApiKey', {
      option: 'name',
      expected: 'a name of 1 to 16 lowercase letters and digits',
      value: name,
    });
  const prefix = `${name}_${randomBytes(8).toString('hex')}`;
  const key = `${prefix}_${randomBytes(32).toString('base64url')}`;
  return { key, record: toApiKeyRecord(key, principal, expiresAt === undefined ? {} : { expiresAt }) };
}

/**
 * The record of a key that {@link createApiKey} has made before: for keys in the environment.
 *
 * @example
 * const keys = new MemoryApiKeyStore([toApiKeyRecord(process.env.CI_KEY ?? '', { id: 'ci' })]);
 */
export function toApiKeyRecord(
  key: string,
  principal: Principal,
  { expiresAt }: Pick<NewApiKeyOptions, 'expiresAt'> = {},
): ApiKeyRecord {
  const prefix = KEY.exec(key)?.groups?.['prefix'];
  if (prefix === undefined)
    throw wrongValue('toApiKeyRecord', { option: 'key', expected: 'a key that createApiKey has made' });
  assertTime('toApiKeyRecord', expiresAt);
  // Otherwise every request with the key would fail.
  if (!isPrincipal(principal))
    throw wrongValue('toApiKeyRecord', { option: 'principal', expected: PRINCIPAL, value: principal });
  return {
    prefix,
    // defence: only-hashes-are-stored
    hash: hashOf(key),
    principal,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

/** API keys in memory: for tests, and for a few keys from the environment. */
export class MemoryApiKeyStore implements ApiKeyStore {
  readonly #records = new Map<string, ApiKeyRecord>();

  constructor(records: Iterable<ApiKeyRecord> = []) {
    for (const record of records) this.add(record);
  }

  add(record: ApiKeyRecord): void {
    if (!isObject(record) || typeof record.prefix !== 'string' || typeof record.hash !== 'string')
      // Without the value, which may be the key.
      throw wrongValue('MemoryApiKeyStore', { option: 'record', expected: 'the record of a key' });
    this.#records.set(record.prefix, record);
  }

  /** Revokes a key by its prefix. */
  remove(prefix: string): boolean {
    return this.#records.delete(prefix);
  }

  find(prefix: string): ApiKeyRecord | undefined {
    return this.#records.get(prefix);
  }
}

/** A key has 256 random bits: a slow hash would add nothing. */
function hashOf(key: string): string {
  return hash('sha256', key, 'base64url');
}

/** As long as a hash, and that of no key. */
const NO_HASH = hashOf('');

/** Takes the same time wherever the two differ. */
// defence: hash-of-a-key
function isSameHash(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
