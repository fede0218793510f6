import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  allowRepeatedNext,
  answer,
  createTool,
  defineMiddleware,
  error,
  success,
  ToolError,
  ToolRegistry,
} from '../../../src/index.ts';
import type { Middleware, Passed } from '../../../src/index.ts';
import { codeOf, HIDDEN, pass, run, textOf, throwValue } from './run-chain.ts';

/** A middleware in JavaScript, without type checks. */
const loose = (middleware: (call: Parameters<Middleware>[0]) => unknown): Middleware =>
  middleware as Middleware;

describe('the order', () => {
  test('is registry, tool, group, action, handler, and back', async () => {
    const trace: string[] = [];
    const layer = (name: string): Middleware =>
      defineMiddleware(async ({ next }) => {
        trace.push(`> ${name}`);
        const passed = await next();
        trace.push(`< ${name}`);
        return passed;
      });
    const registry = new ToolRegistry().use(layer('registry 1')).use(layer('registry 2'));
    registry.register(
      createTool('platform')
        .use(layer('tool 1'))
        .use(layer('tool 2'))
        .group('users', (users) =>
          users
            .use(layer('group 1'))
            .use(layer('group 2'))
            .action({
              name: 'list',
              middleware: [layer('action 1'), layer('action 2')],
              handler: () => trace.push('handler'),
            }),
        ),
    );
    await registry.executeTool({ name: 'platform', arguments: { action: 'users.list' } });
    const names = [
      'registry 1',
      'registry 2',
      'tool 1',
      'tool 2',
      'group 1',
      'group 2',
      'action 1',
      'action 2',
    ];
    expect(trace).toEqual([
      ...names.map((name) => `> ${name}`),
      'handler',
      ...names.toReversed().map((name) => `< ${name}`),
    ]);
  });

  test('middleware of one action or group is not around another', async () => {
    const trace: string[] = [];
    const layer = (name: string): Middleware =>
      defineMiddleware(({ next, subject }) => {
        trace.push(`${name}: ${subject.action}`);
        return next();
      });
    const builder = createTool('t')
      .group('a', (group) =>
        group
          .use(layer('group a'))
          .action({ name: 'x', middleware: [layer('action x')], handler: () => 1 })
          .action({ name: 'y', handler: () => 1 }),
      )
      .group('b', (group) => group.action({ name: 'x', handler: () => 1 }));
    for (const action of ['a.x', 'a.y', 'b.x']) await builder.execute({}, { action });
    expect(trace).toEqual(['group a: a.x', 'action x: a.x', 'group a: a.y']);
  });

  test('tool middleware counts for actions that were added before it', async () => {
    const builder = createTool('t')
      .action({ name: 'a', handler: () => 'ran' })
      .use(() => answer('stopped'));
    expect(textOf(await builder.execute({}, { action: 'a' }))).toBe('stopped');
  });
});

describe('parameters of a middleware', () => {
  test('the validated input, the context and who is called', async () => {
    const seen: unknown[] = [];
    await run(
      [
        ({ input, context, subject, next }) => {
          seen.push(input, context.rawArguments, context.name, subject.name, Object.isFrozen(subject));
          return next();
        },
      ],
      ({ input }: { input: unknown }) => seen.push(input),
    );
    expect(seen).toEqual([{ n: 1 }, { stray: true }, 't', 't', true, { n: 1 }]);
  });

  test('the subject of an action', async () => {
    let seen: unknown;
    const registry = new ToolRegistry({ name: 'main' }).register(
      createTool('platform')
        .tags('all')
        .use(({ subject, next }) => {
          seen = subject;
          return next();
        })
        .group('users', (users) =>
          users.action({
            name: 'ban',
            destructive: true,
            idempotent: true,
            tags: ['admin'],
            scopes: ['write'],
            category: 'people',
            handler: () => 1,
          }),
        ),
    );
    const principal = { id: 'p', scopes: ['write'] };
    await registry.executeTool({ name: 'platform', arguments: { action: 'users.ban' }, principal });
    expect(seen).toEqual({
      name: 'platform.users.ban',
      tool: 'platform',
      action: 'users.ban',
      tags: ['all', 'admin'],
      scopes: ['write'],
      category: 'people',
      namespace: 'main',
      operation: 'platform.users.ban',
      isReadOnly: false,
      isDestructive: true,
      isIdempotent: true,
    });
  });
});

