import { CircuitBreaker } from '../../../base/time/circuit-breaker.ts';
import { systemClock } from '../../../base/time/clock.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { createLogger } from '../../../errors/logger.ts';
import type { Logger } from '../../../errors/logger.ts';
import { toLoggedError } from '../../../errors/log-thrown.ts';
import {
  assertOptions,
  CLOCK,
  MAX_TIMER_MS,
  objectWith,
  wholeNumber,
} from '../../../errors/options/rules.ts';
import type { Rules } from '../../../errors/options/rules.ts';
import { toDialler } from './redis-client.ts';
import type { RedisClient, RedisDialler } from './redis-client.ts';
import { digestOf } from './digest.ts';
import { isFromReplica, RedisLink, RedisUnavailableError } from './redis-link.ts';
import type { RedisScript } from './redis-script.ts';

/** Options of {@link RedisConnection}. */
export interface RedisConnectionOptions {
  /** Start of all keys. Default: `'toolwright'`. */
  readonly prefix?: string;
  /** Timeout of a command, in milliseconds. Default: 250. */
  readonly timeoutMs?: number;
  readonly logger?: Logger;
  /** Clock, for tests. Default: the system clock. */
  readonly clock?: Clock;
}

const OPTIONS: Rules<keyof RedisConnectionOptions> = {
  prefix: [
    (value) => typeof value === 'string' && /^[\w.:/-]{1,64}$/.test(value),
    'up to 64 letters, digits, "_", ".", ":", "/" or "-"',
  ],
  timeoutMs: wholeNumber(1, MAX_TIMER_MS),
  logger: objectWith('debug', 'info', 'warning', 'error'),
  clock: CLOCK,
};

/** Names that are part of keys as they are; others are hashed. */
const PLAIN_NAME = /^[\w.:|/@+=-]{1,128}$/;

/** Rejected commands are logged at most this often. */
const SILENT_MS = 5000;

/** A connection to a server that has become a replica is replaced at most this often. */
const REPLACE_MS = 5000;

/** Replies that are errors begin with a code. Errors of the clients do not. */
const ERROR_REPLY = /^[A-Z]{2,} /;

/**
 * The connection that Redis stores share. It opens connections of its own to the server of the given client. Every command has a timeout;
 * after 5 failures in a row no command is sent for 5 seconds, or until the connection is established again, and the stores use their
 * fallbacks. One command then probes Redis.
 *
 * @example
 * const connection = new RedisConnection(new Redis('redis://127.0.0.1:6379'), { prefix: 'shop' });
 */
export class RedisConnection {
  readonly isCluster: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timeoutMs: number;
  readonly #prefix: string;
  readonly #dialler: RedisDialler;
  readonly #breaker: CircuitBreaker;
  #link: RedisLink;
  #isClosed = false;
  #isReported = false;
  /** Time until which rejected commands are not logged. */
  #silentUntil = 0;
  /** Time until which a connection to a replica is not replaced. */
  #kept = 0;

  constructor(client: RedisClient, options: RedisConnectionOptions = {}) {
    assertOptions('RedisConnection', options, OPTIONS);
    this.#dialler = toDialler(client);
    this.isCluster = this.#dialler.isCluster;
    this.clock = options.clock ?? systemClock;
    this.logger = options.logger ?? createLogger();
    this.timeoutMs = options.timeoutMs ?? 250;
    // defence: keys-of-all-nodes
    this.#prefix = options.prefix ?? 'toolwright';
    this.#breaker = new CircuitBreaker(this.clock);
    this.#link = this.#open();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** A key. Keys with the same kind and name have the same hash tag, so that one script can use them on a cluster. */
  key(kind: string, name: string, part = ''): string {
    const tag = PLAIN_NAME.test(name) ? name : `~${digestOf(name)}`;
    return `${this.#prefix}:{${kind}:${tag}}${part}`;
  }

  /** Sends a command. */
  send(key: string, command: readonly string[]): Promise<unknown> {
    return this.#perform((link) => link.send(key, command, this.timeoutMs));
  }

  /** Runs a script in one round trip; in two if Redis does not have it yet. */
  run(script: RedisScript, keys: readonly [string, ...string[]], args: readonly string[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args];
    return this.#perform((link) =>
      link.within(this.timeoutMs, async () => {
        try {
          return await link.sendNow(keys[0], ['EVALSHA', script.sha, ...rest]);
        } catch (error) {
          if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
          return link.sendNow(keys[0], ['EVAL', script.lua, ...rest]);
        }
      }),
    );
  }

  /** A further connection, for commands that block. It must be closed. */
  openLink(): RedisLink {
    return new RedisLink(this.#dialler.open(), this.clock);
  }

  /** Redis replied on another connection: if no commands are sent at the moment, the next one probes it. */
  wake(): void {
    this.#breaker.wake();
  }

  /** Closes the connections. Commands fail from now on. */
  close(): void {
    this.#isClosed = true;
    this.#link.close();
  }

  #open(): RedisLink {
    return new RedisLink(this.#dialler.open(), this.clock, () => this.#breaker.wake());
  }

  async #perform(run: (link: RedisLink) => Promise<unknown>): Promise<unknown> {
    if (this.#isClosed) throw new RedisUnavailableError('The connection to Redis was closed.');
    if ((this.#breaker.waitMs() ?? 0) > 0) throw new RedisUnavailableError('Redis cannot be reached.');
    this.#breaker.enter();
    const link = this.#link;
    try {
      const reply = await run(link);
      this.#succeeded();
      return reply;
    } catch (error) {
      // An error reply is a reply: Redis is there.
      if (error instanceof Error && ERROR_REPLY.test(error.message)) this.#rejected(link, error);
      else this.#failed(link, error);
      throw error;
    }
  }

  #succeeded(): void {
    this.#breaker.succeeded();
    if (!this.#isReported) return;
    this.#isReported = false;
    this.logger.info('Redis is available again');
  }

  #rejected(link: RedisLink, error: Error): void {
    this.#succeeded();
    const now = this.clock.now();
    // After a failover, the address or the Sentinels lead to the new primary. A connection to the old one stays open.
    if (isFromReplica(error) && link === this.#link && !this.#isClosed && now >= this.#kept) {
      this.#kept = now + REPLACE_MS;
      this.#replace(link);
    }
    if (now < this.#silentUntil) return;
    this.#silentUntil = now + SILENT_MS;
    this.logger.warning('Redis rejected a command; fallbacks are in use', { error: toLoggedError(error) });
  }

  #failed(link: RedisLink, error: unknown): void {
    // Failures of a connection that was replaced say nothing about the present one.
    if (this.#isClosed || link !== this.#link) return;
    this.#breaker.failed();
    if (this.#breaker.waitMs() === undefined) return;
    if (!this.#isReported)
      this.logger.warning('Redis is not available; fallbacks are in use', { error: toLoggedError(error) });
    this.#isReported = true;
    // A connection that is half open or frozen may never fail by itself. Its pending commands fail now.
    this.#replace(link);
  }

  #replace(link: RedisLink): void {
    this.#link = this.#open();
    link.close();
  }
}
