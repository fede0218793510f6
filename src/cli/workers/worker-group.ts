import type { Clock } from '../../base/time/clock.ts';
import { EXIT_CODES } from '../terminal/command.ts';
import type { Serving } from './messages.ts';

/** One process of a group. */
export interface GroupWorker {
  /** Name for messages. */
  readonly name: string;
  /** Rejects with a {@link WorkerFailure}. */
  readonly ready: Promise<Serving>;
  /** Resolves with the reason when the process drains by itself, because of an error. Never rejects. */
  readonly leaving: Promise<string>;
  /** Resolves with the reason when the process has ended. Never rejects. */
  readonly ended: Promise<string>;
  /** Drains and ends the process. `isReplaced`: other workers go on serving. */
  readonly close: (isReplaced: boolean) => void;
  readonly kill: () => void;
}

/** A worker that could not serve. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure';
  /** Exit code of the command, if no worker serves. */
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/** Options of {@link WorkerGroup}. */
export interface WorkerGroupOptions {
  readonly count: number;
  readonly clock: Clock;
  readonly startWorker: () => GroupWorker;
  readonly say: (colour: 'dim' | 'green' | 'red' | 'yellow', what: string, text: string) => void;
  /** Called when no worker serves and none can be started. */
  readonly onGivenUp: (code: number) => void;
}

/** Limits of a group. */
const WORKER_LIMITS: Readonly<
  Record<'firstDelayMs' | 'maxDelayMs' | 'soundMs' | 'startMs' | 'endMs' | 'maxFailures', number>
> = {
  /** Delay of the second restart; it doubles with each further one. The first restart is immediate. */
  firstDelayMs: 500,
  maxDelayMs: 30_000,
  /** A worker that has served for this time was sound: the next restart is immediate again. */
  soundMs: 10_000,
  /** Time in which a worker must serve. */
  startMs: 60_000,
  /** Time in which a worker must end: longer than `readyDelayMs`, `drainMs` and the time for tasks together. */
  endMs: 20_000,
  /** Starts that may fail in a row while no worker serves. */
  maxFailures: 5,
};

/** Keeps several processes of one server running. */
export class WorkerGroup {
  readonly #options: WorkerGroupOptions;
  readonly #serving = new Set<GroupWorker>();
  /** Workers that are not ready yet. */
  readonly #starting = new Set<GroupWorker>();
  /** Workers that were told to end. */
  readonly #closing = new Set<GroupWorker>();
  readonly #timers = new Set<() => void>();
  #url: string | undefined;
  /** Restarts in a row without a sound worker. */
  #failures = 0;
  #isClosed = false;
  #replacing: Promise<void> | undefined;
  #replacesAgain = false;

  constructor(options: WorkerGroupOptions) {
    this.#options = options;
  }

  /** Starts all workers. If one of them cannot serve, ends the others and rejects with its {@link WorkerFailure}. */
  async begin(): Promise<Serving> {
    const { count } = this.#options;
    try {
      // The first alone: a mistake in the server is then reported once.
      const serving = await this.#start();
      await Promise.all(Array.from({ length: count - 1 }, () => this.#start()));
      return serving;
    } catch (error) {
      this.#isClosed = true;
      this.kill();
      throw error;
    }
  }

  /**
   * Replaces every worker by a new one, one after the other, which load the current files. A worker is closed only after another one serves.
   * If a new one cannot serve, the remaining ones stay.
   */
  replaceAll(): Promise<void> {
    if (this.#replacing !== undefined) {
      // Files may have changed since the running replacement read them.
      this.#replacesAgain = true;
      return this.#replacing;
    }
    this.#replacing = this.#replaceUntilCurrent().finally(() => {
      this.#replacing = undefined;
    });
    return this.#replacing;
  }

