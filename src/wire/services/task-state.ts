import type { TaskRecord } from '../../stores/task-store.ts';

/** A task as clients see it: without its owner, and without the members that only `tasks/get` returns. */
export function taskStateOf(record: TaskRecord): Readonly<Record<string, unknown>> {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = record;
  return {
    taskId,
    status,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttlMs,
    pollIntervalMs,
  };
}

/** A task with its input requests or its result. */
export function wholeTaskOf(record: TaskRecord): Readonly<Record<string, unknown>> {
  const { inputRequests, result, error } = record;
  return {
    ...taskStateOf(record),
    ...(inputRequests === undefined ? {} : { inputRequests }),
    ...(result === undefined ? {} : { result: { resultType: 'complete', ...result } }),
    ...(error === undefined ? {} : { error }),
  };
}
