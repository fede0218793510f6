import { assertValues, MAX_TIMER_MS, wholeNumber } from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import type { Logger } from '../errors/logger.ts';
import { shieldLogger } from '../errors/shielded-logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { TaskStore } from '../stores/task-store.ts';
import type { QueueOfServer } from './queued-tasks.ts';
import { createId } from '../base/random-id.ts';

/** Options of `TaskRunner`. */
export interface TaskRunnerOptions {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Time a task is kept after its end, in milliseconds; at least 1,000. Default: 3,600,000 (1 hour). */
  readonly ttlMs?: number;
  /** Maximum number of running tasks. A cancelled task counts until its handler has ended. Default: 1,000. */
  readonly maxRunning?: number;
  /** Maximum number of running tasks per owner. Default: 100. */
  readonly maxRunningPerOwner?: number;
  /** Time that a task waits for the client's input, in milliseconds; then the request fails in the handler. Default: 3,600,000 (1 hour). */
  readonly answerWithinMs?: number;
  /** Creates unguessable ids. Default: 128 random bits. */
  readonly createId?: () => string;
  /** Calls the listener with the id of each task that any machine has cancelled. The returned function unsubscribes. */
  readonly followCancels?: (listener: (taskId: string) => void) => () => void;
  /** Hands tasks to worker processes. Default: they run in this process. */
  readonly queued?: QueueOfServer | undefined;
}

const DEFAULTS = {
  ttlMs: 3_600_000,
  maxRunning: 1000,
  maxRunningPerOwner: 100,
  answerWithinMs: 3_600_000,
  createId,
  followCancels: () => () => {},
  queued: undefined,
};

const RULES: Rules = {
  ttlMs: wholeNumber(1000, MAX_TIMER_MS),
  maxRunning: wholeNumber(1, MAX_TIMER_MS),
  maxRunningPerOwner: wholeNumber(1, MAX_TIMER_MS),
  answerWithinMs: wholeNumber(1, MAX_TIMER_MS),
};

/** Options with their defaults. */
export function compileRunnerOptions(options: TaskRunnerOptions): Required<TaskRunnerOptions> {
  assertValues('Tasks', options, RULES);
  return { ...DEFAULTS, ...options, logger: shieldLogger(options.logger) };
}
