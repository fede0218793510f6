import { describe, expect, test } from 'vitest';
import { followCancels } from '../../../src/server/task-parts.ts';
import { MemoryEventBus, MemoryTaskStore } from '../../../src/stores.ts';
import type { TaskStore } from '../../../src/stores.ts';
import { ServerEventBus } from '../../../src/stores/event-bus.ts';
import type { TaskSurroundings } from '../../../src/tasks/new-task.ts';
import type { TaskEnd } from '../../../src/tasks/task-runner.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { createBench, defer, HeldStore, question, taskOf, text, turn } from './bench.ts';

describe('cancelling a task', () => {
  test('ends it at once and stops its work', async () => {
    const { runner, clock } = createBench();
    const reasons: unknown[] = [];
    await runner.start(
      taskOf(({ signal }) => {
        signal.addEventListener('abort', () => reasons.push(signal.reason));
        return defer<TaskEnd>().promise;
      }),
    );
    clock.advance(1000);
    expect(await runner.cancel('t1', 'ada')).toBe(true);
    expect(await runner.get('t1', 'ada')).toEqual({
      taskId: 't1',
      owner: 'ada',
      status: 'cancelled',
      statusMessage: 'The task was cancelled.',
      createdAt: '1970-01-01T00:16:40.000Z',
      lastUpdatedAt: '1970-01-01T00:16:41.000Z',
      ttlMs: 3_601_000,
      pollIntervalMs: 500,
    });
    expect(reasons).toMatchObject([{ name: 'AbortError', message: 'The task was cancelled.' }]);
  });

  test('may be asked for again and again', async () => {
    const { runner, clock } = createBench();
    await runner.start(taskOf(() => defer<TaskEnd>().promise));
    await runner.cancel('t1', 'ada');
    const record = await runner.get('t1', 'ada');
    clock.advance(1000);
    expect(await runner.cancel('t1', 'ada')).toBe(true);
    expect(await runner.get('t1', 'ada')).toEqual(record);
  });

  test('changes nothing once the task has ended', async () => {
    const { runner } = createBench();
    await runner.start(taskOf(async () => text('done')));
    await turn();
    expect(await runner.cancel('t1', 'ada')).toBe(true);
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'completed' });
  });

  test.each([
    ['a result', (end: (value: TaskEnd) => void) => end(text('late'))],
    [
      'an error',
      (end: (value: TaskEnd) => void) => end({ kind: 'error', error: { code: -1, message: 'late' } }),
    ],
  ])('stands, also when %s comes late', async (_what, finish) => {
    const { runner } = createBench();
    const end = defer<TaskEnd>();
    await runner.start(taskOf(() => end.promise));
    await runner.cancel('t1', 'ada');
    const record = await runner.get('t1', 'ada');
    finish(end.resolve);
    await turn();
    expect(await runner.get('t1', 'ada')).toEqual(record);
    expect(record).toMatchObject({ status: 'cancelled' });
  });

  test('stays when the work rejects because of it, and is not logged', async () => {
    const { runner, entries } = createBench();
    await runner.start(
      taskOf(
        ({ signal }) =>
          new Promise<TaskEnd>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          }),
      ),
    );
    await runner.cancel('t1', 'ada');
    await turn();
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'cancelled' });
    expect(entries).toEqual([]);
  });

  test('comes too late for a result that is there but not yet written', async () => {
    const store = new HeldStore();
    const { runner } = createBench({ store });
    const started = runner.start(taskOf(async () => text('done')));
    await store.next();
    await started;
    expect(await runner.cancel('t1', 'ada')).toBe(true);
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'completed' });
    await store.next();
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'completed' });
    expect(store.puts.map(({ status }) => status)).toEqual(['working', 'completed']);
  });

  test('tells the questions that wait, after the signal', async () => {
    const { runner, clock } = createBench();
    const order: unknown[] = [];
    await runner.start(
      taskOf(async ({ dialogue, signal }) => {
        signal.addEventListener('abort', () => order.push('aborted'));
        const told = (error: unknown): unknown => order.push((error as Error).name);
        await Promise.all([
          dialogue.put('a', question('A?')).catch(told),
          dialogue.put('b', question('B?')).catch(told),
        ]);
        await dialogue.put('c', question('C?')).catch(told);
        return text('late');
      }),
    );
    await runner.cancel('t1', 'ada');
    const record = await runner.get('t1', 'ada');
    expect(record).toMatchObject({ status: 'cancelled' });
    expect(record).not.toHaveProperty('inputRequests');
    await turn();
    expect(order).toEqual(['aborted', 'AbortError', 'AbortError', 'AbortError']);
    expect(await runner.get('t1', 'ada')).toEqual(record);
    expect(clock.pending).toBe(0);
  });

  test('wins over an answer that is still being read', async () => {
    const { runner } = createBench();
    const slow = defer<void>();
    const answers: unknown[] = [];
    await runner.start(
      taskOf(async ({ dialogue }) => {
        const read = async (result: unknown): Promise<{ value: unknown }> => {
          await slow.promise;
          return { value: result };
        };
        answers.push(await dialogue.put('a', { ...question('A?'), read }));
        return text('late');
      }),
    );
    const update = runner.update('t1', 'ada', { a: 'x' });
    await turn();
    await runner.cancel('t1', 'ada');
    slow.resolve();
    expect(await update).toBe(true);
    await turn();
    expect(answers).toEqual([]);
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'cancelled' });
  });

  test('reaches a task without a running handler', async () => {
    const clock = new FakeClock();
    const store = new MemoryTaskStore({ clock });
    store.put({
      taskId: 'old',
      owner: 'ada',
      status: 'input_required',
      createdAt: '1970-01-01T00:16:39.000Z',
      lastUpdatedAt: '1970-01-01T00:16:39.000Z',
      ttlMs: null,
      pollIntervalMs: 500,
      inputRequests: { a: { method: 'roots/list', params: {} } },
    });
    const { runner } = createBench({ store, clock });
    const changes: string[] = [];
    runner.onChange(({ status }) => changes.push(status));
    expect(await runner.update('old', 'ada', { a: { roots: [] } })).toBe(true);
    expect(await runner.cancel('old', 'bob')).toBe(false);
    expect(await runner.cancel('old', 'ada')).toBe(true);
    expect(await runner.get('old', 'ada')).toEqual({
      taskId: 'old',
      owner: 'ada',
      status: 'cancelled',
      statusMessage: 'The task was cancelled.',
      createdAt: '1970-01-01T00:16:39.000Z',
      lastUpdatedAt: '1970-01-01T00:16:40.000Z',
      ttlMs: 3_601_000,
      pollIntervalMs: 500,
    });
    expect(changes).toEqual(['cancelled']);
  });

  test('on another machine is not undone by the one that works on it', async () => {
    const clock = new FakeClock();
    const store = new MemoryTaskStore({ clock });
    const [here, there] = [createBench({ store, clock }).runner, createBench({ store, clock }).runner];
    const changes: string[] = [];
    for (const runner of [here, there]) runner.onChange(({ status }) => changes.push(status));
    const end = defer<TaskEnd>();
    await here.start(taskOf(() => end.promise));
    expect(await there.cancel('t1', 'ada')).toBe(true);
    end.resolve(text('late'));
    await turn();
    expect(await here.get('t1', 'ada')).toMatchObject({ status: 'cancelled' });
    expect(await there.get('t1', 'ada')).toMatchObject({ status: 'cancelled' });
    expect(changes).toEqual(['cancelled']);
  });

  test('on another machine aborts the handler: by the event, or without it by the next progress', async () => {
    const clock = new FakeClock();
    const store = new MemoryTaskStore({ clock });
    const bus = new ServerEventBus(new MemoryEventBus(), 'films');
    const there = createBench({ store, clock }).runner;
    there.onChange(({ owner, taskId, status }) => {
      void bus.publish({ kind: 'task', owner, task: { taskId, status } });
    });
    for (const [taskId, options] of [
      ['by-event', { followCancels: followCancels(bus) }],
      ['by-progress', {}],
    ] as const) {
      const { runner: here } = createBench({ store, clock, createId: () => taskId, ...options });
      const changes: string[] = [];
      here.onChange(({ status }) => changes.push(status));
      let call: TaskSurroundings | undefined;
      await here.start(taskOf((around) => ((call = around), defer<TaskEnd>().promise)));
      expect(await there.cancel(taskId, 'ada')).toBe(true);
      await turn();
      expect(call?.signal.aborted).toBe(taskId === 'by-event');
      call?.onProgress({ progress: 1, message: 'half' });
      await turn();
      expect(call?.signal.reason).toMatchObject({ name: 'AbortError', message: 'The task was cancelled.' });
      expect(await here.get(taskId, 'ada')).toEqual(await there.get(taskId, 'ada'));
      expect(changes).toEqual([]);
    }
  });

  test('that comes after the end of the task, on another machine, is not announced', async () => {
    const clock = new FakeClock();
    const store = new MemoryTaskStore({ clock });
    const here = createBench({ store, clock }).runner;
    const end = defer<TaskEnd>();
    await here.start(taskOf(() => end.promise));
    // The task ends after the other machine has read it.
    const late: TaskStore = {
      get: async (taskId) => {
        const record = store.get(taskId);
        end.resolve(text('done'));
        await turn();
        return record;
      },
      put: (record) => store.put(record),
      delete: (taskId) => store.delete(taskId),
    };
    const there = createBench({ store: late, clock }).runner;
    const changes: string[] = [];
    there.onChange(({ status }) => changes.push(status));
    expect(await there.cancel('t1', 'ada')).toBe(true);
    expect(changes).toEqual([]);
    expect(await there.get('t1', 'ada')).toMatchObject({ status: 'completed' });
  });
});

