import { describe, expect, test } from 'vitest';
import { MissingCapabilityError } from '../../../src/errors/errors.ts';
import type { TaskEnd } from '../../../src/tasks/task-runner.ts';
import { clientWith, createBench, defer, question, taskOf, text, turn } from './bench.ts';

const asked = (message: string): object => ({
  method: 'elicitation/create',
  params: { mode: 'form', message },
});

describe('a question of a task', () => {
  test('is shown under its name until it is answered', async () => {
    const { runner, clock } = createBench();
    await runner.start(
      taskOf(async ({ dialogue }) => text(`Hello, ${String(await dialogue.put('name', question('Who?')))}!`)),
    );
    clock.advance(1000);
    expect(await runner.get('t1', 'ada')).toEqual({
      taskId: 't1',
      owner: 'ada',
      status: 'input_required',
      createdAt: '1970-01-01T00:16:40.000Z',
      lastUpdatedAt: '1970-01-01T00:16:40.000Z',
      ttlMs: null,
      pollIntervalMs: 500,
      inputRequests: { name: asked('Who?') },
    });
    expect(await runner.update('t1', 'ada', { name: 'Ada' })).toBe(true);
    await turn();
    const record = await runner.get('t1', 'ada');
    expect(record).toMatchObject({ status: 'completed', result: { content: [{ text: 'Hello, Ada!' }] } });
    expect(record).not.toHaveProperty('inputRequests');
  });

  test('takes the task back to work when it is answered', async () => {
    const { runner } = createBench();
    await runner.start(
      taskOf(async ({ dialogue }) => {
        await dialogue.put('name', question('Who?'));
        return await defer<TaskEnd>().promise;
      }),
    );
    await runner.update('t1', 'ada', { name: 'Ada' });
    const record = await runner.get('t1', 'ada');
    expect(record).toMatchObject({ status: 'working' });
    expect(record).not.toHaveProperty('inputRequests');
  });

  test('is marked in the dialogue', async () => {
    const { runner } = createBench();
    const marks: boolean[] = [];
    await runner.start(
      taskOf(async ({ dialogue }) => {
        marks.push(dialogue.hasAsked);
        const answer = dialogue.put('name', question('Who?'));
        marks.push(dialogue.hasAsked, dialogue.isPending);
        await answer;
        return text('done');
      }),
    );
    expect(marks).toEqual([false, true, false]);
  });

  test('is not put to a client that did not declare what it takes', async () => {
    const { runner } = createBench();
    const errors: unknown[] = [];
    await runner.start(
      taskOf(
        async ({ dialogue }) => {
          await dialogue.put('name', question('Who?')).catch((error: unknown) => errors.push(error));
          return text('without');
        },
        { client: clientWith({ elicitation: { url: {} } }) },
      ),
    );
    await turn();
    expect(errors).toHaveLength(1);
    expect(errors[0]).toBeInstanceOf(MissingCapabilityError);
    expect(errors[0]).toMatchObject({ requiredCapabilities: { elicitation: { form: {} } } });
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'completed' });
  });

  test('stays open when the answer does not fit, or cannot be read', async () => {
    const { runner, entries } = createBench();
    await runner.start(
      taskOf(async ({ dialogue }) =>
        text(
          String(
            await dialogue.put('name', {
              ...question('Who?'),
              read: async (result) => {
                if (result === null) throw new Error('null');
                return typeof result === 'string' ? { value: result } : undefined;
              },
            }),
          ),
        ),
      ),
    );
    for (const wrong of [7, undefined, null, {}]) {
      expect(await runner.update('t1', 'ada', { name: wrong })).toBe(true);
      expect(await runner.get('t1', 'ada')).toMatchObject({
        status: 'input_required',
        inputRequests: { name: asked('Who?') },
      });
    }
    expect(entries).toMatchObject([
      { level: 'warning', message: 'an input response could not be validated; the input request stays open' },
    ]);
    await runner.update('t1', 'ada', { name: 'Ada' });
    await turn();
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'completed' });
  });

  test('ignores unknown keys', async () => {
    const { runner } = createBench();
    await runner.start(
      taskOf(async ({ dialogue }) => text(String(await dialogue.put('name', question('Who?'))))),
    );
    expect(await runner.update('t1', 'ada', { other: 'x' })).toBe(true);
    expect(await runner.update('t1', 'ada', Object.create({ name: 'inherited' }) as object as never)).toBe(
      true,
    );
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'input_required' });
  });

  test('may have a name that every object has', async () => {
    const { runner } = createBench();
    await runner.start(
      taskOf(async ({ dialogue }) => text(String(await dialogue.put('__proto__', question('Who?'))))),
    );
    await runner.update('t1', 'ada', {});
    const record = await runner.get('t1', 'ada');
    expect(Object.entries(record?.inputRequests ?? {})).toEqual([['__proto__', asked('Who?')]]);
    await runner.update('t1', 'ada', JSON.parse('{"__proto__":"Ada"}') as Record<string, unknown>);
    await turn();
    expect(await runner.get('t1', 'ada')).toMatchObject({ result: { content: [{ text: 'Ada' }] } });
  });
});

