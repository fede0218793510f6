import { assertOptions } from '../../errors/options/rules.ts';
import { OWNER_LIMITS, StateRoom, weighState } from '../state/state-room.ts';
import type { OwnerLimits } from '../state/state-room.ts';
import type { StateSetOptions, StateStore } from '../state/state-store.ts';
import { digestOf } from './connection/digest.ts';
import type { RedisConnection } from './connection/redis-connection.ts';
import { defineScript } from './connection/redis-script.ts';
import { storeUnavailable } from './connection/store-unavailable.ts';

/**
 * The keys of an owner: values by field, end times by field, sizes by field and, under an empty field, their sum. A field is the digest of a
 * key, because keys may have any characters.
 */
const HELPERS = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function remove(field)
  local bytes = redis.call('HGET', KEYS[3], field)
  redis.call('HDEL', KEYS[1], field)
  redis.call('ZREM', KEYS[2], field)
  redis.call('HDEL', KEYS[3], field)
  if bytes then redis.call('HINCRBY', KEYS[3], '', -bytes) end
end
local function find(field)
  local ends = redis.call('ZSCORE', KEYS[2], field)
  if not ends or tonumber(ends) <= now then return false end
  return redis.call('HGET', KEYS[1], field)
end
`;

const GET = defineScript(`${HELPERS}
return find(ARGV[1])
`);

const TAKE = defineScript(`${HELPERS}
local value = find(ARGV[1])
remove(ARGV[1])
return value
`);

/** Arguments: field, value, bytes, lifetime, whether to keep a stored value, limits. Returns -1 if there is no room. */
const SET = defineScript(`${HELPERS}
local field, bytes = ARGV[1], tonumber(ARGV[3])
for _, expired in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do remove(expired) end
local before = redis.call('HGET', KEYS[3], field)
if before and ARGV[5] == '1' then return 0 end
if not before and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[6]) then return -1 end
local added = bytes - (before or 0)
if added > 0 and (redis.call('HGET', KEYS[3], '') or 0) + added > tonumber(ARGV[7]) then return -1 end
redis.call('HSET', KEYS[1], field, ARGV[2])
redis.call('ZADD', KEYS[2], now + ARGV[4], field)
redis.call('HSET', KEYS[3], field, bytes)
redis.call('HINCRBY', KEYS[3], '', added)
local last = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')[2]
for _, key in ipairs(KEYS) do redis.call('PEXPIREAT', key, last) end
return 1
`);

/**
 * State and handles of callers that several nodes share. Values expire by the clock of Redis. The limits are those of one owner; the memory
 * of Redis bounds all values together. While Redis is not available, calls of all methods are rejected.
 *
 * @example
 * const server = createServer({ name: 'shop', version: '1.0.0', stateStore: new RedisStateStore(connection) });
 */
export class RedisStateStore implements StateStore {
  readonly #connection: RedisConnection;
  readonly #room: StateRoom;

  constructor(connection: RedisConnection, limits: OwnerLimits = {}) {
    assertOptions('RedisStateStore', limits, OWNER_LIMITS);
    this.#connection = connection;
    this.#room = new StateRoom(limits);
  }

  async get(owner: string, key: string): Promise<string | undefined> {
    return toValue(await this.#run(GET, owner, [digestOf(key)]));
  }

  // oxlint-disable-next-line max-params -- as the interface has it
  async set(
    owner: string,
    key: string,
    value: string,
    { ttlMs, ifAbsent = false }: StateSetOptions,
  ): Promise<boolean> {
    const { maxEntriesPerOwner, maxBytesPerOwner } = this.#room.limits;
    const stored = await this.#run(SET, owner, [
      digestOf(key),
      value,
      String(weighState(key, value)),
      String(Math.max(1, Math.ceil(ttlMs))),
      ifAbsent ? '1' : '',
      String(maxEntriesPerOwner),
      String(maxBytesPerOwner),
    ]);
    if (Number(stored) < 0) throw this.#room.toError('owner');
    return Number(stored) === 1;
  }

  async take(owner: string, key: string): Promise<string | undefined> {
    return toValue(await this.#run(TAKE, owner, [digestOf(key)]));
  }

  async delete(owner: string, key: string): Promise<void> {
    await this.#run(TAKE, owner, [digestOf(key)]);
  }

  async #run(script: typeof GET, owner: string, args: readonly string[]): Promise<unknown> {
    const keyOf = (part: string): string => this.#connection.key('state', owner, part);
    try {
      return await this.#connection.run(script, [keyOf(':values'), keyOf(':ends'), keyOf(':sizes')], args);
    } catch (error) {
      // defence: no-state-without-redis
      throw storeUnavailable('state', error);
    }
  }
}

function toValue(found: unknown): string | undefined {
  return typeof found === 'string' ? found : undefined;
}
