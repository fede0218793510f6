import { CallRefusedError } from '../../errors/errors.ts';
import type { Cancellation } from '../../base/time/cancellation.ts';
import { toCancelled } from './until-cancelled.ts';

/** Options of {@link WaitingLines}. */
interface WaitingLinesOptions {
  /** Maximum number of concurrent works per key. */
  readonly limit: number;
  /** Maximum number of waiting works per key. */
  readonly maxWaiting: number;
}

/** Maximum number of waiting works for all keys, so that many keys cannot fill the memory. */
const MAX_WAITING_IN_ALL = 10_000;

interface Line {
  running: number;
  /** Start functions of the waiting works, in order of arrival. */
  readonly waiting: Set<() => void>;
}

/**
 * Limits concurrent work per key; further work waits in a queue. A freed slot passes directly to the first in the queue, which starts in
 * the same turn, so a slot never belongs to work that may still be cancelled. Cancelled work leaves the queue and holds no slot.
 */
export class WaitingLines {
  readonly #lines = new Map<string, Line>();
  readonly #options: WaitingLinesOptions;
  #waiting = 0;

  constructor(options: WaitingLinesOptions) {
    this.#options = options;
  }

  /** Number of keys with running or waiting work. */
  get keys(): number {
    return this.#lines.size;
  }

  /** Runs the work when a slot is free. */
  run<TResult>(key: string, cancellation: Cancellation, work: () => Promise<TResult>): Promise<TResult> {
    if (cancellation.isCancelled) return Promise.reject(toCancelled(cancellation));
    const line = this.#lines.get(key) ?? { running: 0, waiting: new Set() };
    this.#lines.set(key, line);
    if (line.running < this.#options.limit) return this.#start(key, line, work);
    if (line.waiting.size >= this.#options.maxWaiting || this.#waiting >= MAX_WAITING_IN_ALL) {
      return Promise.reject(
        new CallRefusedError('BUSY', 'Too many calls are already running or waiting. Try again in a moment.'),
      );
    }
    return new Promise((resolve, reject) => {
      const start = (): void => {
        leave();
        this.#start(key, line, work).then(resolve, reject);
      };
      const onCancel = (): void => {
        leave();
        reject(toCancelled(cancellation));
      };
      const leave = (): void => {
        cancellation.offCancel(onCancel);
        line.waiting.delete(start);
        this.#waiting -= 1;
      };
      cancellation.onCancel(onCancel);
      line.waiting.add(start);
      this.#waiting += 1;
    });
  }

  #start<TResult>(key: string, line: Line, work: () => Promise<TResult>): Promise<TResult> {
    line.running += 1;
    // Through an async function, so that work that throws synchronously also frees its slot.
    const running = (async () => work())();
    const release = (): void => this.#release(key, line);
    running.then(release, release);
    return running;
  }

  #release(key: string, line: Line): void {
    line.running -= 1;
    for (const start of line.waiting) return start();
    if (line.running === 0) this.#lines.delete(key);
  }
}
