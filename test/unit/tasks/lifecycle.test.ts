import { describe, expect, test } from 'vitest';
import { MemoryTaskStore } from '../../../src/stores/task-store.ts';
import { TaskRunner } from '../../../src/tasks/task-runner.ts';
import type { TaskEnd } from '../../../src/tasks/task-runner.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { recordLog } from '../../support/log-recorder.ts';
import { createBench, defer, taskOf, text, turn } from './bench.ts';

const never = (): Promise<TaskEnd> => defer<TaskEnd>().promise;

describe('a task', () => {
  test('is made working, and is kept without limit while it works', async () => {
    const { runner } = createBench();
    const record = await runner.start(taskOf(never));
    const expected = {
      taskId: 't1',
      owner: 'ada',
      status: 'working',
      createdAt: '1970-01-01T00:16:40.000Z',
      lastUpdatedAt: '1970-01-01T00:16:40.000Z',
      ttlMs: null,
      pollIntervalMs: 500,
    };
    expect(record).toEqual(expected);
    expect(await runner.get('t1', 'ada')).toEqual(expected);
  });

  test('completes with the result of its call, and is kept for an hour after that', async () => {
    const { runner, clock } = createBench();
    const end = defer<TaskEnd>();
    await runner.start(taskOf(() => end.promise));
    clock.advance(90_000);
    end.resolve(text('done'));
    await turn();
    expect(await runner.get('t1', 'ada')).toEqual({
      taskId: 't1',
      owner: 'ada',
      status: 'completed',
      createdAt: '1970-01-01T00:16:40.000Z',
      lastUpdatedAt: '1970-01-01T00:18:10.000Z',
      ttlMs: 3_690_000,
      pollIntervalMs: 500,
      result: { content: [{ type: 'text', text: 'done' }] },
    });
    clock.advance(3_599_999);
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'completed' });
    clock.advance(1);
    expect(await runner.get('t1', 'ada')).toBeUndefined();
    expect(await runner.cancel('t1', 'ada')).toBe(false);
  });

  test('is kept after its end for as long as the runner says', async () => {
    const { runner, clock } = createBench({ ttlMs: 1000 });
    await runner.start(taskOf(async () => text('done')));
    await turn();
    clock.advance(999);
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'completed', ttlMs: 1000 });
    clock.advance(1);
    expect(await runner.get('t1', 'ada')).toBeUndefined();
  });

  test('is kept for its time also when the clock was set back', async () => {
    const { runner, clock } = createBench({ ttlMs: 1000 });
    const end = defer<TaskEnd>();
    await runner.start(taskOf(() => end.promise));
    clock.advance(-500_000);
    end.resolve(text('done'));
    await turn();
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'completed', ttlMs: 1000 });
  });

  test('that has not ended does not expire', async () => {
    const { runner, clock } = createBench({ ttlMs: 1000 });
    await runner.start(taskOf(never));
    clock.advance(1_000_000);
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'working', ttlMs: null });
  });

  test('whose tool reports an error is completed', async () => {
    const { runner } = createBench();
    await runner.start(taskOf(async () => text('no such note', true)));
    await turn();
    const record = await runner.get('t1', 'ada');
    expect(record).toMatchObject({
      status: 'completed',
      result: { content: [{ type: 'text', text: 'no such note' }], isError: true },
    });
    expect(record).not.toHaveProperty('error');
  });

  test('whose call ends in an error of the protocol has failed, and says why', async () => {
    const { runner } = createBench();
    const error = { code: -32_602, message: 'Not there: x', data: { suggestions: ['y'] } };
    await runner.start(taskOf(async () => ({ kind: 'error', error })));
    await turn();
    const record = await runner.get('t1', 'ada');
    expect(record).toMatchObject({
      status: 'failed',
      statusMessage: 'Not there: x',
      error: { code: -32_602, message: 'Not there: x', data: { suggestions: ['y'] } },
    });
    expect(record).not.toHaveProperty('result');
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('the password is hunter2'))],
    [
      'throws at once',
      () => {
        throw new Error('the password is hunter2');
      },
    ],
    ['ends in nothing', () => Promise.resolve(undefined as unknown as TaskEnd)],
  ])('whose work %s has failed; only the log knows more', async (_how, run) => {
    const { runner, entries } = createBench();
    await runner.start(taskOf(run));
    await turn();
    expect(await runner.get('t1', 'ada')).toMatchObject({
      status: 'failed',
      statusMessage: 'Internal error',
      error: { code: -32_603, message: 'Internal error' },
    });
    expect(JSON.stringify(await runner.get('t1', 'ada'))).not.toContain('hunter2');
    expect(entries).toMatchObject([
      { level: 'error', message: 'a task failed unexpectedly', fields: { taskId: 't1' } },
    ]);
  });

  test('survives a logger that throws', async () => {
    const throwing = (): never => {
      throw new Error('no log');
    };
    const logger = { debug: throwing, info: throwing, warning: throwing, error: throwing };
    const { runner } = createBench({ logger });
    await runner.start(taskOf(() => Promise.reject(new Error('broken'))));
    await turn();
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'failed' });
  });

  test('leaves no timer behind', async () => {
    const { runner, clock } = createBench();
    await runner.start(taskOf(async () => text('done')));
    await turn();
    expect(clock.pending).toBe(0);
  });
});

