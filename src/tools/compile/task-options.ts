import { assertOptions, MAX_TIMER_MS, oneOf, required, wholeNumber } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import type { CompiledTaskOptions } from '../../pipeline/tool/compiled-tool.ts';
import type { AnyToolDefinition, TaskOptions } from '../tool-definition.ts';

const OPTIONS: Rules<keyof TaskOptions> = {
  support: required(oneOf('optional', 'required')),
  start: oneOf('call', 'handler'),
  timeoutMs: wholeNumber(1, MAX_TIMER_MS),
  pollIntervalMs: wholeNumber(1, MAX_TIMER_MS),
  retries: wholeNumber(0),
};

/** Task options of a tool, with defaults. */
export function compileTaskOptions({
  name,
  task,
}: AnyToolDefinition<never>): CompiledTaskOptions | undefined {
  if (task === undefined) return undefined;
  const options: TaskOptions = typeof task === 'string' ? { support: task } : task;
  assertOptions(`Tool "${name}"`, options, OPTIONS, 'task');
  const { support, start = 'call', timeoutMs = 3_600_000, pollIntervalMs = 1000, retries = 0 } = options;
  return { support, start, timeoutMs, pollIntervalMs, retries };
}
