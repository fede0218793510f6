import { describe, expect, test } from 'vitest';
import type { TaskEnd, TaskRunner } from '../../../src/tasks/task-runner.ts';
import { createBench, defer, HeldStore, taskOf, text, turn } from './bench.ts';
import type { Deferred } from './bench.ts';
import { refused } from '../../support/refused.ts';

async function startMany(runner: TaskRunner, owners: readonly string[]): Promise<Deferred<TaskEnd>[]> {
  const ends: Deferred<TaskEnd>[] = [];
  for (const owner of owners) {
    const end = defer<TaskEnd>();
    await runner.start(taskOf(() => end.promise, { owner }));
    ends.push(end);
  }
  return ends;
}

const BUSY = { code: 'BUSY', message: 'Too many tasks are running. Try again when one has ended.' };

describe('the number of tasks that run', () => {
  test('is limited, and one that ends makes room', async () => {
    const { runner } = createBench({ maxRunning: 2 });
    const [first] = await startMany(runner, ['ada', 'bob']);
    await expect(startMany(runner, ['cleo'])).rejects.toMatchObject(BUSY);
    first?.resolve(text('done'));
    await turn();
    await startMany(runner, ['cleo']);
    await expect(startMany(runner, ['ada'])).rejects.toMatchObject(BUSY);
  });

  test('is limited for each owner', async () => {
    const { runner } = createBench({ maxRunningPerOwner: 2 });
    const [first] = await startMany(runner, ['ada', 'ada', 'bob']);
    await expect(startMany(runner, ['ada'])).rejects.toMatchObject(BUSY);
    await startMany(runner, ['bob']);
    first?.resolve(text('done'));
    await turn();
    await startMany(runner, ['ada']);
  });

  test('is 100 for an owner and 1,000 in all by default', async () => {
    const { runner } = createBench();
    const owners = Array.from({ length: 1000 }, (_, index) => `owner ${index % 10}`);
    await startMany(runner, owners.slice(0, 991));
    await expect(startMany(runner, ['owner 0'])).rejects.toMatchObject(BUSY);
    await startMany(runner, owners.slice(991));
    await expect(startMany(runner, ['owner 10'])).rejects.toMatchObject(BUSY);
  });

  test('counts those that are still being made', async () => {
    const store = new HeldStore();
    const { runner } = createBench({ store, maxRunning: 1 });
    const started = runner.start(taskOf(() => defer<TaskEnd>().promise));
    await expect(runner.start(taskOf(async () => text('x')))).rejects.toMatchObject(BUSY);
    await store.next();
    await started;
  });

  test('counts those that were cancelled until their work has stopped', async () => {
    const { runner } = createBench({ maxRunning: 1 });
    const [end] = await startMany(runner, ['ada']);
    await runner.cancel('t1', 'ada');
    await expect(startMany(runner, ['ada'])).rejects.toMatchObject(BUSY);
    end?.resolve(text('late'));
    await turn();
    await startMany(runner, ['ada']);
  });

  test('is not used up by tasks that fail', async () => {
    const { runner } = createBench({ maxRunning: 1 });
    for (let round = 0; round < 10; round += 1) {
      await runner.start(taskOf(() => Promise.reject(new Error('broken'))));
      await turn();
    }
  });
});

describe('the options of a runner', () => {
  test.each([
    [{ ttlMs: 999 }, refused('ttlMs')],
    [{ ttlMs: 1000.5 }, refused('ttlMs')],
    [{ maxRunning: 0 }, refused('maxRunning')],
    [{ maxRunning: Number.NaN }, refused('maxRunning')],
    [{ maxRunningPerOwner: -1 }, refused('maxRunningPerOwner')],
    [{ answerWithinMs: 2 ** 31 }, refused('answerWithinMs')],
  ])('%j are refused', (options, message) => {
    expect(() => createBench(options)).toThrow(message);
  });

  test('may be at the edge', () => {
    createBench({ ttlMs: 1000, maxRunning: 1, maxRunningPerOwner: 1, answerWithinMs: 1 });
  });
});
