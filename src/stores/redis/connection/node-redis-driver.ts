import { isFunction } from '../../../errors/options/rules.ts';
import { isStructure } from '../../../base/is-object.ts';
import { CONNECT_MS, retryDelayMs } from './redis-driver.ts';
import type { RedisDriver } from './redis-driver.ts';

/** Options of a client, as far as they are changed. */
interface NodeRedisOptions {
  readonly socket?: object;
}

/** The used part of the clients of `createClient` and `createCluster`. */
interface NodeRedis {
  readonly isOpen: boolean;
  readonly isReady?: boolean;
  readonly options?: NodeRedisOptions;
  readonly _options?: { readonly defaults?: NodeRedisOptions };
  /** Only of clusters. */
  readonly getSlotRandomNode?: unknown;
  /** Only of single clients. */
  readonly createPool?: unknown;
  duplicate(overrides: object): NodeRedis;
  connect(): Promise<unknown>;
  sendCommand(...command: readonly unknown[]): Promise<unknown>;
  on(event: string, listener: () => void): unknown;
  destroy(): void;
}

export function isNodeRedis(client: unknown): client is NodeRedis {
  const { sendCommand, duplicate, destroy, createPool, getSlotRandomNode } = (
    isStructure(client) ? client : {}
  ) as Partial<NodeRedis>;
  return (
    [sendCommand, duplicate, destroy].every(isFunction) && [createPool, getSlotRandomNode].some(isFunction)
  );
}

/** A command is sent once, now, or fails: a queued one would be executed after its caller was told that it failed. */
function settingsOf(options: NodeRedisOptions | undefined): object {
  return {
    disableOfflineQueue: true,
    RESP: 2,
    // Settings of the application's client that would change commands, replies or timeouts.
    commandOptions: {},
    keyPrefix: undefined,
    clientSideCache: undefined,
    emitInvalidate: undefined,
    maintNotifications: 'disabled',
    pingInterval: undefined,
    readonly: false,
    socket: {
      ...options?.socket,
      socketTimeout: undefined,
      connectTimeout: CONNECT_MS,
      reconnectStrategy: retryDelayMs,
    },
  };
}

export function createNodeRedisDriver(client: NodeRedis): RedisDriver {
  const isCluster = client.getSlotRandomNode !== undefined;
  const own = isCluster ? duplicateCluster(client) : client.duplicate(settingsOf(client.options));
  // Without a listener, an error of the connection would end the process.
  own.on('error', () => {});
  return {
    isReady: () => own.isReady ?? own.isOpen,
    connect: () => own.connect(),
    onReady: (callback) => own.on('ready', callback),
    send: (key, command) => (isCluster ? own.sendCommand(key, false, command) : own.sendCommand(command)),
    close: () => {
      try {
        own.destroy();
      } catch {
        // It was not connected.
      }
    },
  };
}

function duplicateCluster(client: NodeRedis): NodeRedis {
  const defaults = client._options?.defaults;
  return client.duplicate({
    RESP: 2,
    commandOptions: {},
    keyPrefix: undefined,
    clientSideCache: undefined,
    useReplicas: false,
    defaults: { ...defaults, ...settingsOf(defaults) },
  });
}
