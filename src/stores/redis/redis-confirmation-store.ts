import type { ConfirmationStore } from '../confirmation-store.ts';
import type { RedisConnection } from './connection/redis-connection.ts';
import { defineScript } from './connection/redis-script.ts';
import { storeUnavailable } from './connection/store-unavailable.ts';

const TAKE = defineScript(`
local binding = redis.call('GET', KEYS[1])
redis.call('DEL', KEYS[1])
return binding
`);

/**
 * Pending confirmations that several nodes share. They expire by the clock of Redis. While Redis is not available, calls that need a
 * confirmation are rejected.
 *
 * @example
 * const registry = new ToolRegistry({ confirmationStore: new RedisConfirmationStore(connection) });
 */
export class RedisConfirmationStore implements ConfirmationStore {
  readonly #connection: RedisConnection;

  constructor(connection: RedisConnection) {
    this.#connection = connection;
  }

  async put(token: string, binding: string, ttlMs: number): Promise<void> {
    const key = this.#keyOf(token);
    const expiry = String(Math.max(1, Math.ceil(ttlMs)));
    await this.#attempt(() => this.#connection.send(key, ['SET', key, binding, 'PX', expiry]));
  }

  async take(token: string): Promise<string | undefined> {
    const binding = await this.#attempt(() => this.#connection.run(TAKE, [this.#keyOf(token)], []));
    return typeof binding === 'string' ? binding : undefined;
  }

  #keyOf(token: string): string {
    return this.#connection.key('confirmation', token);
  }

  async #attempt(run: () => Promise<unknown>): Promise<unknown> {
    try {
      return await run();
    } catch (error) {
      // defence: no-confirmation-without-redis
      throw storeUnavailable('confirmations', error);
    }
  }
}
