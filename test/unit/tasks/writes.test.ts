import { describe, expect, test } from 'vitest';
import { CallRefusedError } from '../../../src/index.ts';
import type { ProgressUpdate } from '../../../src/middleware/context.ts';
import type { TaskEnd } from '../../../src/tasks/task-runner.ts';
import { createBench, defer, FlakyStore, HeldStore, question, taskOf, text, turn } from './bench.ts';

describe('the progress of a call', () => {
  test('becomes the message of its task; what has no message is not shown', async () => {
    const { runner, clock } = createBench();
    const report = defer<(update: ProgressUpdate) => void>();
    await runner.start(
      taskOf(({ onProgress }) => {
        report.resolve(onProgress);
        return defer<TaskEnd>().promise;
      }),
    );
    const onProgress = await report.promise;
    clock.advance(1000);
    onProgress({ progress: 1, total: 2, message: 'half' });
    expect(await runner.get('t1', 'ada')).toMatchObject({
      status: 'working',
      statusMessage: 'half',
      lastUpdatedAt: '1970-01-01T00:16:41.000Z',
    });
    clock.advance(1000);
    onProgress({ progress: 2 });
    onProgress({ progress: 2, message: 'half' });
    expect(await runner.get('t1', 'ada')).toMatchObject({
      statusMessage: 'half',
      lastUpdatedAt: '1970-01-01T00:16:41.000Z',
    });
  });

  test('is written one at a time, and the latest wins', async () => {
    const store = new HeldStore();
    const { runner } = createBench({ store });
    const end = defer<TaskEnd>();
    const started = runner.start(
      taskOf(({ onProgress }) => {
        for (let step = 1; step <= 1000; step += 1) onProgress({ progress: step, message: `step ${step}` });
        return end.promise;
      }),
    );
    await store.next();
    await started;
    expect(store.held.map(({ record }) => record.statusMessage)).toEqual(['step 1']);
    expect(await runner.get('t1', 'ada')).toMatchObject({ statusMessage: 'step 1000' });
    await store.next();
    expect(store.held.map(({ record }) => record.statusMessage)).toEqual(['step 1000']);
    end.resolve(text('done'));
    await turn();
    expect(store.held).toHaveLength(1);
    await store.next();
    await store.next();
    expect(store.puts.map(({ status, statusMessage }) => [status, statusMessage])).toEqual([
      ['working', undefined],
      ['working', 'step 1'],
      ['working', 'step 1000'],
      ['completed', undefined],
    ]);
  });

  test('is shown beside a question, and stays when that is answered', async () => {
    const { runner } = createBench();
    await runner.start(
      taskOf(async ({ dialogue, onProgress }) => {
        const answer = dialogue.put('name', question('Who?'));
        onProgress({ progress: 1, message: 'waiting' });
        await answer;
        return await defer<TaskEnd>().promise;
      }),
    );
    expect(await runner.get('t1', 'ada')).toMatchObject({
      status: 'input_required',
      statusMessage: 'waiting',
      inputRequests: { name: { method: 'elicitation/create' } },
    });
    await runner.update('t1', 'ada', { name: 'Ada' });
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'working', statusMessage: 'waiting' });
  });

  test.each([
    ['completed', async () => {}],
    ['cancelled', async (cancel: () => Promise<unknown>) => void (await cancel())],
  ])('is dropped once the task is %s', async (status, before) => {
    const { runner } = createBench();
    const report = defer<(update: ProgressUpdate) => void>();
    const end = defer<TaskEnd>();
    await runner.start(
      taskOf(({ onProgress }) => {
        report.resolve(onProgress);
        return end.promise;
      }),
    );
    const onProgress = await report.promise;
    await before(() => runner.cancel('t1', 'ada'));
    end.resolve(text('done'));
    await turn();
    const record = await runner.get('t1', 'ada');
    onProgress({ progress: 1, message: 'late' });
    await turn();
    expect(await runner.get('t1', 'ada')).toEqual(record);
    expect(record).toMatchObject({ status });
  });
});

describe('the changes of a task', () => {
  test('are announced in order, each when it is in the store', async () => {
    const store = new HeldStore();
    const { runner } = createBench({ store });
    const changes: unknown[] = [];
    runner.onChange(({ taskId, status }) => changes.push([taskId, status, store.get(taskId)?.status]));
    const started = runner.start(
      taskOf(async ({ dialogue }) => text(String(await dialogue.put('name', question('Who?'))))),
    );
    await store.next();
    await started;
    expect(changes).toEqual([]);
    await runner.update('t1', 'ada', { name: 'Ada' });
    await turn();
    for (let left = 3; left > 0; left -= 1) await store.next();
    expect(changes).toEqual([
      ['t1', 'input_required', 'input_required'],
      ['t1', 'working', 'working'],
      ['t1', 'completed', 'completed'],
    ]);
    expect(store.held).toEqual([]);
  });

  test('that a slow store has not seen make way for those after them', async () => {
    const store = new HeldStore();
    const { runner } = createBench({ store });
    const started = runner.start(
      taskOf(async ({ dialogue }) => {
        for (let round = 1; round <= 50; round += 1) await dialogue.put(`q${round}`, question('?'));
        return text('done');
      }),
    );
    await store.next();
    await started;
    for (let round = 1; round <= 50; round += 1) {
      await runner.update('t1', 'ada', { [`q${round}`]: 'yes' });
      await turn();
    }
    while (store.held.length > 0) await store.next();
    expect(store.puts.map(({ status }) => status)).toEqual([
      'working',
      'input_required',
      'input_required',
      'working',
      'completed',
    ]);
    expect(Object.keys(store.puts[2]?.inputRequests ?? {})).toEqual(['q50']);
  });

  test('are sent to every listener, even if one throws, until it is removed', async () => {
    const { runner, entries } = createBench();
    const seen: string[] = [];
    runner.onChange(() => {
      throw new Error('deaf');
    });
    const leave = runner.onChange(({ taskId }) => seen.push(taskId));
    await runner.start(taskOf(async () => text('one')));
    await turn();
    leave();
    await runner.start(taskOf(async () => text('two')));
    await turn();
    expect(seen).toEqual(['t1']);
    expect(entries).toMatchObject([
      { level: 'error', message: 'a change listener failed', fields: { error: { message: 'deaf' } } },
      { level: 'error', message: 'a change listener failed', fields: { error: { message: 'deaf' } } },
    ]);
  });
});

