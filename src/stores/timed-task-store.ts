import { isPromiseLike } from '../schema/validated.ts';
import type { MaybePromise } from '../schema/validated.ts';
import type { Clock } from './clock.ts';
import type { TaskStore } from './task-store.ts';
import { withinTime } from './within-time.ts';

/** A store whose answers are waited for only so long; one that takes longer has failed. */
export function limitTaskStore(store: TaskStore, clock: Clock, ms: number): TaskStore {
  const limit = <TValue>(answer: MaybePromise<TValue>): MaybePromise<TValue> =>
    isPromiseLike(answer) ? withinTime(answer, clock, ms) : answer;
  return {
    put: (record) => limit(store.put(record)),
    get: (taskId) => limit(store.get(taskId)),
    delete: (taskId) => limit(store.delete(taskId)),
  };
}
