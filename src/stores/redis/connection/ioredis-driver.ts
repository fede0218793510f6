import { isFunction } from '../../../errors/options/rules.ts';
import { isStructure } from '../../../base/is-object.ts';
import { CONNECT_MS, retryDelayMs } from './redis-driver.ts';
import type { RedisDriver } from './redis-driver.ts';

/** The used part of a `Redis` or `Cluster` of ioredis. */
interface Ioredis {
  readonly status: string;
  readonly isCluster?: boolean;
  duplicate(...overrides: readonly unknown[]): Ioredis;
  connect(): Promise<void>;
  call(...command: readonly string[]): Promise<unknown>;
  on(event: string, listener: () => void): unknown;
  disconnect(): void;
}

export function isIoredis(client: unknown): client is Ioredis {
  const { call, duplicate, disconnect } = (isStructure(client) ? client : {}) as Partial<Ioredis>;
  return [call, duplicate, disconnect].every(isFunction);
}

/** A command is sent once, now, or fails: a queued or repeated one would be executed after its caller was told that it failed. */
const ONCE = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  reconnectOnError: null,
  retryStrategy: retryDelayMs,
  connectTimeout: CONNECT_MS,
};

/** Settings of the application's client that would change commands, replies or timeouts. */
const PLAIN = {
  protocol: 2,
  replyMapping: 'legacy',
  stringNumbers: false,
  keyPrefix: '',
  commandTimeout: undefined,
  blockingTimeout: undefined,
  socketTimeout: undefined,
  enableAutoPipelining: false,
  monitor: false,
  readOnly: false,
};

export function createIoredisDriver(client: Ioredis): RedisDriver {
  const settings = { ...ONCE, ...PLAIN };
  const own =
    client.isCluster === true
      ? client.duplicate([], {
          lazyConnect: true,
          enableOfflineQueue: false,
          enableAutoPipelining: false,
          keyPrefix: '',
          scaleReads: 'master',
          clusterRetryStrategy: retryDelayMs,
          redisOptions: PLAIN,
        })
      : client.duplicate(settings);
  // Without a listener, the client writes errors to the console.
  own.on('error', () => {});
  return {
    isReady: () => own.status === 'ready',
    // The promise rejects after the first attempt, and the client goes on.
    connect: () => own.connect().catch(() => new Promise(() => {})),
    onReady: (callback) => own.on('ready', callback),
    send: (_key, command) => own.call(...command),
    close: () => own.disconnect(),
  };
}
