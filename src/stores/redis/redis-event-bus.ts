import { isObject } from '../../base/is-object.ts';
import { createId } from '../../base/random-id.ts';
import { toLoggedError } from '../../errors/log-thrown.ts';
import { assertOptions, wholeNumber } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { MemoryEventBus } from '../event-bus.ts';
import type { EventBus, ServerEvent } from '../event-bus.ts';
import type { RedisConnection } from './connection/redis-connection.ts';
import { defineScript } from './connection/redis-script.ts';
import { EventReader } from './event-reader.ts';
import { RetryLoop } from './connection/retry-loop.ts';
import { parseStored } from './connection/stored-value.ts';
import type { StreamEntry } from './stream-entries.ts';
import { UnpublishedEvents } from './unpublished-events.ts';

/** Options of {@link RedisEventBus}. */
export interface RedisEventBusOptions {
  /** Number of events that Redis keeps for nodes that were cut off, approximately. Default: 10,000. */
  readonly maxEvents?: number;
}

const OPTIONS: Rules<keyof RedisEventBusOptions> = { maxEvents: wholeNumber(1) };

/** Longer events stay on their node: such as the end of a task with a long result, which other nodes return when it is requested. */
const MAX_EVENT_CHARS = 65_536;

/** Number of events that are published in one round trip. */
const BATCH = 100;

const LISTS = ['tools', 'prompts', 'resources'] as const;

/** Arguments: maximum number of events, id of the sender, events. */
const PUBLISH = defineScript(`
for index = 3, #ARGV do
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'from', ARGV[2], 'event', ARGV[index])
end
`);

/**
 * Events for the clients of all nodes, over a Redis stream. Listeners of the same node are called immediately, those of other nodes when the
 * stream has the event.
 *
 * While Redis is not available, events reach the own node, and the latest of each topic is published when Redis is available again. A node
 * that was cut off then reads what it has missed. If Redis does not have all of it any more, the node notifies its clients that the lists of
 * tools, prompts and resources have changed.
 *
 * @example
 * const server = createServer({ name: 'shop', version: '1.0.0', eventBus: new RedisEventBus(connection) });
 */
export class RedisEventBus implements EventBus {
  readonly #connection: RedisConnection;
  readonly #key: string;
  readonly #maxEvents: string;
  readonly #id = createId();
  readonly #local = new MemoryEventBus();
  readonly #unpublished = new UnpublishedEvents();
  readonly #retry: RetryLoop;
  #reader: EventReader | undefined;
  #isClosed = false;

  constructor(connection: RedisConnection, options: RedisEventBusOptions = {}) {
    assertOptions('RedisEventBus', options, OPTIONS);
    this.#connection = connection;
    this.#key = connection.key('bus', 'events');
    this.#maxEvents = String(options.maxEvents ?? 10_000);
    this.#retry = new RetryLoop(connection.clock, async () => this.#isClosed || this.#publishKept());
  }

  async publish(event: ServerEvent): Promise<void> {
    this.#local.publish(event);
    this.#unpublished.add([event]);
    if (!(await this.#publishKept()) && !this.#isClosed) this.#retry.start();
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    if (!this.#isClosed)
      this.#reader ??= new EventReader(this.#connection, this.#key, {
        onEntry: (entry) => this.#receive(entry),
        onGap: () => {
          // defence: lists-after-a-gap
          for (const kind of LISTS) this.#notify({ kind });
        },
      });
    return this.#local.subscribe(listener);
  }

  /** Stops reading and publishing. */
  close(): void {
    this.#isClosed = true;
    this.#retry.stop();
    this.#reader?.stop();
  }

  /** Publishes the kept events; false if not all could be published. */
  async #publishKept(): Promise<boolean> {
    const events = this.#unpublished.take();
    const texts = events.map((event) => JSON.stringify(event));
    for (let start = 0; start < events.length; start += BATCH) {
      const batch = texts.slice(start, start + BATCH).filter((text) => text.length <= MAX_EVENT_CHARS);
      try {
        if (batch.length > 0)
          await this.#connection.run(PUBLISH, [this.#key], [this.#maxEvents, this.#id, ...batch]);
      } catch {
        // defence: events-that-are-published-later
        this.#unpublished.giveBack(events.slice(start));
        return false;
      }
    }
    return true;
  }

  #receive({ fields }: StreamEntry): void {
    // The listeners of this node have been called.
    if (fields.get('from') === this.#id) return;
    const event = parseStored(fields.get('event'));
    // defence: events-of-other-nodes
    if (isServerEvent(event)) this.#notify(event);
  }

  #notify(event: ServerEvent): void {
    try {
      this.#local.publish(event);
    } catch (error) {
      this.#connection.logger.error('a listener of the event bus failed', { error: toLoggedError(error) });
    }
  }
}

function isServerEvent(value: unknown): value is ServerEvent {
  if (!isObject(value)) return false;
  const { server, kind, cause, uri, owner, task, session, change } = value;
  if (server !== undefined && typeof server !== 'string') return false;
  if (kind === 'resource') return typeof uri === 'string';
  if (kind === 'task') return typeof owner === 'string' && isObject(task);
  if (kind === 'session') return typeof session === 'string' && isObject(change);
  return (LISTS as readonly unknown[]).includes(kind) && (cause === undefined || cause === 'catalog');
}
