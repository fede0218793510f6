import { assertOptions, wholeNumber } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { MemoryRateLimitStore } from '../rate-limit-store.ts';
import type { RateDecision, RateLimit, RateLimitStore } from '../rate-limit-store.ts';
import type { RedisConnection } from './connection/redis-connection.ts';
import { defineScript } from './connection/redis-script.ts';

/** Options of {@link RedisRateLimitStore}. */
export interface RedisRateLimitOptions {
  /** Number of nodes that share the limits. While Redis is not available, each node allows its part of a limit. Default: 2. */
  readonly nodes?: number;
}

const OPTIONS: Rules<keyof RedisRateLimitOptions> = { nodes: wholeNumber(1) };

/** Returns -1 if the call is allowed, otherwise the rest of the window in milliseconds. */
const CONSUME = defineScript(`
local count = redis.pcall('INCR', KEYS[1])
if type(count) == 'table' then
  redis.call('DEL', KEYS[1])
  count = redis.call('INCR', KEYS[1])
end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[2])
  redis.call('PEXPIRE', KEYS[1], left)
end
if count <= tonumber(ARGV[1]) then return -1 end
return left
`);

/**
 * Rate limits that several nodes share, in one round trip per call. A window starts with a caller's first call and ends by the clock of
 * Redis; exactly `limit` calls are allowed in it. While Redis is not available, each node counts for itself and allows `limit / nodes`
 * calls, but at least one.
 *
 * @example
 * const registry = new ToolRegistry({ rateLimitStore: new RedisRateLimitStore(connection, { nodes: 3 }) });
 */
export class RedisRateLimitStore implements RateLimitStore {
  readonly #connection: RedisConnection;
  readonly #nodes: number;
  readonly #local: MemoryRateLimitStore;

  constructor(connection: RedisConnection, options: RedisRateLimitOptions = {}) {
    assertOptions('RedisRateLimitStore', options, OPTIONS);
    this.#connection = connection;
    this.#nodes = options.nodes ?? 2;
    this.#local = new MemoryRateLimitStore({ clock: connection.clock });
  }

  async consume(key: string, rate: RateLimit): Promise<RateDecision> {
    const { limit } = rate;
    const perMs = Math.max(1, Math.ceil(rate.perMs));
    try {
      const args = [String(limit), String(perMs)];
      const left = Number(await this.#connection.run(CONSUME, [this.#connection.key('rate', key)], args));
      return left < 0 ? { allowed: true } : { allowed: false, retryAfterMs: Math.max(1, left) };
    } catch {
      // defence: share-of-a-limit
      return this.#local.consume(key, { limit: shareOf(limit, this.#nodes), perMs });
    }
  }
}

function shareOf(limit: number, nodes: number): number {
  return Math.min(limit, Math.max(1, Math.floor(limit / nodes)));
}
