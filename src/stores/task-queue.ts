/** One leg of a task: a run of its handler, until the handler ends or asks the client. The call itself is in the record of the task. */
export interface TaskJob {
  readonly taskId: string;
  /** Number of the leg; the first is 1. */
  readonly leg: number;
}

/** The claim of a worker on a job. */
export interface TaskLease {
  /** Aborted when another worker may run the job, because the claim could not be renewed. */
  readonly signal: AbortSignal;
  /** Number of workers that began the job before and did not finish it. */
  readonly lostWorkers: number;
  /** Notes that this worker begins the job: from now on it counts, should it be lost. */
  readonly begin: () => Promise<void>;
}

/** Options of a worker. */
export interface TaskWorkerOptions {
  /** Maximum number of jobs that run at the same time. */
  readonly concurrency: number;
  /** Runs a job. If the promise rejects, the job is run again later. */
  readonly run: (job: TaskJob, lease: TaskLease) => Promise<void>;
}

/** Runs jobs in this process. */
export interface QueueWorker {
  /** Resolves when the worker takes jobs. */
  readonly ready: Promise<void>;
  /** Takes no further jobs, and resolves when the running ones have ended, or after {@link QueueWorker.kill}. */
  close(): Promise<void>;
  /** Waits no longer: other workers take the running jobs when their leases have expired. */
  kill(): void;
}

/** A counted task of an owner. */
export interface ClaimedTask {
  readonly taskId: string;
  /** Time since the task was counted, in milliseconds. */
  readonly ageMs: number;
}

/** Hands tasks to worker processes. `server` is the name of the server: workers of one server do not take jobs of another. */
export interface TaskQueue {
  /** Whether the queue takes further tasks. */
  hasRoom(server: string): Promise<boolean>;
  /** Adds a job, to be run after a delay. A job that is already there is not added again. Rejects if the job may not have been stored. */
  add(server: string, job: TaskJob, delayMs?: number): Promise<void>;
  /** Whether a job waits or runs. */
  has(server: string, job: TaskJob): Promise<boolean>;
  /** Runs a delayed job now; adds it if it is missing. False if it was not delayed. */
  promote(server: string, job: TaskJob): Promise<boolean>;
  /** Removes a job, unless it runs. */
  remove(server: string, job: TaskJob): Promise<void>;
  /** Keeps input responses of a task, encrypted, until its next leg reads them. */
  post(taskId: string, sealed: string): Promise<void>;
  /** All input responses of a task, in the order in which they were posted. */
  findPosted(taskId: string): Promise<readonly string[]>;
  /** Forgets the input responses of a task that has ended. */
  forget(taskId: string): Promise<void>;
  /** Counts a task of an owner until it is released; false if the owner has `max` tasks. */
  claim(owner: string, taskId: string, max: number): Promise<boolean>;
  /** Counted tasks of an owner. */
  findClaimed(owner: string): Promise<readonly ClaimedTask[]>;
  /** Counts tasks of an owner no longer. */
  release(owner: string, taskIds: readonly string[]): Promise<void>;
  /** Starts to run jobs in this process. */
  work(server: string, options: TaskWorkerOptions): QueueWorker;
}
