import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { answer, createTool, defineMiddleware, ToolRegistry } from '../../../src/index.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { recordLog } from '../../support/log-recorder.ts';
import { pass, textOf } from './run-chain.ts';

describe('a call through a chain', () => {
  const tool = (handler: (signal: AbortSignal) => unknown, signals: AbortSignal[]) =>
    createTool('t')
      .use(({ context, next }) => {
        signals.push(context.signal);
        return next();
      })
      .action({ name: 'a', timeoutMs: 100, handler: ({ context }) => handler(context.signal) });

  test('has a deadline, which every layer is told of', async () => {
    const [clock, signals] = [new FakeClock(), [] as AbortSignal[]];
    const registry = new ToolRegistry({ clock }).register(
      tool((signal) => {
        signals.push(signal);
        return new Promise(() => {});
      }, signals),
    );
    const running = registry.executeTool({ name: 't', arguments: { action: 'a' } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    clock.advance(100);
    expect(textOf(await running)).toBe("[t/a] Tool 't.a' did not finish within 100 ms and was stopped.");
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(clock.pending).toBe(0);
  });

  test('can be cancelled, which every layer is told of', async () => {
    const [clock, signals, caller] = [new FakeClock(), [] as AbortSignal[], new AbortController()];
    const registry = new ToolRegistry({ clock }).register(tool(() => new Promise(() => {}), signals));
    const running = registry.executeTool({ name: 't', arguments: { action: 'a' }, signal: caller.signal });
    caller.abort('enough');
    expect(textOf(await running)).toBe("[t/a] The call of 't.a' was cancelled.");
    expect([signals[0]?.aborted, signals[0]?.reason, clock.pending]).toEqual([true, 'enough', 0]);
  });

  test('has a deadline while a middleware waits', async () => {
    const clock = new FakeClock();
    const registry = new ToolRegistry({ clock, timeoutMs: 100 })
      .use(() => new Promise<never>(() => {}))
      .register({
        name: 't',
        description: 'T',
        inputSchema: z.object({}),
        handler: () => 1,
      });
    const running = registry.executeTool({ name: 't' });
    clock.advance(100);
    expect(textOf(await running)).toBe("Tool 't' did not finish within 100 ms and was stopped.");
  });

  test('is held to the output schema with what the middleware made of it', async () => {
    const builder = (value: unknown) =>
      createTool('t')
        .use(async ({ next }) => (await next()).withValue(value))
        .action({ name: 'a', outputSchema: z.object({ n: z.number() }), handler: () => ({ n: 1 }) });
    expect(await builder({ n: 2, extra: 1 }).execute({}, { action: 'a' })).toMatchObject({
      structuredContent: { n: 2 },
    });
    const { logger } = recordLog();
    const wrong = await builder({ n: 'two' }).execute({}, { action: 'a' }, { logger });
    expect(wrong).toMatchObject({ isError: true, _meta: { 'toolwright/error': { code: 'INVALID_OUTPUT' } } });
    const mended = createTool('t')
      .use(async ({ next }) => (await next()).withValue({ n: 3 }))
      .action({ name: 'a', outputSchema: z.object({ n: z.number() }), handler: () => ({ n: 'x' }) as never });
    expect(await mended.execute({}, { action: 'a' })).toMatchObject({ structuredContent: { n: 3 } });
  });

  test('an answer of a middleware is held to the output schema too', async () => {
    const { logger } = recordLog();
    const builder = createTool('t')
      .use(() => answer('a text'))
      .action({ name: 'a', outputSchema: z.object({ n: z.number() }), handler: () => ({ n: 1 }) });
    expect(await builder.execute({}, { action: 'a' }, { logger })).toMatchObject({
      _meta: { 'toolwright/error': { code: 'INVALID_OUTPUT' } },
    });
  });

  test('does not begin with arguments that do not fit', async () => {
    const trace: unknown[] = [];
    const builder = createTool('t')
      .use(({ next }) => {
        trace.push('middleware');
        return next();
      })
      .action({ name: 'a', schema: z.object({ n: z.number() }), handler: () => trace.push('handler') });
    for (const args of [{ action: 'a' }, { action: 'a', n: 'x' }, { action: 'b' }, {}])
      expect((await builder.execute({}, args)).isError).toBe(true);
    expect(trace).toEqual([]);
    await builder.execute({}, { action: 'a', n: 1 });
    expect(trace).toEqual(['middleware', 'handler']);
  });

  test('does not begin for a tool or an action that is hidden', async () => {
    const trace: unknown[] = [];
    const registry = new ToolRegistry({ policy: (subject) => subject.name !== 'secret' })
      .use(({ subject, next }) => {
        trace.push(subject.name);
        return next();
      })
      .register({ name: 'secret', description: 'S', inputSchema: z.object({}), handler: () => 1 })
      .register(
        createTool('t')
          .action({ name: 'hidden', scopes: ['admin'], handler: () => 1 })
          .action({ name: 'open', handler: () => 1 }),
      );
    await registry.executeTool({ name: 'secret' });
    await registry.executeTool({ name: 't', arguments: { action: 'hidden' } });
    expect(trace).toEqual([]);
    await registry.executeTool({ name: 't', arguments: { action: 'open' } });
    expect(trace).toEqual(['t.open']);
  });

  test('runs around a preview as around the handler', async () => {
    const trace: unknown[] = [];
    const traced = defineMiddleware(({ subject, next }) => {
      trace.push(subject.name);
      return next();
    });
    const builder = createTool('t').action({
      name: 'wipe',
      confirm: 'preview',
      middleware: [traced],
      preview: () => trace.push('preview'),
      handler: () => trace.push('handler'),
    });
    await builder.execute({}, { action: 'wipe' });
    expect(trace).toEqual(['t.wipe', 'preview']);
  });

  test('without middleware stays as synchronous as its handler: no timer is set', async () => {
    const clock = new FakeClock();
    let timers = 0;
    const counting = {
      now: () => clock.now(),
      schedule: (callback: () => void, delayMs: number) => {
        timers += 1;
        return clock.schedule(callback, delayMs);
      },
    };
    const registry = new ToolRegistry({ clock: counting, rateLimit: false }).register({
      name: 't',
      description: 'T',
      inputSchema: z.object({}),
      handler: () => 'at once',
    });
    const builder = createTool('g').action({ name: 'a', handler: () => 'at once' });
    registry.register(builder);
    expect(textOf(await registry.executeTool({ name: 't' }))).toBe('at once');
    expect(textOf(await registry.executeTool({ name: 'g', arguments: { action: 'a' } }))).toBe('at once');
    expect(timers).toBe(0);
    registry.use(pass);
    await registry.executeTool({ name: 't' });
    expect(timers).toBe(1);
  });
});
