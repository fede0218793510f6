import { CallRefusedError, ToolwrightError } from '../errors/errors.ts';
import type { Clock } from '../base/time/clock.ts';
import { withinTime } from '../base/time/within-time.ts';
import type { RunningTask } from './running-task.ts';

/** Options of {@link RunningTasks}. */
export interface RunningTasksOptions {
  readonly maxRunning: number;
  readonly maxRunningPerOwner: number;
  /** Calls the listener with the id of each task that any machine has cancelled. */
  readonly followCancels: (listener: (taskId: string) => void) => () => void;
}

/** Tasks that run in this process. */
export class RunningTasks {
  readonly #tasks = new Map<string, RunningTask>();
  readonly #options: RunningTasksOptions;
  /** While tasks run. */
  #unfollow: (() => void) | undefined = undefined;
  #isClosed = false;
  #onEmpty: (() => void) | undefined = undefined;

  constructor(options: RunningTasksOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#tasks.size;
  }

  find(taskId: string): RunningTask | undefined {
    return this.#tasks.get(taskId);
  }

  /** Throws if the owner has reached the limit. */
  assertRoom({
    owner,
    isAnonymous = false,
  }: {
    readonly owner: string;
    readonly isAnonymous?: boolean;
  }): void {
    if (this.#isClosed) throw new ToolwrightError('SERVER_CLOSED', 'The server is closed.');
    const { maxRunning, maxRunningPerOwner } = this.#options;
    const own = Array.from(this.#tasks.values()).filter(({ record }) => record.owner === owner);
    if (this.#tasks.size >= maxRunning || (!isAnonymous && own.length >= maxRunningPerOwner))
      throw new CallRefusedError('BUSY', 'Too many tasks are running. Try again when one has ended.');
  }

  add(task: RunningTask): void {
    this.#tasks.set(task.record.taskId, task);
    this.#unfollow ??= this.#options.followCancels((taskId) => void this.find(taskId)?.look());
  }

  remove(task: RunningTask): void {
    this.#tasks.delete(task.record.taskId);
    if (this.#tasks.size > 0) return;
    this.#unfollow?.();
    this.#unfollow = undefined;
    this.#onEmpty?.();
  }

  /** Cancels all tasks and rejects new ones. Resolves when their handlers have ended, or after the timeout. */
  async close(message: string, clock: Clock, withinMs: number): Promise<void> {
    this.#isClosed = true;
    for (const task of this.#tasks.values()) task.cancel(message);
    if (this.#tasks.size === 0) return;
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    await withinTime(empty, { clock, ms: withinMs }).catch(() => {});
  }
}
