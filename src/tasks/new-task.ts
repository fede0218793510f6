import type { ProgressUpdate } from '../middleware/context.ts';
import type { ClientDescription, Dialogue } from '../middleware/dialogue.ts';
import type { TaskError, TaskRecord } from '../stores/task-store.ts';

/** What every task begins with. */
export interface TaskBeginning {
  /** Whose it is: an opaque key of the caller. */
  readonly owner: string;
  /** Nobody in particular, who is many: only the limit for all holds. */
  readonly isAnonymous?: boolean;
  readonly pollIntervalMs: number;
  readonly client: ClientDescription;
  /** What was done before the task began, by a handler that asked first. */
  readonly earlier?: Pick<Dialogue, 'recall'>;
}

/** A call that begins as a task. */
export interface NewTask extends TaskBeginning {
  /** Runs the call. */
  readonly run: (around: TaskSurroundings) => Promise<TaskEnd>;
}

/** A call that is running already when it becomes a task. */
export interface AdoptableTask extends TaskBeginning {
  /** Stops the call. */
  readonly abort: (reason: unknown) => void;
  /** What will come of the call. */
  readonly end: Promise<TaskEnd>;
}

/** What a call that runs as a task is given. */
export interface TaskSurroundings {
  readonly dialogue: Dialogue;
  readonly signal: AbortSignal;
  readonly onProgress: (update: ProgressUpdate) => void;
}

/** What a call goes on with once it is a task. */
export interface AdoptedTask {
  readonly record: TaskRecord;
  readonly dialogue: Pick<Dialogue, 'put'>;
  readonly onProgress: (update: ProgressUpdate) => void;
}

/** What came of a call. */
export type TaskEnd =
  /** Also a result with `isError`: for the protocol such a task is completed. */
  | { readonly kind: 'result'; readonly result: object }
  | { readonly kind: 'error'; readonly error: TaskError };
