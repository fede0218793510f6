import { DefinitionError } from '../../errors/errors.ts';
import { assertOptions, wholeNumber } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import type { CacheClaim, CacheClaimOptions, CacheClaims, CacheStore, LoadedValue } from '../cache-store.ts';
import { ADD, CLAIM, COUNT, DELETE, DELETE_BY_PREFIX, EXTEND, FIND, SET, SETTLE } from './cache-scripts.ts';
import type { RedisConnection } from './connection/redis-connection.ts';
import type { RedisScript } from './connection/redis-script.ts';
import { digestOf } from './connection/digest.ts';
import { LostInvalidations } from './lost-invalidations.ts';
import { RetryLoop } from './connection/retry-loop.ts';
import { MAX_STORED_CHARS, packValue, UnstorableError, unpackValue } from './connection/stored-value.ts';

/** Options of {@link RedisCacheStore}. */
export interface RedisCacheOptions {
  /** Maximum number of entries; the one that expires first is dropped first. Default: 100,000. */
  readonly maxEntries?: number;
}

const OPTIONS: Rules<keyof RedisCacheOptions> = { maxEntries: wholeNumber(1) };

/** Parts of the cache on a cluster, so that its nodes share the work. */
const CLUSTER_PARTS = 16;

/** Longer keys are cut and hashed. */
const MAX_KEY = 1024;
const CUT_KEY = 512;

/** Number of scripts that one `deleteByPrefix` runs per part: while it runs, other nodes may add entries with the prefix. */
const MAX_ROUNDS = 1000;

/** Ten years. */
const MAX_TTL_MS = 315_360_000_000;

/**
 * A cache that several nodes share. Values are stored as JSON, with exact dates and bigints; class instances and functions are rejected. Of
 * several nodes that miss a value, only one loads it.
 *
 * While Redis is not available, every lookup is a miss and values are not stored. Keys that were set or deleted in that time are deleted
 * before the cache is used again.
 *
 * @example
 * const registry = new ToolRegistry({ cache: new RedisCacheStore(connection) });
 */
