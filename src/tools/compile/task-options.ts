import { assertKnown } from '../../errors/assert-known.ts';
import { DefinitionError } from '../../errors/errors.ts';
import type { CompiledTaskOptions } from '../../pipeline/tool/compiled-tool.ts';
import type { AnyToolDefinition, TaskOptions } from '../tool-definition.ts';

/** What holds for tasks where nothing else is said. */
const DEFAULTS = { start: 'call', timeoutMs: 3_600_000, pollIntervalMs: 1000 } as const;

/** Timers can wait no longer. */
const MAX_TASK_MS = 2_147_483_647;

/** How a tool runs as a task. */
export function compileTaskOptions({
  name,
  task,
}: AnyToolDefinition<never>): CompiledTaskOptions | undefined {
  if (task === undefined) return undefined;
  const options: TaskOptions = typeof task === 'string' ? { support: task } : task;
  const owner = `Tool "${name}": task`;
  assertKnown(owner, options, ['support', 'start', 'timeoutMs', 'pollIntervalMs']);
  const compiled = { ...DEFAULTS, ...options };
  if (!['optional', 'required'].includes(compiled.support)) {
    throw new DefinitionError(
      `${owner} must be 'optional' or 'required', or an object with that as its support.`,
    );
  }
  if (!['call', 'handler'].includes(compiled.start)) {
    throw new DefinitionError(`${owner}.start must be 'call' or 'handler'.`);
  }
  for (const key of ['timeoutMs', 'pollIntervalMs'] as const) {
    const value = compiled[key];
    if (!Number.isInteger(value) || value < 1 || value > MAX_TASK_MS)
      throw new DefinitionError(
        `${owner}.${key} must be a whole number of milliseconds from 1 to ${MAX_TASK_MS}.`,
      );
  }
  return compiled;
}
