import type { Clock } from '../../../base/time/clock.ts';
import { withinTime } from '../../../base/time/within-time.ts';
import type { RedisDriver } from './redis-driver.ts';

/** Redis did not reply in time, or cannot be reached. */
export class RedisUnavailableError extends Error {}

/** Whether an error reply says that the server has become a replica. Before Redis 7, the code is inside the error of a script. */
export function isFromReplica({ message }: Error): boolean {
  return /\bREADONLY\b/.test(message);
}

/** The reply of Redis, if it comes in time; otherwise rejects, and a later reply is dropped. */
export function withinReply<TReply>(reply: Promise<TReply>, clock: Clock, ms: number): Promise<TReply> {
  const toError = (): Error => new RedisUnavailableError(`Redis did not reply within ${ms} ms.`);
  return withinTime(reply, { clock, ms, toError });
}

/** One connection with a timeout for every command. */
export class RedisLink {
  readonly #driver: RedisDriver;
  readonly #clock: Clock;
  readonly #onReady: () => void;
  /** Pending waits for the first connection. */
  readonly #waiting = new Set<() => void>();
  #state: 'connecting' | 'connected' | 'closed' = 'connecting';

  constructor(driver: RedisDriver, clock: Clock, onReady: () => void = () => {}) {
    this.#driver = driver;
    this.#clock = clock;
    this.#onReady = onReady;
    driver.onReady(() => this.#enter('connected'));
    driver.connect().then(
      () => this.#enter('connected'),
      () => this.close(),
    );
  }

  /** Sends a command. Waits for the first connection; a lost connection fails immediately. */
  send(key: string, command: readonly string[], timeoutMs: number): Promise<unknown> {
    return this.within(timeoutMs, () => this.#driver.send(key, command));
  }

  /** Runs several commands within one timeout. */
  within<TResult>(timeoutMs: number, run: () => Promise<TResult>): Promise<TResult> {
    return withinReply(this.#runWhenReady(run), this.#clock, timeoutMs);
  }

  /** Sends a command within the timeout of {@link within}. */
  sendNow(key: string, command: readonly string[]): Promise<unknown> {
    return this.#driver.send(key, command);
  }

  close(): void {
    if (this.#state === 'closed') return;
    this.#enter('closed');
    this.#driver.close();
  }

  #enter(state: 'connected' | 'closed'): void {
    if (this.#state === 'closed') return;
    this.#state = state;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
    if (state === 'connected') this.#onReady();
  }

  async #runWhenReady<TResult>(run: () => Promise<TResult>): Promise<TResult> {
    if (this.#state === 'connecting') await new Promise<void>((resolve) => this.#waiting.add(resolve));
    if (this.#state === 'closed' || !this.#driver.isReady())
      throw new RedisUnavailableError('Redis is not connected.');
    return run();
  }
}