  /** Drains all workers, and waits until they have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    for (const worker of this.#starting) worker.kill();
    const all = [...this.#starting, ...this.#serving, ...this.#closing];
    await Promise.all(all.map((worker) => this.#end(worker, false)));
  }

  /** Ends all workers immediately. */
  kill(): void {
    for (const worker of [...this.#starting, ...this.#serving, ...this.#closing]) worker.kill();
  }

  async #replaceUntilCurrent(): Promise<void> {
    do {
      this.#replacesAgain = false;
      await this.#replaceEach([...this.#serving, ...this.#starting]);
    } while (this.#replacesAgain && !this.#isClosed);
  }

  async #replaceEach(old: readonly GroupWorker[]): Promise<void> {
    const { say } = this.#options;
    let replaced = 0;
    for (const worker of old) {
      if (this.#isClosed) return;
      // It may have read its files before they changed.
      if (this.#starting.has(worker)) await worker.ready.catch(() => {});
      // It has crashed meanwhile: its restart loads the current files too.
      if (!this.#serving.has(worker)) continue;
      try {
        const { name, version } = await this.#start();
        replaced += 1;
        say('green', 'replaced', `worker ${worker.name} (${replaced} of ${old.length}): ${name} ${version}`);
      } catch (error) {
        if (this.#isClosed) return;
        say('red', 'error', messageOf(error));
        const kept =
          replaced === 0
            ? 'The previous version continues to serve.'
            : `${replaced} of ${old.length} workers were replaced; the others continue to serve the previous version.`;
        say('yellow', 'kept', kept);
        return;
      }
      await this.#end(worker, true);
    }
  }

  async #end(worker: GroupWorker, isReplaced: boolean): Promise<void> {
    const { clock } = this.#options;
    this.#serving.delete(worker);
    this.#closing.add(worker);
    worker.close(isReplaced);
    const cancel = clock.schedule(() => worker.kill(), WORKER_LIMITS.endMs);
    await worker.ended;
    cancel();
    this.#closing.delete(worker);
  }

  /** Starts a worker. Rejects with its {@link WorkerFailure}. */
  async #start(): Promise<Serving> {
    const { clock, startWorker, say } = this.#options;
    const worker = startWorker();
    this.#starting.add(worker);
    let isLate = false;
    const cancel = clock.schedule(() => {
      isLate = true;
      worker.kill();
    }, WORKER_LIMITS.startMs);
    try {
      const serving = await worker.ready;
      if (this.#isClosed) throw new WorkerFailure('The command has ended.', 0);
      this.#serving.add(worker);
      void this.#watch(worker, clock.now());
      if (this.#url !== undefined && this.#url !== serving.url) say('green', 'serving', `at ${serving.url}`);
      this.#url = serving.url;
      return serving;
    } catch (error) {
      if (!isLate) throw error;
      throw new WorkerFailure(
        `The server did not start within ${WORKER_LIMITS.startMs / 1000} s. Look for a top-level await that does not settle.`,
        EXIT_CODES.unavailable.code,
      );
    } finally {
      cancel();
      this.#starting.delete(worker);
    }
  }

  /** Restarts a worker that ends unexpectedly. If it drains before, others take its place meanwhile. */
  async #watch(worker: GroupWorker, startedAt: number): Promise<void> {
    const reason = await Promise.race([worker.ended, worker.leaving]);
    if (!this.#serving.has(worker) || this.#isClosed) return;
    if (this.#options.clock.now() - startedAt >= WORKER_LIMITS.soundMs) this.#failures = 0;
    this.#options.say('red', 'ended', `worker ${worker.name}: ${reason}. ${this.#restart()}`);
    await this.#end(worker, true);
  }

  /** Schedules a restart. Returns a sentence about it. */
  #restart(): string {
    const { firstDelayMs, maxDelayMs } = WORKER_LIMITS;
    const delayMs = this.#failures === 0 ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** (this.#failures - 1));
    this.#failures += 1;
    const cancel = this.#options.clock.schedule(() => {
      this.#timers.delete(cancel);
      void this.#startAgain();
    }, delayMs);
    this.#timers.add(cancel);
    return delayMs === 0 ? 'Starting another one.' : `Starting another one in ${delayMs / 1000} s.`;
  }

  async #startAgain(): Promise<void> {
    const { say, onGivenUp } = this.#options;
    try {
      await this.#start();
    } catch (error) {
      if (this.#isClosed) return;
      say('red', 'error', messageOf(error));
      const { maxFailures } = WORKER_LIMITS;
      if (this.#serving.size > 0 || this.#failures < maxFailures)
        return say('dim', 'waiting', this.#restart());
      say('red', 'error', `No worker serves, and none could be started after ${maxFailures} attempts.`);
      onGivenUp(error instanceof WorkerFailure ? error.code : EXIT_CODES.unavailable.code);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