describe('two questions at once', () => {
  const both = taskOf(async ({ dialogue }) => {
    const answers = await Promise.all([
      dialogue.put('first', question('1?')),
      dialogue.put('second', question('2?')),
    ]);
    return text(answers.join('+'));
  });

  test('are shown together, and each goes when it is answered', async () => {
    const { runner } = createBench();
    await runner.start(both);
    expect((await runner.get('t1', 'ada'))?.inputRequests).toEqual({
      first: asked('1?'),
      second: asked('2?'),
    });
    await runner.update('t1', 'ada', { first: 'a' });
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'input_required' });
    expect((await runner.get('t1', 'ada'))?.inputRequests).toEqual({ second: asked('2?') });
    // It already has its response.
    await runner.update('t1', 'ada', { first: 'late' });
    await runner.update('t1', 'ada', { second: 'b' });
    await turn();
    expect(await runner.get('t1', 'ada')).toMatchObject({ result: { content: [{ text: 'a+b' }] } });
  });

  test('may be answered together, the right answer beside the wrong one', async () => {
    const { runner } = createBench();
    await runner.start(both);
    await runner.update('t1', 'ada', { first: 1, second: 'b' });
    expect((await runner.get('t1', 'ada'))?.inputRequests).toEqual({ first: asked('1?') });
    await runner.update('t1', 'ada', { first: 'a', second: 'late' });
    await turn();
    expect(await runner.get('t1', 'ada')).toMatchObject({ result: { content: [{ text: 'a+b' }] } });
  });

  test('are one when they have one name', async () => {
    const { runner } = createBench();
    await runner.start(
      taskOf(async ({ dialogue }) => {
        const put = (): Promise<unknown> => dialogue.put('name', question('Who?'));
        return text((await Promise.all([put(), put()])).join('+'));
      }),
    );
    expect((await runner.get('t1', 'ada'))?.inputRequests).toEqual({ name: asked('Who?') });
    await runner.update('t1', 'ada', { name: 'Ada' });
    await turn();
    expect(await runner.get('t1', 'ada')).toMatchObject({ result: { content: [{ text: 'Ada+Ada' }] } });
  });
});

