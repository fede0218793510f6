import { JSON_RPC_INTERNAL_ERROR } from '../errors/codes.ts';
import type { TaskRecord } from '../stores/task-store.ts';
import type { TaskBeginning, TaskEnd } from './new-task.ts';

/** The parts of a task that come and go. */
export type TaskState = Pick<TaskRecord, 'status' | 'statusMessage' | 'inputRequests' | 'result' | 'error'>;

/** What a client is told of a task that somebody has stopped. */
export const CANCELLED_MESSAGE = 'The task was cancelled.';

/** Whatever went wrong inside, the client learns no more than this. */
export const INTERNAL_FAILURE: TaskEnd = {
  kind: 'error',
  error: { code: JSON_RPC_INTERNAL_ERROR, message: 'Internal error' },
};

export function newRecord(taskId: string, { owner, pollIntervalMs }: TaskBeginning, now: number): TaskRecord {
  const createdAt = toIso(now);
  return {
    taskId,
    owner,
    status: 'working',
    createdAt,
    lastUpdatedAt: createdAt,
    ttlMs: null,
    pollIntervalMs,
  };
}

/** The task in another state; nothing of the state before is left. */
export function withState(record: TaskRecord, state: TaskState, now: number): TaskRecord {
  const { taskId, owner, createdAt, ttlMs, pollIntervalMs } = record;
  return { taskId, owner, createdAt, lastUpdatedAt: toIso(now), ttlMs, pollIntervalMs, ...state };
}

/** The end of a task. The protocol counts from its creation, and we keep it for a time after its end. */
export function withTtl(ended: TaskRecord, keptMs: number): TaskRecord {
  const tookMs = Date.parse(ended.lastUpdatedAt) - Date.parse(ended.createdAt);
  return { ...ended, ttlMs: Math.max(0, tookMs) + keptMs };
}

/** What came of a call, as the state of its task. */
export function toState(end: TaskEnd): TaskState {
  if (end.kind === 'result') return { status: 'completed', result: end.result };
  return { status: 'failed', statusMessage: end.error.message, error: end.error };
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