describe('the ids of tasks', () => {
  test('have 128 random bits', async () => {
    const clock = new FakeClock();
    const { logger } = recordLog();
    const runner = new TaskRunner({ store: new MemoryTaskStore({ clock }), clock, logger });
    const { taskId } = await runner.start(taskOf(never));
    const { taskId: another } = await runner.start(taskOf(never));
    expect(taskId).toMatch(/^[0-9a-f]{32}$/);
    expect(another).not.toBe(taskId);
  });

  test.each(['t2', '', '__proto__', 'constructor', 'toString'])('"%s" is no task', async (taskId) => {
    const { runner } = createBench();
    await runner.start(taskOf(never));
    expect(await runner.get(taskId, 'ada')).toBeUndefined();
    expect(await runner.update(taskId, 'ada', {})).toBe(false);
    expect(await runner.cancel(taskId, 'ada')).toBe(false);
  });
});

describe('for another owner', () => {
  test('a task that runs does not exist', async () => {
    const { runner } = createBench();
    await runner.start(taskOf(never));
    expect(await runner.get('t1', 'bob')).toBeUndefined();
    expect(await runner.update('t1', 'bob', {})).toBe(false);
    expect(await runner.cancel('t1', 'bob')).toBe(false);
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'working' });
  });

  test('a task that has ended does not exist', async () => {
    const { runner } = createBench();
    await runner.start(taskOf(async () => text('secret')));
    await turn();
    expect(await runner.get('t1', 'bob')).toBeUndefined();
    expect(await runner.update('t1', 'bob', {})).toBe(false);
    expect(await runner.cancel('t1', 'bob')).toBe(false);
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'completed' });
  });
});

describe('a call that runs as a task', () => {
  test('has a dialogue that has nothing pending and sends nothing', async () => {
    const { runner } = createBench();
    const seen: unknown[] = [];
    await runner.start(
      taskOf(async ({ dialogue, signal }) => {
        seen.push(dialogue.client.name, dialogue.isPending, dialogue.hasAsked, signal.aborted);
        seen.push(await dialogue.startTask(), await dialogue.sendLog('info', 'hello', undefined));
        dialogue.releaseStream();
        return text('done');
      }),
    );
    await turn();
    expect(seen).toEqual(['client', false, false, false, undefined, undefined]);
  });

  test('remembers its steps, those before the task first', async () => {
    const { runner } = createBench();
    const recalled: unknown[] = [];
    const earlier = {
      recall: (step: string) => (step === 'before' ? { value: undefined } : undefined),
    };
    await runner.start(
      taskOf(
        async ({ dialogue }) => {
          recalled.push(dialogue.recall('before'), dialogue.recall('now'));
          dialogue.remember('before', 'changed');
          dialogue.remember('now', undefined);
          recalled.push(dialogue.recall('before'), dialogue.recall('now'), dialogue.recall('__proto__'));
          return text('done');
        },
        { earlier },
      ),
    );
    await turn();
    expect(recalled).toEqual([
      { value: undefined },
      undefined,
      { value: undefined },
      { value: undefined },
      undefined,
    ]);
  });
});