describe('a store that fails', () => {
  test('makes no task that it cannot keep, and nothing is run', async () => {
    const store = new FlakyStore();
    store.refuses = () => true;
    const { runner } = createBench({ store, maxRunning: 1 });
    let runs = 0;
    const task = taskOf(async () => {
      runs += 1;
      return text('done');
    });
    await expect(runner.start(task)).rejects.toThrow('the disk is full');
    expect(runs).toBe(0);
    expect(await runner.get('t1', 'ada')).toBeUndefined();
    // Its slot is free again.
    store.refuses = () => false;
    await runner.start(task);
    await turn();
    expect(await runner.get('t2', 'ada')).toMatchObject({ status: 'completed' });
  });

  test('while a task works is logged, and the task continues', async () => {
    const store = new FlakyStore();
    const { runner, entries } = createBench({ store });
    const changes: string[] = [];
    runner.onChange(({ status }) => changes.push(status));
    await runner.start(
      taskOf(async ({ dialogue }) => {
        store.refuses = ({ status }) => status === 'input_required';
        return text(String(await dialogue.put('name', question('Who?'))));
      }),
    );
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'input_required' });
    await runner.update('t1', 'ada', { name: 'Ada' });
    await turn();
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'completed' });
    expect(store.get('t1')).toMatchObject({ status: 'completed' });
    expect(changes).toEqual(['working', 'completed']);
    expect(entries).toEqual([
      {
        level: 'error',
        message: 'a task could not be stored',
        fields: { taskId: 't1', error: { name: 'Error', message: 'the disk is full' } },
      },
    ]);
  });

  test('at the end of a task does not lose the result: it is retried on the next request', async () => {
    const store = new FlakyStore();
    const { runner } = createBench({ store, maxRunning: 1 });
    const changes: string[] = [];
    runner.onChange(({ status }) => changes.push(status));
    store.refuses = ({ status }) => status === 'completed';
    await runner.start(taskOf(async () => text('done')));
    await turn();
    expect(store.get('t1')).toMatchObject({ status: 'working' });
    expect(await runner.get('t1', 'bob')).toBeUndefined();
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'completed' });
    expect(await runner.cancel('t1', 'ada')).toBe(true);
    expect(await runner.update('t1', 'ada', {})).toBe(true);
    expect(store.get('t1')).toMatchObject({ status: 'working' });
    expect(changes).toEqual([]);
    // It does not count as a running task.
    await runner.start(taskOf(() => defer<TaskEnd>().promise));

    store.refuses = () => false;
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'completed' });
    expect(store.get('t1')).toMatchObject({ status: 'completed' });
    expect(changes).toEqual(['completed']);
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'completed' });
    expect(changes).toEqual(['completed']);
  });

  test('for good at the end of a task, because the result is too large, fails the task', async () => {
    const store = new FlakyStore();
    const { runner, entries } = createBench({ store });
    const changes: string[] = [];
    runner.onChange(({ status }) => changes.push(status));
    store.error = new CallRefusedError('RESULT_TOO_LARGE', 'The task is too large to be stored.');
    store.refuses = ({ status }) => status === 'completed';
    await runner.start(taskOf(async () => text('long')));
    await turn();
    const error = {
      code: -32603,
      message: 'The task is too large to be stored.',
      data: { code: 'RESULT_TOO_LARGE' },
    };
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'failed', error });
    expect(store.get('t1')).toMatchObject({ status: 'failed', error, ttlMs: 3_600_000 });
    expect(changes).toEqual(['failed']);
    expect(entries.map(({ message }) => message)).toEqual(['a task could not be stored']);
    // A store that accepts no end at all is not asked again and again.
    store.refuses = ({ status }) => status !== 'working';
    await runner.start(taskOf(async () => text('long')));
    await turn();
    expect(await runner.get('t2', 'ada')).toMatchObject({ status: 'failed', error });
    expect(store.get('t2')).toMatchObject({ status: 'working' });
  });

  test('for long keeps so many results and no more', async () => {
    const store = new FlakyStore();
    const { runner } = createBench({ store });
    store.refuses = ({ status }) => status === 'completed';
    for (let count = 1; count <= 1001; count += 1) {
      await runner.start(taskOf(async () => text('done')));
      if (count % 100 === 0) await turn();
    }
    await turn();
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'working' });
    expect(await runner.get('t2', 'ada')).toMatchObject({ status: 'completed' });
  });
});
