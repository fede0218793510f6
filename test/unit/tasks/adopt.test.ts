import { describe, expect, test } from 'vitest';
import type { AdoptableTask, TaskEnd } from '../../../src/tasks/task-runner.ts';
import { ALL, clientWith, createBench, defer, FlakyStore, HeldStore, question, text, turn } from './bench.ts';
import type { Deferred } from './bench.ts';

function runningCall(more: Partial<AdoptableTask> = {}): {
  readonly task: AdoptableTask;
  readonly end: Deferred<TaskEnd>;
  readonly aborts: unknown[];
} {
  const end = defer<TaskEnd>();
  const aborts: unknown[] = [];
  const task: AdoptableTask = {
    owner: 'ada',
    pollIntervalMs: 500,
    client: clientWith(ALL),
    abort: (reason) => aborts.push(reason),
    end: end.promise,
    ...more,
  };
  return { task, end, aborts };
}

describe('a call that becomes a task while it runs', () => {
  test('is a task like any other', async () => {
    const { runner } = createBench();
    const { task, end } = runningCall();
    const { record, dialogue, onProgress } = await runner.adopt(task);
    expect(record).toEqual({
      taskId: 't1',
      owner: 'ada',
      status: 'working',
      createdAt: '1970-01-01T00:16:40.000Z',
      lastUpdatedAt: '1970-01-01T00:16:40.000Z',
      ttlMs: null,
      pollIntervalMs: 500,
    });
    onProgress({ progress: 1, message: 'started' });
    const answer = dialogue.put('name', question('Who?'));
    expect(await runner.get('t1', 'ada')).toMatchObject({
      status: 'input_required',
      statusMessage: 'started',
      inputRequests: { name: { method: 'elicitation/create' } },
    });
    expect(await runner.get('t1', 'bob')).toBeUndefined();
    await runner.update('t1', 'ada', { name: 'Ada' });
    expect(await answer).toBe('Ada');
    end.resolve(text('done'));
    await turn();
    expect(await runner.get('t1', 'ada')).toMatchObject({
      status: 'completed',
      result: { content: [{ type: 'text', text: 'done' }] },
    });
  });

  test('is in the store before its client hears of it', async () => {
    const store = new HeldStore();
    const { runner } = createBench({ store });
    const { task } = runningCall();
    let isAdopted = false;
    const adopted = runner.adopt(task).then(() => (isAdopted = true));
    await turn();
    expect(isAdopted).toBe(false);
    await store.next();
    await adopted;
    expect(store.get('t1')).toMatchObject({ status: 'working' });
  });

  test('may have ended by then', async () => {
    const store = new HeldStore();
    const { runner } = createBench({ store });
    const { task, end } = runningCall();
    const adopted = runner.adopt(task);
    end.reject(new Error('broken'));
    await turn();
    await store.next();
    expect((await adopted).record).toMatchObject({ status: 'working' });
    await store.next();
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'failed', error: { code: -32_603 } });
  });

  test('is stopped when it is cancelled, and its late result is dropped', async () => {
    const { runner } = createBench();
    const { task, end, aborts } = runningCall();
    const { dialogue } = await runner.adopt(task);
    const answer = dialogue.put('name', question('Who?'));
    await runner.cancel('t1', 'ada');
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    expect(aborts).toMatchObject([{ name: 'AbortError', message: 'The task was cancelled.' }]);
    end.resolve(text('late'));
    await turn();
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'cancelled' });
  });

  test('is cancelled once, and not at all when it has ended', async () => {
    const { runner } = createBench();
    const going = runningCall();
    await runner.adopt(going.task);
    await runner.cancel('t1', 'ada');
    await runner.cancel('t1', 'ada');
    expect(going.aborts).toHaveLength(1);
    const done = runningCall({ end: Promise.resolve(text('done')) });
    await runner.adopt(done.task);
    await turn();
    await runner.cancel('t2', 'ada');
    expect(done.aborts).toEqual([]);
  });

  test('is cancelled also when stopping it throws', async () => {
    const { runner, entries } = createBench();
    const { task } = runningCall({
      abort: () => {
        throw new Error('no brakes');
      },
    });
    await runner.adopt(task);
    expect(await runner.cancel('t1', 'ada')).toBe(true);
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'cancelled' });
    expect(entries).toMatchObject([
      { level: 'error', message: 'a task could not be cancelled', fields: { taskId: 't1' } },
    ]);
  });

  test('does not become one when the store cannot keep it, or too many run', async () => {
    const store = new FlakyStore();
    store.refuses = () => true;
    const { runner } = createBench({ store, maxRunning: 1 });
    const broken = runningCall();
    await expect(runner.adopt(broken.task)).rejects.toThrow('the disk is full');
    broken.end.reject(new Error('nobody looks at this any more'));
    await turn();
    store.refuses = () => false;
    await runner.adopt(runningCall().task);
    await expect(runner.adopt(runningCall().task)).rejects.toMatchObject({ code: 'BUSY' });
  });

  test('is cancelled when the runner is closed', async () => {
    const { runner } = createBench();
    const { task, end, aborts } = runningCall();
    await runner.adopt(task);
    const closing = runner.close();
    expect(aborts).toMatchObject([{ message: 'The server was closed.' }]);
    end.resolve(text('late'));
    await closing;
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'cancelled' });
  });
});
