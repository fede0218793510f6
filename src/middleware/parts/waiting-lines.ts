import { CallRefusedError } from '../../errors/errors.ts';
import { toCancelled } from './abort.ts';

/** Options of {@link WaitingLines}. */
interface WaitingLinesOptions {
  /** How many run at once for one key. */
  readonly limit: number;
  /** How many wait for one key. */
  readonly maxWaiting: number;
}

/** How many wait for all keys together, so that inventing keys does not fill the memory. */
const MAX_WAITING_IN_ALL = 10_000;

interface Line {
  running: number;
  /** What starts each of those that wait, in the order in which they came. */
  readonly waiting: Set<() => void>;
}

/**
 * A bounded number of works at once for each key; the others wait in line. A slot goes from one that has ended straight to the first
 * in line, which starts in the same turn: there is no moment at which a slot belongs to somebody who may still go away. Whoever is
 * aborted while waiting leaves the line, and has no slot to give back.
 */
export class WaitingLines {
  readonly #lines = new Map<string, Line>();
  readonly #options: WaitingLinesOptions;
  #waiting = 0;

  constructor(options: WaitingLinesOptions) {
    this.#options = options;
  }

  /** For how many keys something is running or waiting. Others are forgotten. */
  get keys(): number {
    return this.#lines.size;
  }

  /** Runs the work as soon as it is its turn. */
  run<TResult>(key: string, signal: AbortSignal, work: () => Promise<TResult>): Promise<TResult> {
    if (signal.aborted) return Promise.reject(toCancelled(signal));
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
      const onAbort = (): void => {
        leave();
        reject(toCancelled(signal));
      };
      const leave = (): void => {
        signal.removeEventListener('abort', onAbort);
        line.waiting.delete(start);
        this.#waiting -= 1;
      };
      signal.addEventListener('abort', onAbort, { once: true });
      line.waiting.add(start);
      this.#waiting += 1;
    });
  }

  #start<TResult>(key: string, line: Line, work: () => Promise<TResult>): Promise<TResult> {
    line.running += 1;
    // Through an async function, so that work that throws at once gives its slot back too.
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