describe('next', () => {
  const HANDLERS: Readonly<Record<string, () => unknown>> = {
    'a synchronous handler': () => 'value',
    'an asynchronous handler': async () => 'value',
    'a handler that returns a thenable': () => ({
      then: (resolve: (value: string) => void) => resolve('value'),
    }),
  };

  test.each(Object.keys(HANDLERS))('gives what %s returned', async (kind) => {
    let passed: Passed | undefined;
    const { result } = await run(
      [
        async ({ next }) => {
          passed = await next();
          return passed;
        },
        pass,
      ],
      HANDLERS[kind] as () => unknown,
    );
    expect([passed?.value, passed?.isError, textOf(result)]).toEqual(['value', false, 'value']);
  });

  const THROWN: Readonly<Record<string, unknown>> = {
    'an Error': new RangeError('inner'),
    'a string': 'thrown text',
    undefined: undefined,
    null: null,
    'a plain object': { plain: true },
  };
  const throwers = Object.keys(THROWN).flatMap((kind) =>
    (['at once', 'later'] as const).map((when) => [kind, when] as const),
  );

  test.each(throwers)('rejects with %s that the handler throws %s, unchanged', async (kind, when) => {
    const thrown = THROWN[kind];
    const caught: unknown[] = [];
    const watch = defineMiddleware(async ({ next }) => {
      try {
        return await next();
      } catch (reason) {
        caught.push(reason);
        throw reason;
      }
    });
    const handler = when === 'at once' ? () => throwValue(thrown) : async () => throwValue(thrown);
    const { result } = await run([watch, pass, watch], handler);
    expect(caught).toEqual([thrown, thrown]);
    expect(caught.every((reason) => reason === thrown)).toBe(true);
    expect(textOf(result)).toBe(HIDDEN);
  });

  test('rejects with what a middleware behind it throws, at once or later', async () => {
    for (const inner of [
      defineMiddleware(() => throwValue(new ToolError('inner'))),
      defineMiddleware(async () => throwValue(new ToolError('inner'))),
    ]) {
      const outer = defineMiddleware(async ({ next }) => {
        try {
          return await next();
        } catch (reason) {
          return answer(`caught ${(reason as Error).message}`);
        }
      });
      expect(textOf((await run([outer, inner], () => 1)).result)).toBe('caught inner');
    }
  });

  test('the caller gets the same result as from a single handler', async () => {
    const told = await run([pass, pass], () => throwValue(new ToolError('No such note.')));
    expect([textOf(told.result), codeOf(told)]).toEqual(['No such note.', 'TOOL_ERROR']);
    const hidden = await run([pass, pass], () => throwValue(new Error('secret')));
    expect([textOf(hidden.result), codeOf(hidden), hidden.logged[0]?.message]).toEqual([
      HIDDEN,
      'TOOL_FAILED',
      'secret',
    ]);
  });
});

