import type { ProgressUpdate } from '../middleware/context.ts';
import type { ClientDescription, Dialogue } from '../middleware/dialogue.ts';
import type { TaskError, TaskRecord } from '../stores/task-store.ts';

/** Properties of every new task. */
export interface TaskBeginning {
  /** Opaque key of the caller who owns the task. */
  readonly owner: string;
  /** Whether the caller is anonymous: only the total limit applies. */
  readonly isAnonymous?: boolean;
  readonly pollIntervalMs: number;
  readonly client: ClientDescription;
  /** Recorded steps of a handler that ran before the task began. */
  readonly earlier?: Pick<Dialogue, 'recall'>;
}

/** A call that begins as a task. */
export interface NewTask extends TaskBeginning {
  /** Runs the call. */
  readonly run: (around: TaskSurroundings) => Promise<TaskEnd>;
  /** Encrypts the call for a worker process that runs it instead. */
  readonly toWork: (taskId: string) => Promise<string>;
}

/** A running call that becomes a task. */
export interface AdoptableTask extends TaskBeginning {
  /** Cancels the call. */
  readonly abort: (reason: unknown) => void;
  /** Outcome of the call. */
  readonly end: Promise<TaskEnd>;
}

/** Dialogue and cancellation of a call that runs as a task. */
export interface TaskSurroundings {
  readonly dialogue: Dialogue;
  readonly signal: AbortSignal;
  readonly onProgress: (update: ProgressUpdate) => void;
}

/** Continuation of a call once it is a task. */
export interface AdoptedTask {
  readonly record: TaskRecord;
  readonly dialogue: Pick<Dialogue, 'put'>;
  readonly onProgress: (update: ProgressUpdate) => void;
}

/** Outcome of a call. */
export type TaskEnd =
  /** Also a result with `isError`: in the protocol such a task is completed. */
  | { readonly kind: 'result'; readonly result: object }
  | { readonly kind: 'error'; readonly error: TaskError };
