import { assertOptions, wholeNumber } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { startOf, streamOf } from '../event-store.ts';
import type { EventStore, StoredEvent } from '../event-store.ts';
import type { RedisConnection } from './connection/redis-connection.ts';
import { defineScript } from './connection/redis-script.ts';
import { isAfter, toEntries } from './stream-entries.ts';

/** Options of {@link RedisEventStore}. */
export interface RedisEventStoreOptions {
  /** Maximum number of messages per stream; the oldest is dropped first. Default: 256. */
  readonly maxEvents?: number;
  /** Maximum size of the messages of a stream in bytes; the newest is always kept. Default: 262,144. */
  readonly maxBytes?: number;
  /** Time after the last message in which a stream can be resumed, in milliseconds. Default: 3,600,000 (1 hour). */
  readonly keepMs?: number;
}

const OPTIONS: Rules<keyof RedisEventStoreOptions> = {
  maxEvents: wholeNumber(1),
  maxBytes: wholeNumber(1),
  keepMs: wholeNumber(1, 315_360_000_000),
};

/** Arguments: message, maximum number, maximum size, lifetime. Returns the id of the entry. */
const APPEND = defineScript(`
local events, size = KEYS[1], KEYS[2]
local id = redis.call('XADD', events, '*', 'message', ARGV[1])
local bytes = redis.call('INCRBY', size, #ARGV[1])
local count = redis.call('XLEN', events)
while count > 1 and (count > tonumber(ARGV[2]) or bytes > tonumber(ARGV[3])) do
  local oldest = redis.call('XRANGE', events, '-', '+', 'COUNT', 1)[1]
  redis.call('XDEL', events, oldest[1])
  bytes = redis.call('DECRBY', size, #oldest[2][2])
  count = count - 1
end
redis.call('PEXPIRE', events, ARGV[4])
redis.call('PEXPIRE', size, ARGV[4])
return id
`);

/**
 * Messages of streams that clients can resume on any node. A stream expires after its last message. While Redis is not available, messages
 * are sent but cannot be resumed.
 *
 * @example
 * await serveHttp(server, { port: 3000, sessions: { eventStore: new RedisEventStore(connection) } });
 */
export class RedisEventStore implements EventStore {
  readonly #connection: RedisConnection;
  readonly #limits: readonly [maxEvents: string, maxBytes: string, keepMs: string];

  constructor(connection: RedisConnection, options: RedisEventStoreOptions = {}) {
    assertOptions('RedisEventStore', options, OPTIONS);
    this.#connection = connection;
    const { maxEvents = 256, maxBytes = 262_144, keepMs = 3_600_000 } = options;
    this.#limits = [String(maxEvents), String(maxBytes), String(keepMs)];
  }

  async append(stream: string, message: string): Promise<string> {
    const [events, size] = this.#keysOf(stream);
    const id = await this.#connection.run(APPEND, [events, size], [message, ...this.#limits]);
    return `${stream}_${String(id)}`;
  }

  async after(eventId: string): Promise<readonly StoredEvent[] | undefined> {
    const stream = streamOf(eventId);
    const seen = eventId.slice(stream.length + 1);
    const isStart = eventId === startOf(stream);
    if (!isStart && !/^\d{1,18}-\d{1,18}$/.test(seen)) return undefined;
    const [events] = this.#keysOf(stream);
    // All of them, which are few: the last one tells whether the event is known.
    const entries = toEntries(await this.#connection.send(events, ['XRANGE', events, '-', '+']));
    const last = entries.at(-1);
    if (!isStart && (last === undefined || isAfter(seen, last.id))) return undefined;
    return entries
      .filter(({ id }) => isStart || isAfter(id, seen))
      .map(({ id, fields }) => ({ id: `${stream}_${id}`, message: fields.get('message') ?? '' }));
  }

  async drop(stream: string): Promise<void> {
    const [events, size] = this.#keysOf(stream);
    await this.#connection.send(events, ['DEL', events, size]);
  }

  #keysOf(stream: string): readonly [events: string, size: string] {
    return [this.#connection.key('stream', stream), this.#connection.key('stream', stream, ':size')];
  }
}
