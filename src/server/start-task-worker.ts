import { DefinitionError } from '../errors/errors.ts';
import { assertOptions, wholeNumber } from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import { toServed } from './to-served.ts';
import type { Servable } from './to-served.ts';

/** Options of {@link startTaskWorker}. */
export interface TaskWorkerSettings {
  /** Maximum number of tasks that run in this process at the same time. Default: 10. */
  readonly concurrency?: number;
  /** Time that `close` waits for running tasks, in milliseconds. Then their handlers are aborted, and other workers take the tasks. Default: 25,000. */
  readonly drainMs?: number;
}

/** A worker that runs tasks in this process. */
export interface RunningTaskWorker {
  /** Takes no further tasks, and waits for the running ones. Close the worker before its server. */
  close(): Promise<void>;
}

const OPTIONS: Rules<keyof TaskWorkerSettings> = { concurrency: wholeNumber(1), drainMs: wholeNumber(0) };

/**
 * Runs tasks of a server's queue in this process. Resolves when it is connected. `toolwright worker` does the same in a process of its own.
 *
 * @example
 * const worker = await startTaskWorker(server, { concurrency: 4 });
 * process.once('SIGTERM', () => void worker.close());
 */
export async function startTaskWorker<TContext extends object>(
  server: Servable<TContext>,
  settings: TaskWorkerSettings = {},
): Promise<RunningTaskWorker> {
  assertOptions('startTaskWorker', settings, OPTIONS);
  const { concurrency = 10, drainMs = 25_000 } = settings;
  const { startTaskWorker: start, introduction } = toServed(server);
  if (start === undefined)
    throw new DefinitionError(
      `Server "${introduction.info.name}" has no task queue: its tasks run in the process that receives the call. Pass taskQueue to createServer: taskQueue: new BullMqTaskQueue(redis).`,
      { option: 'taskQueue' },
    );
  const work = start(concurrency);
  try {
    await work.ready;
  } catch (error) {
    await work.close(0);
    throw error;
  }
  let closing: Promise<void> | undefined;
  return { close: () => (closing ??= work.close(drainMs)) };
}
