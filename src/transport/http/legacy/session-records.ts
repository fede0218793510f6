import { isObject } from '../../../base/is-object.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { withinTime } from '../../../base/time/within-time.ts';
import type { McpLogLevel } from '../../../middleware/dialogue.ts';
import type { StateSetOptions, StateStore } from '../../../stores/state/state-store.ts';
import { isLogLevel } from '../../../wire/messages/log-levels.ts';

/** A session in the store. */
export interface StoredSession {
  readonly key: string;
  /** Opaque key of the owner. */
  readonly owner: string;
}

/** The node that has the client's stream. */
export interface StreamHolder {
  readonly node: string;
  /** Whether the client has opened the stream, or only finished the handshake. */
  readonly hasListened: boolean;
}

/** A response for another node, and the time in which the node takes it. */
interface Passed {
  readonly response: object;
  readonly ttlMs: number;
}

/** Lifetime of a record. Default: that of the session. */
type Lifetime = Partial<StateSetOptions>;

/** Timeout of a command, if the store has none of its own. */
const STORE_MS = 2000;

/** Time after which the lock of a node that has stopped ends. */
const LOCK_MS = 5000;
const LOCK_RETRY_MS = 20;
const LOCK_ATTEMPTS = 100;

/** Records that the nodes of a session share: its end, log level, subscriptions and responses. */
export class SessionRecords {
  readonly #store: StateStore;
  readonly #clock: Clock;
  /** Lifetime of a session, and of its records. */
  readonly #ttlMs: number;

  constructor(store: StateStore, clock: Clock, ttlMs: number) {
    this.#store = store;
    this.#clock = clock;
    this.#ttlMs = ttlMs;
  }

  /** The log level; undefined if the session has ended. */
  async findLogLevel(session: StoredSession): Promise<McpLogLevel | undefined> {
    const [ended, level] = await Promise.all([this.#get(session, 'ended'), this.#get(session, 'level')]);
    if (ended !== undefined) return undefined;
    return isLogLevel(level) ? level : 'info';
  }

  async setLogLevel(session: StoredSession, level: McpLogLevel): Promise<void> {
    await this.#set(session, 'level', level);
  }

  /** Ends a session on all nodes. */
  async end(session: StoredSession): Promise<void> {
    await this.#set(session, 'ended', true);
    // The other records expire if they cannot be deleted.
    await Promise.all(['level', 'uris', 'stream'].map((part) => this.#delete(session, part))).catch(() => {});
  }

  async findSubscriptions(session: StoredSession): Promise<readonly string[]> {
    const uris = await this.#get(session, 'uris');
    return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
  }

  async setSubscriptions(session: StoredSession, uris: readonly string[]): Promise<void> {
    await this.#set(session, 'uris', uris);
  }

  async findHolder(session: StoredSession): Promise<StreamHolder | undefined> {
    const found = await this.#get(session, 'stream');
    return isObject(found) && typeof found['node'] === 'string'
      ? { node: found['node'], hasListened: found['hasListened'] === true }
      : undefined;
  }

  async setHolder(session: StoredSession, holder: StreamHolder): Promise<void> {
    await this.#set(session, 'stream', holder);
  }

  /** Stores the holder if there is none. */
  addHolder(session: StoredSession, holder: StreamHolder): Promise<boolean> {
    return this.#set(session, 'stream', holder, { ifAbsent: true });
  }

  /** Stores a response for the node that waits for it. */
  async putResponse(session: StoredSession, id: string, { response, ttlMs }: Passed): Promise<void> {
    await this.#set(session, `response:${id}`, response, { ttlMs });
  }

  async takeResponse({ owner, key }: StoredSession, id: string): Promise<unknown> {
    return parse(await this.#within(async () => this.#store.take(owner, at(key, `response:${id}`))));
  }

  /** Runs without another change of the same session on any node. */
  async alone<TValue>(session: StoredSession, run: () => Promise<TValue>): Promise<TValue> {
    for (let attempt = 0; attempt < LOCK_ATTEMPTS; attempt += 1) {
      if (await this.#set(session, 'lock', true, { ttlMs: LOCK_MS, ifAbsent: true })) {
        try {
          return await run();
        } finally {
          // It expires if it cannot be deleted.
          await this.#delete(session, 'lock').catch(() => {});
        }
      }
      await new Promise<void>((resolve) => this.#clock.schedule(resolve, LOCK_RETRY_MS));
    }
    throw new Error(`Another change of the session has not ended after ${LOCK_ATTEMPTS} attempts.`);
  }

  async #get({ owner, key }: StoredSession, part: string): Promise<unknown> {
    return parse(await this.#within(async () => this.#store.get(owner, at(key, part))));
  }

  // oxlint-disable-next-line max-params -- one record of the store, and its lifetime
  async #set(
    { owner, key }: StoredSession,
    part: string,
    value: unknown,
    options: Lifetime = {},
  ): Promise<boolean> {
    const { ttlMs = this.#ttlMs, ...rest } = options;
    const text = JSON.stringify(value);
    return this.#within(async () => this.#store.set(owner, at(key, part), text, { ttlMs, ...rest }));
  }

  #delete({ owner, key }: StoredSession, part: string): Promise<void> {
    return this.#within(async () => this.#store.delete(owner, at(key, part)));
  }

  #within<TValue>(run: () => Promise<TValue>): Promise<TValue> {
    return withinTime(run(), { clock: this.#clock, ms: STORE_MS });
  }
}

function at(key: string, part: string): string {
  return `session:${key}:${part}`;
}

/** A value that is not JSON counts as missing: stores may be shared with other programs. */
function parse(stored: unknown): unknown {
  try {
    return typeof stored === 'string' ? JSON.parse(stored) : undefined;
  } catch {
    return undefined;
  }
}
