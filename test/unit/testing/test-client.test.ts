import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { createTool, defineTool, ToolRegistry } from '../../../src/index.ts';
import { connectTestClient, TestProtocolError } from '../../../src/testing.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { unknownTool } from '../../support/refused.ts';

const add = defineTool({
  name: 'add',
  description: 'Adds',
  inputSchema: z.object({ a: z.number(), b: z.number().default(1) }),
  outputSchema: z.object({ sum: z.number() }),
  handler: async ({ input, context }) => {
    await context.progress(1, 1);
    return { sum: input.a + input.b };
  },
});

describe('the test client', () => {
  test('calls by definition and by name', async () => {
    await using client = connectTestClient(new ToolRegistry().register(add));
    expect((await client.call(add, { a: 1 })).structured.sum).toBe(2);
    expect(await client.callTool('add', { a: 1, b: 4 })).toEqual({
      raw: { content: [{ type: 'text', text: '{"sum":5}' }], structuredContent: { sum: 5 } },
      text: '{"sum":5}',
      structured: { sum: 5 },
      isError: false,
      error: undefined,
      progress: [{ progress: 1, total: 1 }],
    });
  });

  test('says how a grouped tool is called', async () => {
    const todos = createTool('todos').action({ name: 'list', handler: () => [] });
    await using client = connectTestClient(new ToolRegistry().register(todos));
    await expect(client.call(todos as never, {})).rejects.toThrow(
      `Tool "todos" is grouped: use client.callTool('todos', { action: 'list', … }).`,
    );
  });

  test('lists what its principal may see', async () => {
    const registry = new ToolRegistry({ policy: (_tool, { principal }) => principal?.id === 'ada' }).register(
      add,
    );
    await using ada = connectTestClient(registry, { principal: { id: 'ada' } });
    await using eve = connectTestClient(registry, { principal: { id: 'eve' } });
    expect([(await ada.listTools()).length, (await eve.listTools()).length]).toEqual([1, 0]);
    await expect(eve.call(add, { a: 1 })).rejects.toMatchObject({
      code: 'UNKNOWN_TOOL',
      message: unknownTool('add').message,
    });
  });

  test('sends arguments as JSON: what JSON cannot carry does not arrive', async () => {
    const seen: unknown[] = [];
    const registry = new ToolRegistry().register({
      name: 'look',
      description: 'L',
      inputSchema: z.looseObject({}),
      handler: ({ input }) => void seen.push(input),
    });
    await using client = connectTestClient(registry);
    await client.callTool('look', { at: new Date(0), gone: undefined, fn: () => 1 });
    expect(seen).toEqual([{ at: '1970-01-01T00:00:00.000Z' }]);
  });

  test('gives bad input as a result, and an error of the protocol as an exception', async () => {
    await using client = connectTestClient(new ToolRegistry().register(add));
    const bad = await client.callTool('add', {});
    expect([bad.isError, bad.error?.code, bad.error?.issues?.[0]?.path]).toEqual([
      true,
      'INVALID_ARGUMENTS',
      ['a'],
    ]);
    const unknown = client.callTool('sub');
    await expect(unknown).rejects.toBeInstanceOf(TestProtocolError);
    await expect(unknown).rejects.toMatchObject({ code: 'UNKNOWN_TOOL', jsonRpcCode: -32602 });
  });

  test('passes on the context of the registry', async () => {
    const registry = new ToolRegistry<{ user: string }>().register({
      name: 'who',
      description: 'W',
      inputSchema: z.object({}),
      handler: ({ context }) => context.user,
    });
    await using client = connectTestClient(registry, { context: { user: 'ada' } });
    expect((await client.callTool('who')).text).toBe('ada');
  });

  test('cancels what is under way when it is closed, and refuses to go on', async () => {
    let reason: unknown;
    const registry = new ToolRegistry({ clock: new FakeClock() }).register({
      name: 'hang',
      description: 'H',
      inputSchema: z.object({}),
      handler: ({ context }) =>
        new Promise(() => context.signal.addEventListener('abort', () => (reason = context.signal.reason))),
    });
    const client = connectTestClient(registry);
    const pending = client.callTool('hang');
    await client.close();
    expect((await pending).error?.code).toBe('CANCELLED');
    expect(String(reason)).toBe('Error: The test client was closed.');
    await expect(client.callTool('hang')).rejects.toThrow('This test client is closed. Connect a new one.');
  });

  test.each([
    ['one signal', (signal: AbortSignal) => ({ signal })],
    ['no signal', () => ({})],
  ])('20 concurrent calls with %s make Node warn of nothing, and all are cancelled', async (_, toOptions) => {
    const warnings: string[] = [];
    const keep = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', keep);
    onTestFinished(() => void process.off('warning', keep));
    const registry = new ToolRegistry({ clock: new FakeClock(), rateLimit: false }).register({
      name: 'hang',
      description: 'H',
      inputSchema: z.object({}),
      handler: () => new Promise(() => {}),
    });
    const client = connectTestClient(registry);
    const controller = new AbortController();
    const options = toOptions(controller.signal);
    const pending = Array.from({ length: 20 }, () => client.callTool('hang', {}, options));
    // The same signal without a test client around it.
    const { signal } = controller;
    const direct = Array.from({ length: 20 }, () => registry.executeTool({ name: 'hang', signal }));
    // Node emits warnings in a later tick.
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await client.close();
    const codes = (await Promise.all(pending)).map(({ error }) => error?.code);
    expect(new Set(codes)).toEqual(new Set(['CANCELLED']));
    expect((await Promise.all(direct)).filter(({ isError }) => isError)).toHaveLength(20);
    expect(warnings).toEqual([]);
  });

  test('cancels one call through its signal', async () => {
    const registry = new ToolRegistry({ clock: new FakeClock() }).register({
      name: 'hang',
      description: 'H',
      inputSchema: z.object({}),
      handler: () => new Promise(() => {}),
    });
    await using client = connectTestClient(registry);
    const controller = new AbortController();
    const pending = client.callTool('hang', {}, { signal: controller.signal });
    controller.abort();
    expect((await pending).error?.code).toBe('CANCELLED');
  });
});