describe('an answer', () => {
  test('counts once when it comes twice at the same time', async () => {
    const { runner } = createBench();
    const answers: unknown[] = [];
    const changes: string[] = [];
    runner.onChange(({ status }) => changes.push(status));
    const slow = defer<void>();
    const read = async (result: unknown): Promise<{ value: unknown }> => {
      if (result === 'slow') await slow.promise;
      return { value: result };
    };
    await runner.start(
      taskOf(async ({ dialogue }) => {
        answers.push(await dialogue.put('name', { ...question('Who?'), read }));
        return await defer<TaskEnd>().promise;
      }),
    );
    const updates = [
      runner.update('t1', 'ada', { name: 'slow' }),
      runner.update('t1', 'ada', { name: 'quick' }),
    ];
    await turn();
    slow.resolve();
    expect(await Promise.all(updates)).toEqual([true, true]);
    await turn();
    expect(answers).toEqual(['quick']);
    expect(changes).toEqual(['input_required', 'working']);
  });

  test('is given again to who asks again under the same name', async () => {
    const { runner } = createBench();
    await runner.start(
      taskOf(async ({ dialogue }) => {
        const first = await dialogue.put('name', question('Who?'));
        return text(`${String(first)}+${String(await dialogue.put('name', question('Who, again?')))}`);
      }),
    );
    await runner.update('t1', 'ada', { name: 'Ada' });
    await turn();
    expect(await runner.get('t1', 'ada')).toMatchObject({ result: { content: [{ text: 'Ada+Ada' }] } });
  });

  test('that does not fit another question of the same name has that put under a key of its own', async () => {
    const { runner } = createBench();
    await runner.start(
      taskOf(async ({ dialogue }) => {
        await dialogue.put('name-2', question('Other?'));
        await dialogue.put('name', question('Who?'));
        const age = await dialogue.put('name', {
          ...question('How old?'),
          read: (result) => (typeof result === 'number' ? { value: result } : undefined),
        });
        return text(String(age));
      }),
    );
    await runner.update('t1', 'ada', { 'name-2': 'x' });
    await runner.update('t1', 'ada', { name: 'Ada' });
    await turn();
    // The protocol forbids using a key for a second elicitation.
    expect((await runner.get('t1', 'ada'))?.inputRequests).toEqual({ 'name-3': asked('How old?') });
    await runner.update('t1', 'ada', { 'name-3': 36 });
    await turn();
    expect(await runner.get('t1', 'ada')).toMatchObject({ result: { content: [{ text: '36' }] } });
  });

  test('may be missing for an hour; then the question is refused', async () => {
    const { runner, clock } = createBench();
    const errors: unknown[] = [];
    await runner.start(
      taskOf(async ({ dialogue }) => {
        await dialogue.put('name', question('Who?')).catch((error: unknown) => errors.push(error));
        return await defer<TaskEnd>().promise;
      }),
    );
    clock.advance(3_599_999);
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'input_required' });
    clock.advance(1);
    await turn();
    expect(errors).toMatchObject([{ code: 'INPUT_REFUSED', message: 'Nobody answered "name" in time.' }]);
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'working' });
    expect(await runner.update('t1', 'ada', { name: 'late' })).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test('takes its deadline along', async () => {
    const { runner, clock } = createBench({ answerWithinMs: 1000 });
    await runner.start(
      taskOf(async ({ dialogue }) => text(String(await dialogue.put('name', question('Who?'))))),
    );
    expect(clock.pending).toBe(1);
    await runner.update('t1', 'ada', { name: 'Ada' });
    expect(clock.pending).toBe(0);
  });
});

describe('a task that ends while it asks', () => {
  test('asks no more, and leaves no deadline behind', async () => {
    const { runner, clock } = createBench();
    const late: unknown[] = [];
    const put = defer<() => Promise<unknown>>();
    await runner.start(
      taskOf(async ({ dialogue }) => {
        void dialogue.put('name', question('Who?'));
        put.resolve(() => dialogue.put('more', question('More?')));
        return text('done');
      }),
    );
    await turn();
    const record = await runner.get('t1', 'ada');
    expect(record).toMatchObject({ status: 'completed' });
    expect(record).not.toHaveProperty('inputRequests');
    expect(clock.pending).toBe(0);
    const askMore = await put.promise;
    await askMore().catch((error: unknown) => late.push(error));
    expect(late).toMatchObject([{ name: 'AbortError', message: 'The task has ended.' }]);
    expect(await runner.update('t1', 'ada', { name: 'Ada' })).toBe(true);
    expect(await runner.get('t1', 'ada')).toEqual(record);
  });
});
