import { JSON_RPC_INTERNAL_ERROR } from '../errors/codes.ts';
import { CallRefusedError } from '../errors/errors.ts';
import type { TaskRecord } from '../stores/task-store.ts';
import type { TaskBeginning, TaskEnd } from './new-task.ts';

/** The changing parts of a task. */
export type TaskState = Pick<
  TaskRecord,
  'status' | 'statusMessage' | 'inputRequests' | 'result' | 'error' | 'leg' | 'work'
>;

/** Status message of a cancelled task. */
export const CANCELLED_MESSAGE = 'The task was cancelled.';

/** Outcome of a task after an internal error; details are only logged. */
export const INTERNAL_FAILURE: TaskEnd = {
  kind: 'error',
  error: { code: JSON_RPC_INTERNAL_ERROR, message: 'Internal error' },
};

/** The end of a task whose state the store never accepts, such as a result that is too large; undefined if another attempt may succeed. */
export function findRejectedEnd(error: unknown): TaskEnd | undefined {
  if (!(error instanceof CallRefusedError) || error.code === 'BUSY') return undefined;
  const { code, message } = error;
  return { kind: 'error', error: { code: JSON_RPC_INTERNAL_ERROR, message, data: { code } } };
}

export function newRecord(
  taskId: string,
  { owner, pollIntervalMs }: Pick<TaskBeginning, 'owner' | 'pollIntervalMs'>,
  now: number,
): TaskRecord {
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

/** The task in a new state, which replaces the previous one completely. */
export function withState(record: TaskRecord, state: TaskState, now: number): TaskRecord {
  const { taskId, owner, createdAt, ttlMs, pollIntervalMs } = record;
  return { taskId, owner, createdAt, lastUpdatedAt: toIso(now), ttlMs, pollIntervalMs, ...state };
}

/** Sets `ttlMs` of a finished task. The protocol counts from creation, the option from the end. */
export function withTtl(ended: TaskRecord, keptMs: number): TaskRecord {
  const tookMs = Date.parse(ended.lastUpdatedAt) - Date.parse(ended.createdAt);
  return { ...ended, ttlMs: Math.max(0, tookMs) + keptMs };
}

/** Converts the outcome of a call to the state of its task. */
export function toState(end: TaskEnd): TaskState {
  if (end.kind === 'result') return { status: 'completed', result: end.result };
  return { status: 'failed', statusMessage: end.error.message, error: end.error };
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