describe('next() twice', () => {
  const twice = async function goesOnTwice({ next }: { next: () => Promise<Passed> }): Promise<Passed> {
    await next();
    return next();
  };

  test('is an error, and the handler ran once', async () => {
    let runs = 0;
    const ran = await run([twice], () => (runs += 1));
    expect([runs, codeOf(ran), textOf(ran.result)]).toEqual([1, 'INVALID_MIDDLEWARE', HIDDEN]);
    expect(ran.logged[0]?.message).toBe(
      'The middleware "goesOnTwice" around "t" called next() twice. Call it at most once, or wrap the middleware in allowRepeatedNext.',
    );
  });

  test('is an error at any position of the middleware, with or without a name', async () => {
    for (const middleware of [
      [pass, twice],
      [twice, pass],
      [pass, twice, pass],
    ])
      expect(codeOf(await run(middleware, () => 1))).toBe('INVALID_MIDDLEWARE');
    const [nameless] = [async ({ next }: { next: () => Promise<Passed> }) => next().then(() => next())];
    const ran = await run([nameless], () => 1);
    expect(ran.logged[0]?.message).toMatch(/^A middleware around "t" called next\(\) twice\./);
  });

  test('is an error when both are started at once', async () => {
    let runs = 0;
    const ran = await run(
      [async ({ next }) => (await Promise.all([next(), next()]))[0]],
      async () => (runs += 1),
    );
    expect([runs, codeOf(ran)]).toEqual([1, 'INVALID_MIDDLEWARE']);
  });

  test('is an error also after the first has failed', async () => {
    let runs = 0;
    const again = defineMiddleware(({ next }) => next().catch(() => next()));
    const ran = await run([again], () => {
      runs += 1;
      throw new Error('first');
    });
    expect([runs, codeOf(ran)]).toEqual([1, 'INVALID_MIDDLEWARE']);
  });

  test('is counted by call, not by middleware', async () => {
    const registry = new ToolRegistry().use(pass).register({
      name: 't',
      description: 'T',
      inputSchema: z.object({}),
      handler: () => 'ran',
    });
    const calls = Array.from({ length: 3 }, () => registry.executeTool({ name: 't' }));
    expect((await Promise.all(calls)).map(textOf)).toEqual(['ran', 'ran', 'ran']);
  });

  test('is allowed where the middleware says that it knows why', async () => {
    let runs = 0;
    const retryOnce = allowRepeatedNext(defineMiddleware(({ next }) => next().catch(() => next())));
    const ran = await run([pass, retryOnce, pass], () => {
      runs += 1;
      return runs === 1 ? throwValue(new Error('first')) : `run ${runs}`;
    });
    expect(textOf(ran.result)).toBe('run 2');
  });

  test('the permission of one does not pass to another', async () => {
    const repeats = allowRepeatedNext(defineMiddleware(({ next }) => next()));
    expect(codeOf(await run([repeats, twice], () => 1))).toBe('INVALID_MIDDLEWARE');
    expect(codeOf(await run([twice, repeats], () => 1))).toBe('INVALID_MIDDLEWARE');
  });

  test('a repeated next runs the middlewares behind it anew', async () => {
    const trace: string[] = [];
    const repeats = allowRepeatedNext(
      defineMiddleware(async ({ next }) => {
        await next();
        return next();
      }),
    );
    const inner = defineMiddleware(({ next }) => {
      trace.push('inner');
      return next();
    });
    await run([repeats, inner], () => trace.push('handler'));
    expect(trace).toEqual(['inner', 'handler', 'inner', 'handler']);
  });
});

describe('a promise of next() that is not awaited', () => {
  const unhandledBy = async (middleware: Middleware, handler: () => unknown): Promise<unknown[]> => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    // Without a listener, Node ends the process.
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', listen);
    try {
      await run([middleware], handler);
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('unhandledRejection', listen);
      for (const other of others) process.on('unhandledRejection', other);
    }
    return unhandled;
  };

  test('does not end the process when the handler fails while the middleware does something else', async () => {
    const slow = defineMiddleware(async ({ next }) => {
      const passed = next();
      await new Promise((resolve) => setImmediate(resolve));
      return passed;
    });
    expect(await unhandledBy(slow, () => throwValue(new ToolError('failed')))).toEqual([]);
  });

  test('does not end the process when the middleware has answered already', async () => {
    const hasty = defineMiddleware(({ next }) => {
      void next();
      return answer('done');
    });
    expect(await unhandledBy(hasty, async () => throwValue(new ToolError('failed')))).toEqual([]);
  });

  test('does not end the process when next was called twice', async () => {
    const careless = defineMiddleware(({ next }) => {
      const passed = next();
      void next();
      return passed;
    });
    expect(await unhandledBy(careless, () => 1)).toEqual([]);
  });
});

