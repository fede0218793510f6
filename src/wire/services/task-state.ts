import type { TaskRecord } from '../../stores/task-store.ts';

/** A task as clients see it: without its owner, and without what only `tasks/get` tells. */
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

/** A task with what it waits for or what came of it. */
export function wholeTaskOf(record: TaskRecord): Readonly<Record<string, unknown>> {
  const { inputRequests, result, error } = record;
  return {
    ...taskStateOf(record),
    ...(inputRequests === undefined ? {} : { inputRequests }),
    ...(result === undefined ? {} : { result: { resultType: 'complete', ...result } }),
    ...(error === undefined ? {} : { error }),
  };
}