export class RedisCacheStore implements CacheStore {
  readonly claims: CacheClaims = {
    claim: (key, token, options) => this.#claim(key, token, options),
    extend: async (key, token, holdMs) =>
      (await this.#attempt(() => this.#run(EXTEND, key, [token, String(holdMs)]))) !== 0,
    settle: (key, token, loaded) => this.#settle(key, token, loaded),
  };
  readonly #connection: RedisConnection;
  readonly #parts: number;
  readonly #max: string;
  readonly #lost = new LostInvalidations();
  readonly #retry: RetryLoop;
  /** Whether Redis has ended a claim of this node. */
  #hasSettled = false;

  constructor(connection: RedisConnection, options: RedisCacheOptions = {}) {
    assertOptions('RedisCacheStore', options, OPTIONS);
    this.#connection = connection;
    this.#parts = connection.isCluster ? CLUSTER_PARTS : 1;
    this.#max = String(Math.ceil((options.maxEntries ?? 100_000) / this.#parts));
    this.#retry = new RetryLoop(connection.clock, async () => connection.isClosed || this.#catchUp());
  }

  async get(key: string): Promise<unknown> {
    return unpackValue(await this.#attempt(() => this.#run(FIND, key, [])));
  }

  async set(key: string, value: unknown, ttlMs: number): Promise<void> {
    const entry = this.#toEntry(key, { value, ttlMs });
    if (entry === undefined) return this.delete(key);
    if ((await this.#attempt(() => this.#run(SET, key, entry))) === LOST)
      this.#lose((lost) => lost.addKey(key));
  }

  async add(key: string, value: unknown, ttlMs: number): Promise<unknown> {
    const entry = this.#toEntry(key, { value, ttlMs });
    return unpackValue(
      await this.#attempt(() => this.#run(entry === undefined ? FIND : ADD, key, entry ?? [])),
    );
  }

  async delete(key: string): Promise<void> {
    if ((await this.#attempt(() => this.#run(DELETE, key, []))) === LOST)
      this.#lose((lost) => lost.addKey(key));
  }

  async deleteByPrefix(prefix: string): Promise<void> {
    if ((await this.#attempt(() => this.#deletePrefix(prefix))) === LOST)
      this.#lose((lost) => lost.addPrefix(prefix));
  }

  /** The number of entries that have not expired; empty while Redis is not available. */
  async stats(): Promise<{ readonly entries?: number }> {
    const counts = await this.#attempt(() =>
      Promise.all(this.#allKeys().map((keys) => this.#connection.run(COUNT, keys, ['']))),
    );
    if (!Array.isArray(counts)) return {};
    return { entries: (counts as readonly unknown[]).reduce<number>((sum, count) => sum + Number(count), 0) };
  }

  // defence: one-load-of-all-nodes
  async #claim(key: string, token: string, { holdMs, isRefresh }: CacheClaimOptions): Promise<CacheClaim> {
    const args = [token, String(holdMs), isRefresh ? '0' : '1'];
    const reply = await this.#attempt(() => this.#run(CLAIM, key, args));
    if (reply === null) return { kind: 'taken' };
    const value = unpackValue(reply);
    if (typeof reply === 'string' && value === undefined)
      return this.#claim(key, token, { holdMs, isRefresh: true });
    // Without Redis, each node loads for itself.
    return value === undefined ? { kind: 'claimed' } : { kind: 'found', value };
  }

  async #settle(key: string, token: string, loaded: LoadedValue | undefined): Promise<void> {
    const entry = loaded === undefined ? undefined : this.#toEntry(key, loaded);
    const settling = this.#attempt(() => this.#run(SETTLE, key, [token, ...(entry ?? [])]));
    // Redis executes later commands of this node afterwards, and other nodes wait for the end of the claim: the caller need not. But the first
    // time, Redis may not have the script, and later commands may be executed before it.
    if (this.#hasSettled) return;
    this.#hasSettled = (await settling) !== LOST;
  }

  /** Arguments of the scripts for a value; undefined if it is not cached: because it is undefined, or too large. */
  #toEntry(key: string, { value, ttlMs }: LoadedValue): readonly string[] | undefined {
    if (value === undefined) return undefined;
    const json = toJson(key, value);
    if (json.length > MAX_STORED_CHARS) return undefined;
    return [json, String(Math.min(MAX_TTL_MS, Math.ceil(ttlMs))), this.#max];
  }

  /** Runs commands; {@link LOST} if they failed, or if lost deletions could not be repeated before. */
  async #attempt(run: () => Promise<unknown>): Promise<unknown> {
    if (!this.#lost.isEmpty && !(await this.#catchUp())) return LOST;
    try {
      return await run();
    } catch {
      return LOST;
    }
  }

  #lose(add: (lost: LostInvalidations) => void): void {
    // defence: deletions-that-are-repeated
    add(this.#lost);
    this.#retry.start();
  }

  #catchUp(): Promise<boolean> {
    return this.#lost.repeat({
      deleteKey: (key) => this.#run(DELETE, key, []),
      deletePrefix: (prefix) => this.#deletePrefix(prefix),
    });
  }

  async #deletePrefix(prefix: string): Promise<void> {
    // Cut keys begin with the same characters. Half a surrogate pair is not a prefix in UTF-8.
    const cut = prefix.slice(0, CUT_KEY).replace(/[\ud800-\udbff]$/, '');
    await Promise.all(
      this.#allKeys().map(async (keys) => {
        for (let round = 0; round < MAX_ROUNDS; round += 1)
          if (Number(await this.#connection.run(DELETE_BY_PREFIX, keys, [cut])) < 1000) return;
      }),
    );
  }

  #run(script: RedisScript, key: string, args: readonly string[]): Promise<unknown> {
    const name = nameOf(key);
    const part = this.#parts === 1 ? 0 : Buffer.from(digestOf(name), 'base64url').readUInt8() % this.#parts;
    return this.#connection.run(script, this.#keysOf(part), [name, ...args]);
  }

  #allKeys(): readonly Keys[] {
    return Array.from({ length: this.#parts }, (_, part) => this.#keysOf(part));
  }

  #keysOf(part: number): Keys {
    const at = (name: string): string => this.#connection.key('cache', String(part), `:${name}`);
    return [at('values'), at('names'), at('expiry'), at('claims')];
  }
}

type Keys = readonly [string, string, string, string];

/** Commands failed. Not a value that Redis can return. */
const LOST = Symbol('lost');

/** The name of an entry. Names that end with a dot are keys, others are cut and hashed, so that no key equals the name of another. */
function nameOf(key: string): string {
  // In UTF-8, all lone surrogates are the same character.
  if (key.length <= MAX_KEY && !/\p{Surrogate}/u.test(key)) return `${key}.`;
  return `${key.slice(0, CUT_KEY)}~${digestOf(key)}`;
}

function toJson(key: string, value: unknown): string {
  try {
    return packValue(value);
  } catch (error) {
    if (!(error instanceof UnstorableError)) throw error;
    throw new DefinitionError(
      `RedisCacheStore: the value of ${JSON.stringify(key.slice(0, 140))} contains ${error.message}. Cache plain data: objects, arrays, strings, numbers, booleans, bigints, dates and null.`,
      { reason: 'wrong-value', option: 'cache', expected: 'plain data' },
    );
  }
}
