import { CONNECT_MS, retryDelayMs } from '../redis/connection/redis-driver.ts';
import type { IoredisClient } from '../redis/connection/redis-client.ts';
import { isFromReplica } from '../redis/connection/redis-link.ts';

/** The used part of a `Redis` or `Cluster` of ioredis. */
export interface OwnIoredis {
  readonly status: string;
  call(...command: readonly string[]): Promise<unknown>;
  on(event: string, listener: () => void): unknown;
  disconnect(): void;
}

interface Duplicated {
  readonly isCluster?: boolean;
  duplicate(...overrides: readonly unknown[]): OwnIoredis;
}

/** Settings of the application's client that would change keys or replies. */
const PLAIN = {
  keyPrefix: '',
  stringNumbers: false,
  replyMapping: 'legacy',
  enableAutoPipelining: false,
  commandTimeout: undefined,
  // After a failover, the address or the Sentinels lead to the new primary. A connection to the old one stays open.
  reconnectOnError: isFromReplica,
  connectTimeout: CONNECT_MS,
};

/** A command of a call is sent once, now, or fails. */
const COMMANDS = { maxRetriesPerRequest: 0 };

/** A worker waits until Redis is available again. A connection that is half open is replaced. */
const WORKER = { maxRetriesPerRequest: null, socketTimeout: 30_000 };

/** A further connection to the server of a client. It must be disconnected. */
export function duplicateIoredis(client: IoredisClient, use: 'commands' | 'worker'): OwnIoredis {
  const isWorker = use === 'worker';
  const settings = { ...PLAIN, ...(isWorker ? WORKER : COMMANDS) };
  const enableOfflineQueue = isWorker;
  const given = client as unknown as Duplicated;
  const own =
    given.isCluster === true
      ? given.duplicate([], {
          keyPrefix: '',
          scaleReads: 'master',
          lazyConnect: false,
          enableOfflineQueue,
          clusterRetryStrategy: retryDelayMs,
          redisOptions: settings,
        })
      : given.duplicate({
          ...settings,
          lazyConnect: false,
          enableOfflineQueue,
          autoResendUnfulfilledCommands: isWorker,
          retryStrategy: retryDelayMs,
        });
  // Without a listener, the client writes errors to the console.
  own.on('error', () => {});
  return own;
}
