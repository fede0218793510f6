import type { RedisConnection } from './connection/redis-connection.ts';
import { retryDelayMs } from './connection/redis-driver.ts';
import type { RedisLink } from './connection/redis-link.ts';
import { isAfter, toEntries, toReadEntries } from './stream-entries.ts';
import type { StreamEntry } from './stream-entries.ts';

/** Time that Redis waits for a new entry. A connection without a reply after it, and a timeout, is lost. */
const BLOCK_MS = 1000;

/** Maximum number of entries in one reply. */
const COUNT = 100;

/** Callbacks of a reader. */
export interface EventReaderOptions {
  readonly onEntry: (entry: StreamEntry) => void;
  /** Entries may have been missed that Redis does not have any more. */
  readonly onGap: () => void;
}

/**
 * Follows a Redis stream from its present end, over a connection of its own. After the connection was lost, it goes on behind the last entry
 * that was read. If that entry is gone, because it was trimmed or Redis lost its data, it reports a gap.
 */
export class EventReader {
  readonly #connection: RedisConnection;
  readonly #key: string;
  readonly #options: EventReaderOptions;
  #link: RedisLink | undefined;
  #cancelPause: () => void = () => {};
  /** Id of the last entry that was read; undefined until Redis was reached. */
  #last: string | undefined;
  /** Whether entries may have been missed. */
  #isUnsure = false;
  #isStopped = false;

  constructor(connection: RedisConnection, key: string, options: EventReaderOptions) {
    this.#connection = connection;
    this.#key = key;
    this.#options = options;
    void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelPause();
    this.#link?.close();
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#isStopped; failures += 1) {
      const link = this.#connection.openLink();
      this.#link = link;
      try {
        await this.#findPlace(link);
        failures = 0;
        for (;;) await this.#read(link);
      } catch {
        this.#isUnsure = true;
      }
      link.close();
      if (!this.#isStopped) await this.#pause(retryDelayMs(failures));
    }
  }

  async #read(link: RedisLink): Promise<void> {
    const last = this.#last ?? '0-0';
    const command = ['XREAD', 'COUNT', String(COUNT), 'BLOCK', String(BLOCK_MS), 'STREAMS', this.#key, last];
    const entries = toReadEntries(await this.#send(link, command, BLOCK_MS));
    if (this.#isStopped) throw new Error('stopped');
    for (const entry of entries) {
      this.#last = entry.id;
      this.#options.onEntry(entry);
    }
    // Further entries may be trimmed before they are read.
    if (entries.length === COUNT) await this.#findPlace(link, true);
  }

  /** Finds the place in the stream from which to read. */
  async #findPlace(link: RedisLink, isBehind = false): Promise<void> {
    const newest = await this.#newest(link);
    const isLost = this.#last !== undefined && (this.#isUnsure || isBehind) && !(await this.#hasLast(link));
    const isLate = this.#last === undefined && this.#isUnsure;
    // After a restart without its data, or with another clock, new ids may be smaller than the last one.
    if (this.#last === undefined) this.#last = newest;
    else if (isAfter(this.#last, newest)) this.#last = '0-0';
    if (this.#isUnsure) this.#connection.wake();
    this.#isUnsure = false;
    if (isLost || isLate) this.#options.onGap();
  }

  async #newest(link: RedisLink): Promise<string> {
    const reply = await this.#send(link, ['XREVRANGE', this.#key, '+', '-', 'COUNT', '1']);
    return toEntries(reply)[0]?.id ?? '0-0';
  }

  async #hasLast(link: RedisLink): Promise<boolean> {
    const last = this.#last ?? '0-0';
    return toEntries(await this.#send(link, ['XRANGE', this.#key, last, last])).length > 0;
  }

  #send(link: RedisLink, command: readonly string[], blockMs = 0): Promise<unknown> {
    return link.send(this.#key, command, blockMs + this.#connection.timeoutMs);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#connection.clock.schedule(resolve, ms, true);
      this.#cancelPause = () => {
        cancel();
        resolve();
      };
    });
  }
}
