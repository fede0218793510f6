import { assertValues, MAX_TIMER_MS, wholeNumber } from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import type { Logger } from '../errors/logger.ts';
import { shieldLogger } from '../errors/shielded-logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { TaskStore } from '../stores/task-store.ts';
import { createId } from '../base/random-id.ts';

/** Options of `TaskRunner`. */
export interface TaskRunnerOptions {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long a task is kept after its end, at least a second. Default: an hour. */
  readonly ttlMs?: number;
  /** How many tasks may run at once. One that was cancelled counts until its work has stopped. Default: 1,000. */
  readonly maxRunning?: number;
  /** How many of them may be of one owner. Default: 100. */
  readonly maxRunningPerOwner?: number;
  /** How long a question of a task waits for its answer; then it is refused, and the handler goes on with that. Default: an hour. */
  readonly answerWithinMs?: number;
  /** Makes ids that cannot be guessed. Default: 128 random bits. */
  readonly createId?: () => string;
}

const DEFAULTS = {
  ttlMs: 3_600_000,
  maxRunning: 1000,
  maxRunningPerOwner: 100,
  answerWithinMs: 3_600_000,
  createId,
};

const RULES: Rules = {
  ttlMs: wholeNumber(1000, MAX_TIMER_MS),
  maxRunning: wholeNumber(1, MAX_TIMER_MS),
  maxRunningPerOwner: wholeNumber(1, MAX_TIMER_MS),
  answerWithinMs: wholeNumber(1, MAX_TIMER_MS),
};

/** The options with everything filled in. */
export function compileRunnerOptions(options: TaskRunnerOptions): Required<TaskRunnerOptions> {
  assertValues('Tasks', options, RULES);
  return { ...DEFAULTS, ...options, logger: shieldLogger(options.logger) };
}
