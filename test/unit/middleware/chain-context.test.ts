import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  allowRepeatedNext,
  answer,
  combineMiddleware,
  defineMiddleware,
  defineMiddlewareFor,
  error,
  ToolRegistry,
} from '../../../src/index.ts';
import type { Middleware } from '../../../src/index.ts';
import { CallContext } from '../../../src/pipeline/context/call-context.ts';
import { codeOf, HIDDEN, pass, run, textOf, throwValue } from './run-chain.ts';

describe('members added to the context', () => {
  test('is seen by everything behind, and by nothing in front before it is added', async () => {
    const seen: unknown[] = [];
    const look = (place: string): Middleware =>
      defineMiddleware(({ context, next }) => {
        seen.push([place, (context as { user?: unknown }).user]);
        return next();
      });
    const withUser = defineMiddleware(({ next }) => next({ user: 'Ada' }));
    const handler = ({ context }: { context: { user?: unknown } }): unknown =>
      seen.push(['handler', context.user]);
    await run([look('before'), withUser, look('behind')], handler);
    expect(seen).toEqual([
      ['before', undefined],
      ['behind', 'Ada'],
      ['handler', 'Ada'],
    ]);
  });

  test('is replaced by what a later middleware adds', async () => {
    const add = (turn: number): Middleware => defineMiddleware(({ next }) => next({ turn }));
    const handler = ({ context }: { context: { turn?: unknown } }): unknown => context.turn;
    expect(textOf((await run([add(1), add(2)], handler)).result)).toBe('2');
  });

  test('is gone with the call', async () => {
    const seen: unknown[] = [];
    let isFirst = true;
    const registry = new ToolRegistry()
      .use(({ next }) => {
        const added = isFirst ? { user: 'Ada' } : {};
        isFirst = false;
        return next(added);
      })
      .register({
        name: 't',
        description: 'T',
        inputSchema: z.object({}),
        handler: ({ context }) => seen.push((context as { user?: unknown }).user),
      });
    await registry.executeTool({ name: 't' });
    await registry.executeTool({ name: 't' });
    expect(seen).toEqual(['Ada', undefined]);
  });

  /** All members of a context before middleware adds to it. */
  const taken = (): string[] => {
    const parts = {
      name: 't',
      server: 's',
      operation: 't',
      subject: { action: undefined } as never,
      log: {} as never,
      cache: {} as never,
      collaborators: {} as never,
    };
    const context = new CallContext(parts, { name: 't' }, {});
    return [
      ...Object.getOwnPropertyNames(context),
      ...Object.getOwnPropertyNames(CallContext.prototype),
      '__proto__',
      'toString',
      'hasOwnProperty',
    ];
  };

  test.each([...new Set(taken())])('cannot replace %s', async (key) => {
    let hasRun = false;
    const added = JSON.parse(`{${JSON.stringify(key)}:"forged"}`) as object;
    const ran = await run([defineMiddleware(({ next }) => next(added))], () => (hasRun = true));
    expect([hasRun, codeOf(ran), textOf(ran.result)]).toEqual([false, 'INVALID_DEFINITION', HIDDEN]);
    expect(ran.logged[0]?.message).toBe(
      `The context member "${key}" is reserved by Toolwright. Choose another name.`,
    );
  });

  test('the list of what is taken holds all standard members', () => {
    const standard = ['name', 'action', 'operation', 'accessToken', 'principal', 'rawArguments', 'signal'];
    expect(taken()).toEqual(expect.arrayContaining([...standard, 'progress', 'log', 'cache', 'stop', 'end']));
  });
});

describe('two middlewares combined', () => {
  const withUser = defineMiddleware(async ({ next }) => next({ user: { isAdmin: false } }));
  const requireAdmin = defineMiddlewareFor<{ user: { isAdmin: boolean } }>()(({ context, next }) =>
    context.user.isAdmin ? next({ admin: true }) : answer(error('Only administrators.')),
  );

  test('are one, where the second finds what the first adds', async () => {
    let hasRun = false;
    const { result } = await run([combineMiddleware(withUser, requireAdmin)], () => (hasRun = true));
    expect([textOf(result), hasRun]).toEqual(['Only administrators.', false]);
  });

  test('add what both add, in order, outer around inner', async () => {
    const trace: string[] = [];
    const layer = (name: string): Middleware =>
      defineMiddleware(async ({ next }) => {
        trace.push(`> ${name}`);
        const passed = await next({ [name]: true });
        trace.push(`< ${name}`);
        return passed.withValue(`${name}(${String(passed.value)})`);
      });
    const both = combineMiddleware(combineMiddleware(layer('a'), layer('b')), layer('c'));
    const { result } = await run([both], ({ context }: { context: object }) => {
      trace.push('handler');
      return ['a', 'b', 'c'].filter((key) => key in context).join('');
    });
    expect(trace).toEqual(['> a', '> b', '> c', 'handler', '< c', '< b', '< a']);
    expect(textOf(result)).toBe('a(b(c(abc)))');
  });

  test('cannot replace standard members either', async () => {
    const forge = defineMiddleware(({ next }) => next({ principal: { id: 'root' } } as object));
    expect(codeOf(await run([combineMiddleware(forge, pass)], () => 1))).toBe('INVALID_DEFINITION');
    expect(codeOf(await run([combineMiddleware(pass, forge)], () => 1))).toBe('INVALID_DEFINITION');
  });

  const twice = defineMiddleware(async ({ next }) => {
    await next();
    return next();
  });
  const repeats = allowRepeatedNext(defineMiddleware(({ next }) => next()));

  test('go on once each', async () => {
    let runs = 0;
    const count = (): number => (runs += 1);
    expect(codeOf(await run([combineMiddleware(twice, pass)], count))).toBe('INVALID_MIDDLEWARE');
    expect(codeOf(await run([combineMiddleware(pass, twice)], count))).toBe('INVALID_MIDDLEWARE');
    expect(runs).toBe(2);
  });

  test('go on once each also where the other may repeat', async () => {
    let runs = 0;
    const count = (): number => (runs += 1);
    expect(codeOf(await run([combineMiddleware(twice, repeats)], count))).toBe('INVALID_MIDDLEWARE');
    expect(codeOf(await run([combineMiddleware(repeats, twice)], count))).toBe('INVALID_MIDDLEWARE');
    expect(runs).toBe(2);
  });

  test('may repeat where one of them says so', async () => {
    for (const order of ['outer', 'inner']) {
      let runs = 0;
      const retryOnce = allowRepeatedNext(defineMiddleware(({ next }) => next().catch(() => next())));
      const both =
        order === 'outer' ? combineMiddleware(retryOnce, pass) : combineMiddleware(pass, retryOnce);
      const { result } = await run([both], () => {
        runs += 1;
        return runs === 1 ? throwValue(new Error('first')) : 'second';
      });
      expect(textOf(result)).toBe('second');
    }
  });
});