describe('closing a runner', () => {
  test('cancels what runs and waits until it has stopped', async () => {
    const { runner, clock } = createBench();
    const ends = [defer<TaskEnd>(), defer<TaskEnd>()] as const;
    const reasons: unknown[] = [];
    for (const { promise } of ends) {
      await runner.start(
        taskOf(({ signal }) => {
          signal.addEventListener('abort', () => reasons.push((signal.reason as Error).message));
          return promise;
        }),
      );
    }
    let isClosed = false;
    const closing = runner.close().then(() => (isClosed = true));
    expect(reasons).toEqual(['The server was closed.', 'The server was closed.']);
    ends[0].resolve(text('late'));
    await turn();
    expect(isClosed).toBe(false);
    ends[1].resolve(text('late'));
    await closing;
    expect(clock.pending).toBe(0);
    expect(await runner.get('t1', 'ada')).toMatchObject({
      status: 'cancelled',
      statusMessage: 'The server was closed.',
    });
  });

  test('waits for the store', async () => {
    const store = new HeldStore();
    const { runner } = createBench({ store });
    const started = runner.start(taskOf(async () => text('done')));
    await store.next();
    await started;
    await turn();
    let isClosed = false;
    const closing = runner.close().then(() => (isClosed = true));
    await turn();
    expect(isClosed).toBe(false);
    await store.next();
    await closing;
    expect(store.get('t1')).toMatchObject({ status: 'completed' });
  });

  test('does not wait for ever', async () => {
    const { runner, clock, entries } = createBench();
    await runner.start(taskOf(() => defer<TaskEnd>().promise));
    let isClosed = false;
    const closing = runner.close().then(() => (isClosed = true));
    clock.advance(4999);
    await turn();
    expect(isClosed).toBe(false);
    clock.advance(1);
    await closing;
    expect(entries).toEqual([
      { level: 'warning', message: 'some tasks did not end in time', fields: { count: 1 } },
    ]);
  });

  test('is done at once when nothing runs, and may be asked for twice', async () => {
    const { runner, clock } = createBench();
    await Promise.all([runner.close(), runner.close()]);
    expect(clock.pending).toBe(0);
  });

  test('resolves for every caller', async () => {
    const { runner } = createBench();
    const end = defer<TaskEnd>();
    await runner.start(taskOf(() => end.promise));
    const closings = [runner.close(), runner.close()];
    end.resolve(text('late'));
    await Promise.all(closings);
  });

  test('takes no more tasks', async () => {
    const { runner } = createBench();
    await runner.close();
    await expect(runner.start(taskOf(async () => text('x')))).rejects.toMatchObject({
      code: 'SERVER_CLOSED',
    });
  });

  test('cancels a task that is just being made', async () => {
    const store = new HeldStore();
    const { runner } = createBench({ store });
    const seen: boolean[] = [];
    const started = runner.start(
      taskOf(async ({ signal }) => {
        seen.push(signal.aborted);
        return text('late');
      }),
    );
    const closing = runner.close();
    expect(store.held.map(({ record }) => record.status)).toEqual(['working']);
    await store.next();
    await started;
    await store.next();
    await closing;
    expect(seen).toEqual([true]);
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'cancelled' });
    expect(store.puts.map(({ status }) => status)).toEqual(['working', 'cancelled']);
  });
});