describe('a middleware that does not return what it should', () => {
  const FORGETFUL: Readonly<Record<string, Middleware>> = {
    'forgets to return': loose(({ next }) => void next()),
    'forgets to return, asynchronously': loose(async ({ next }) => {
      await next();
    }),
    'returns the value': loose(async ({ next }) => (await next()).value),
    'returns a bare value': loose(() => 'value'),
    'returns a result of the protocol': loose(() => ({ content: [{ type: 'text', text: 'x' }] })),
    'returns next itself': loose(({ next }) => next),
    'returns null': loose(() => null),
  };
  const places = Object.keys(FORGETFUL).flatMap((kind) =>
    (['alone', 'outermost', 'innermost'] as const).map((place) => [kind, place] as const),
  );

  test.each(places)('and %s is an error, never an empty result (%s)', async (kind, place) => {
    const bad = FORGETFUL[kind] as Middleware;
    const middleware = { alone: [bad], outermost: [bad, pass], innermost: [pass, bad] }[place];
    const ran = await run(middleware, () => 'ran');
    expect([ran.result.isError, codeOf(ran), textOf(ran.result)]).toEqual([
      true,
      'INVALID_MIDDLEWARE',
      HIDDEN,
    ]);
    expect(ran.logged[0]?.message).toBe(
      'A middleware around "t" returned neither the value of next() nor a result. Write: return next();',
    );
  });

  test('may return what success and error make', async () => {
    expect(textOf((await run([loose(() => success('mine'))], () => 1)).result)).toBe('mine');
    const failed = await run([loose(async () => error('not mine'))], () => 1);
    expect([failed.result.isError, textOf(failed.result)]).toEqual([true, 'not mine']);
  });
});

describe('answer', () => {
  test.each([
    ['a value', { n: 1 }, '{"n":1}', undefined],
    ['a success', success('fine'), 'fine', undefined],
    ['an error', error('not now'), 'not now', true],
  ])('with %s ends the call before the handler', async (_, value, text, isError) => {
    const trace: string[] = [];
    const inner = defineMiddleware(({ next }) => {
      trace.push('inner');
      return next();
    });
    const { result } = await run([pass, () => answer(value), inner], () => trace.push('handler'));
    expect([textOf(result), result.isError, trace]).toEqual([text, isError, []]);
  });

  test('is seen by the middlewares outside as what next gave', async () => {
    const seen: unknown[] = [];
    const watch = defineMiddleware(async ({ next }) => {
      const passed = await next();
      seen.push(passed.value, passed.isError);
      return passed;
    });
    const refusal = error('no');
    await run([watch, () => answer(refusal)], () => 1);
    expect(seen).toEqual([refusal, true]);
  });
});

describe('passed results', () => {
  const valueOf = async (value: unknown): Promise<unknown> => {
    let isError: unknown;
    await run(
      [
        async ({ next }) => {
          const passed = await next();
          ({ isError } = passed);
          return passed;
        },
      ],
      () => value,
    );
    return isError;
  };

  test.each<[string, unknown, boolean]>([
    ['what error() makes', error('x'), true],
    ['a result with isError', { content: [], isError: true }, true],
    ['what success() makes', success('x'), false],
    ['a result', { content: [] }, false],
    ['data with a member isError', { isError: true }, false],
    ['a text', 'isError', false],
    ['nothing', undefined, false],
    ['null', null, false],
  ])('is an error or not: %s', async (_, value, isError) => {
    expect(await valueOf(value)).toBe(isError);
  });

  test('can be given another value, layer by layer', async () => {
    const add = (text: string): Middleware =>
      defineMiddleware(async ({ next }) => {
        const passed = await next();
        const changed = passed.withValue(`${text}(${String(passed.value)})`);
        expect(passed.value).not.toBe(changed.value);
        return changed;
      });
    expect(textOf((await run([add('a'), add('b')], () => 'c')).result)).toBe('a(b(c))');
  });
});
