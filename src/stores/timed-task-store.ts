import { isPromiseLike } from '../base/maybe-promise.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Clock } from '../base/time/clock.ts';
import type { TaskStore } from './task-store.ts';
import { withinTime } from '../base/time/within-time.ts';

/** Wraps a task store with a timeout; a call that takes longer fails. */
export function limitTaskStore(store: TaskStore, clock: Clock, ms: number): TaskStore {
  const limit = <TValue>(answer: MaybePromise<TValue>): MaybePromise<TValue> =>
    isPromiseLike(answer) ? withinTime(answer, { clock, ms }) : answer;
  return {
    put: (record) => limit(store.put(record)),
    get: (taskId) => limit(store.get(taskId)),
    delete: (taskId) => limit(store.delete(taskId)),
  };
}
