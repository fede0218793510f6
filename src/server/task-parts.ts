import type { MemoryBudget } from '../base/memory/memory-budget.ts';
import type { Clock } from '../base/time/clock.ts';
import { DefinitionError } from '../errors/errors.ts';
import type { KeyRing } from '../stores/sealing/key-ring.ts';
import { MemoryTaskStore } from '../stores/task-store.ts';
import type { QueueOfServer } from '../tasks/queued-tasks.ts';
import type { TaskRunnerOptions } from '../tasks/runner-options.ts';
import type { LegSealer } from '../wire/dialogues/leg-work.ts';
import { runLeg } from '../wire/legs/run-leg.ts';
import type { TaskWork } from '../wire/served/served.ts';
import type { Services } from '../wire/services/services.ts';
import type { ServerOptions } from './server-options.ts';

type Options = Pick<ServerOptions, 'name' | 'taskQueue' | 'taskStore'>;

/** The task queue of a server. Throws if worker processes could not find or decrypt its tasks. */
export function toQueue(
  { name, taskQueue, taskStore }: Options,
  keys: KeyRing,
  legs: LegSealer,
): QueueOfServer | undefined {
  if (taskQueue === undefined) return undefined;
  if (taskStore === undefined || taskStore instanceof MemoryTaskStore)
    throw new DefinitionError(
      'createServer: taskQueue requires a taskStore that all processes share, and the tasks are stored in memory. Pass taskStore: redisStores(client).tasks of toolwright/redis.',
      { option: 'taskStore' },
    );
  if (keys.isRandom)
    throw new DefinitionError(
      'createServer: taskQueue requires requestStateKeys, with the same secrets in all processes: they encrypt the tasks. Pass an array of secrets of at least 32 characters each.',
      { option: 'requestStateKeys' },
    );
  const seal: QueueOfServer['seal'] = (taskId, responses) => legs.sealResponses(taskId, responses);
  return { queue: taskQueue, server: name, seal };
}

/** Task results may use half of the memory budget; the other half stays free for calls. */
export function toTaskStore(memory: MemoryBudget, clock: Clock): MemoryTaskStore {
  const store = new MemoryTaskStore({
    clock,
    maxBytes: memory.maxBytes / 2,
    onBytes: (change) => memory.add(change),
  });
  memory.onPressure('expired', () => store.dropExpired());
  return store;
}

/** Calls a listener with the id of each task that any machine has cancelled. */
export function followCancels(bus: Services['bus']): Required<TaskRunnerOptions>['followCancels'] {
  return (listener) =>
    bus.subscribe((event) => {
      if (event.kind === 'task' && event.task['status'] === 'cancelled')
        listener(String(event.task['taskId']));
    });
}

/** Starts to run tasks of the queue in this process. */
export function startLegs(services: Services, queued: QueueOfServer, concurrency: number): TaskWork {
  const legs = services.tasks.work(queued, { concurrency, runLeg: (leg) => runLeg(services, leg) });
  const release = followCancels(services.bus)((taskId) => legs.cancel(taskId));
  return {
    ready: legs.ready,
    close: async (withinMs) => {
      await legs.close(withinMs);
      release();
    },
  };
}
