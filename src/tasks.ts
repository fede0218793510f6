/** `toolwright/tasks`: runs tasks in worker processes. Needs Node.js, Redis, and the packages `bullmq` and `ioredis`. */
export { BullMqTaskQueue } from './stores/bullmq/bullmq-task-queue.ts';
export type { BullMqTaskQueueOptions } from './stores/bullmq/bullmq-task-queue.ts';
export { startTaskWorker } from './server/start-task-worker.ts';
export type { RunningTaskWorker, TaskWorkerSettings } from './server/start-task-worker.ts';
export type {
  ClaimedTask,
  QueueWorker,
  TaskJob,
  TaskLease,
  TaskQueue,
  TaskWorkerOptions,
} from './stores/task-queue.ts';
