import { nextTurn } from '../../../base/next-turn.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { RedisDriver } from './redis-driver.ts';

/** Redis did not reply in time, or cannot be reached. */
export class RedisUnavailableError extends Error {}

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
    return this.#limit(timeoutMs, async () => {
      if (this.#state === 'connecting') await this.#whenConnected();
      if (this.#state === 'closed' || !this.#driver.isReady())
        throw new RedisUnavailableError('Redis is not connected.');
      return run();
    });
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

  #whenConnected(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
    });
  }

  #limit<TResult>(timeoutMs: number, run: () => Promise<TResult>): Promise<TResult> {
    return new Promise((resolve, reject) => {
      let isSettled = false;
      const settle = (report: () => void): void => {
        if (isSettled) return;
        isSettled = true;
        cancel();
        report();
      };
      const giveUp = (): void =>
        settle(() => reject(new RedisUnavailableError(`Redis did not reply within ${timeoutMs} ms.`)));
      // defence: timeout-of-a-command
      // After a busy turn of this process, the timer is due before a reply that has already arrived is read.
      const cancel = this.#clock.schedule(() => void nextTurn().then(giveUp), timeoutMs);
      run().then(
        (value) => settle(() => resolve(value)),
        (error: unknown) => settle(() => reject(error instanceof Error ? error : new Error(String(error)))),
      );
    });
  }
}
