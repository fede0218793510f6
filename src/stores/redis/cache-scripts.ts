import { defineScript } from './connection/redis-script.ts';
import type { RedisScript } from './connection/redis-script.ts';

/**
 * The entries of a cache, or of one part of it on a cluster, are in four keys with one hash tag: a hash of values, sorted sets of their
 * names and expiry times, and a hash of claims. Entries expire by the clock of Redis; each write removes some expired ones, and all keys
 * expire with their last entry.
 */
const COMMON = `
local values, names, expiry, claims = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local name = ARGV[1]

local function drop(each)
  redis.call('HDEL', values, each)
  redis.call('ZREM', names, each)
  redis.call('ZREM', expiry, each)
end

local function find()
  local at = redis.call('ZSCORE', expiry, name)
  if not at or tonumber(at) <= now then return false end
  return redis.call('HGET', values, name)
end

local function prolong(key, ttl)
  if redis.call('PTTL', key) < ttl then redis.call('PEXPIRE', key, ttl + 1000) end
end

local function keep(value, ttl, max)
  redis.call('HSET', values, name, value)
  redis.call('ZADD', names, 0, name)
  redis.call('ZADD', expiry, now + ttl, name)
  for _, old in ipairs(redis.call('ZRANGEBYSCORE', expiry, '-inf', now, 'LIMIT', 0, 20)) do drop(old) end
  local over = math.min(redis.call('ZCARD', expiry) - max, 20)
  if over > 0 then
    for _, old in ipairs(redis.call('ZRANGE', expiry, 0, over - 1)) do drop(old) end
  end
  for _, key in ipairs({ values, names, expiry }) do prolong(key, ttl) end
end

-- A claim is "<token> <expiry time>".
local function holder()
  local claim = redis.call('HGET', claims, name)
  if not claim then return nil end
  local token, at = string.match(claim, '^(%S+) (%d+)$')
  if not token or tonumber(at) <= now then return nil end
  return token
end

local function hold(token, ms)
  redis.call('HSET', claims, name, token .. ' ' .. string.format('%.0f', now + ms))
  prolong(claims, ms)
end
`;

function define(lua: string): RedisScript {
  return defineScript(`${COMMON}${lua}`);
}

export const FIND: RedisScript = define(`return find()`);

/** Arguments: name, value, lifetime, maximum number of entries. */
export const SET: RedisScript = define(`
redis.call('HDEL', claims, name)
keep(ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]))
`);

export const ADD: RedisScript = define(`
local found = find()
if found then return found end
keep(ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]))
return false
`);

export const DELETE: RedisScript = define(`
redis.call('HDEL', claims, name)
drop(name)
`);

/**
 * Deletes up to 1,000 entries and returns their number. If Redis has evicted one of the keys, the names are not complete: then the whole
 * cache is cleared.
 */
export const DELETE_BY_PREFIX: RedisScript = define(`
if redis.call('ZCARD', names) ~= redis.call('HLEN', values) then redis.call('DEL', values, names, expiry) end
for _, each in ipairs(redis.call('HKEYS', claims)) do
  if string.sub(each, 1, #name) == name then redis.call('HDEL', claims, each) end
end
local found = redis.call('ZRANGEBYLEX', names, '[' .. name, '[' .. name .. string.char(255), 'LIMIT', 0, 1000)
for _, each in ipairs(found) do drop(each) end
return #found
`);

/** Arguments: name, token, time to hold, whether a cached value counts. Returns the value, true for a claim or false. */
export const CLAIM: RedisScript = define(`
if ARGV[4] == '1' then
  local found = find()
  if found then return found end
end
local other = holder()
if other and other ~= ARGV[2] then return false end
hold(ARGV[2], tonumber(ARGV[3]))
return 1
`);

export const EXTEND: RedisScript = define(`
if holder() ~= ARGV[2] then return 0 end
hold(ARGV[2], tonumber(ARGV[3]))
return 1
`);

/** Arguments: name, token, and for a loaded value: value, lifetime, maximum number of entries. */
export const SETTLE: RedisScript = define(`
if holder() ~= ARGV[2] then return 0 end
redis.call('HDEL', claims, name)
if ARGV[3] then keep(ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])) end
return 1
`);

export const COUNT: RedisScript = define(
  `return redis.call('ZCOUNT', expiry, '(' .. string.format('%.0f', now), '+inf')`,
);
