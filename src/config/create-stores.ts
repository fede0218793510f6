import { resolve } from 'node:path';
import { MissingPeerError, ToolwrightError } from '../errors/errors.ts';
import type { ServerOptions } from '../server/server-options.ts';
import type { RedisClient } from '../stores/redis/connection/redis-client.ts';
import type { ToolSettingsOptions } from '../tools/compile/settings-options.ts';
import type { SessionOptions } from '../transport/http/message/http-options.ts';
import type { RedisStoresConfig, SqliteStoresConfig, StoresConfig } from './file/config-types.ts';
import type { Mistake } from './file/small-schema.ts';

/** The stores of a configuration, as the options that take them. */
export interface ConfiguredStores {
  /** For the settings of tools, prompts and resources. */
  readonly settings: Pick<
    ToolSettingsOptions,
    'cache' | 'confirmationStore' | 'rateLimitStore' | 'stateStore'
  >;
  readonly server: Pick<ServerOptions, 'eventBus' | 'taskStore'>;
  /** For `serveHttp`. */
  readonly sessions: SessionOptions | undefined;
  close(): void;
}

/** Stores, and the mistakes in their options. With mistakes, all state is in memory. */
export interface CreatedStores extends ConfiguredStores {
  readonly mistakes: readonly Mistake[];
}

/** Creates the stores of a configuration. `folder`: paths are relative to it. */
export async function createStores(stores: StoresConfig | undefined, folder: string): Promise<CreatedStores> {
  if (stores === undefined) return { ...IN_MEMORY, mistakes: [] };
  if ('redis' in stores && !isRedisUrl(stores.redis.url))
    return { ...IN_MEMORY, mistakes: [{ path: ['redis', 'url'], message: INVALID_URL }] };
  const [kind, create] =
    'redis' in stores
      ? (['redis', () => createRedisStores(stores.redis)] as const)
      : (['sqlite', () => createSqliteStores(stores.sqlite, folder)] as const);
  try {
    return { ...(await create()), mistakes: [] };
  } catch (error) {
    if (!(error instanceof ToolwrightError)) throw error;
    return { ...IN_MEMORY, mistakes: [{ path: [kind], message: `is invalid: ${error.message}` }] };
  }
}

const INVALID_URL =
  'must be the URL of a Redis, such as redis://user:password@redis.example.com:6379/0, or rediss:// for TLS';

const IN_MEMORY: ConfiguredStores = { settings: {}, server: {}, sessions: undefined, close: () => {} };

async function createRedisStores({ url, ...options }: RedisStoresConfig): Promise<ConfiguredStores> {
  const client = await createRedisClient(url);
  const { redisStores } = await import('../stores/redis/redis-stores.ts');
  const stores = redisStores(client, options);
  return {
    settings: {
      cache: stores.cache,
      confirmationStore: stores.confirmations,
      rateLimitStore: stores.rateLimits,
      stateStore: stores.state,
    },
    server: { eventBus: stores.eventBus, taskStore: stores.tasks },
    sessions: { shared: stores.state, eventStore: stores.events },
    close: () => stores.close(),
  };
}

async function createSqliteStores({ path }: SqliteStoresConfig, folder: string): Promise<ConfiguredStores> {
  const { sqliteStores } = await import('../stores/sqlite/sqlite-stores.ts');
  const stores = sqliteStores(path === ':memory:' ? path : resolve(folder, path));
  return {
    settings: {
      cache: stores.cache,
      confirmationStore: stores.confirmations,
      rateLimitStore: stores.rateLimits,
      stateStore: stores.state,
    },
    server: { taskStore: stores.tasks },
    sessions: undefined,
    close: () => stores.close(),
  };
}

/** A client that names the server and its credentials, and never connects. Prefers `ioredis`, whose calls cost less. */
async function createRedisClient(url: string): Promise<RedisClient> {
  const { Redis } = await import('ioredis').catch(() => ({ Redis: undefined }));
  if (Redis !== undefined) return new Redis(url, { lazyConnect: true });
  const { createClient } = await import('redis').catch((cause: unknown) => {
    throw new MissingPeerError('stores.redis', ['ioredis'], { cause });
  });
  return createClient({ url });
}

/** Stricter than the clients: one of them ignores another scheme, and both report a database that is no number only after they connect. */
function isRedisUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, pathname } = new URL(url);
  return /^rediss?:$/.test(protocol) && hostname !== '' && /^(?:\/\d*)?$/.test(pathname);
}
