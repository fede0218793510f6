import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defineToolFor, ToolRegistry } from '../../../src/index.ts';
import type { Principal, ProgressUpdate } from '../../../src/index.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { recordLog } from '../../support/log-recorder.ts';

const empty = z.object({});

describe('the context of a handler', () => {
  test('has the standard members', async () => {
    const seen: unknown[] = [];
    const principal: Principal = { id: 'ada', scopes: ['read'] };
    const registry = new ToolRegistry().register({
      name: 'look',
      description: 'L',
      inputSchema: z.object({ n: z.number().default(1) }),
      security: { operation: 'inspect' },
      handler: ({ input, context }) => {
        seen.push(
          input,
          context.name,
          context.operation,
          context.accessToken,
          context.principal,
          context.rawArguments,
        );
        seen.push(context.signal.aborted, typeof context.log.info, typeof context.cache.wrap);
      },
    });
    await registry.executeTool({ name: 'look', arguments: { x: 1 }, accessToken: 'token', principal });
    expect(seen).toEqual([
      { n: 1 },
      'look',
      'inspect',
      'token',
      principal,
      { x: 1 },
      false,
      'function',
      'function',
    ]);
  });

  test('logs under the name of the tool', async () => {
    const { logger, entries } = recordLog();
    const registry = new ToolRegistry({ logger }).register({
      name: 'note',
      description: 'N',
      inputSchema: empty,
      handler: ({ context }) => context.log.warning('careful', { id: 7 }),
    });
    await registry.executeTool({ name: 'note' });
    expect(entries[0]).toEqual({ level: 'warning', message: 'careful', fields: { tool: 'note', id: 7 } });
  });

  test('shares one cache among the tools of a registry', async () => {
    let loads = 0;
    const load = async (): Promise<number> => (loads += 1);
    const registry = new ToolRegistry();
    for (const name of ['a', 'b']) {
      registry.register({
        name,
        description: name,
        inputSchema: empty,
        handler: ({ context }) => context.cache.wrap('key', load),
      });
    }
    const results = await Promise.all([
      registry.executeTool({ name: 'a' }),
      registry.executeTool({ name: 'b' }),
    ]);
    expect(results.map((result) => result.content)).toEqual([
      [{ type: 'text', text: '1' }],
      [{ type: 'text', text: '1' }],
    ]);
  });
});

describe("the application's own context", () => {
  interface AppContext {
    readonly user: string;
  }
  const whoami = defineToolFor<AppContext>()({
    name: 'whoami',
    description: 'W',
    inputSchema: empty,
    handler: ({ context }) => `${context.user}/${context.name}`,
  });
  const textOf = (result: { content: readonly unknown[] }): unknown => result.content[0];

  test('comes from createContext, which sees the call', async () => {
    const registry = new ToolRegistry<AppContext>({
      createContext: async (call) => ({ user: call.principal?.id ?? 'nobody' }),
    }).register(whoami);
    expect(textOf(await registry.executeTool({ name: 'whoami', principal: { id: 'ada' } }))).toEqual({
      type: 'text',
      text: 'ada/whoami',
    });
  });

  test('comes with the call', async () => {
    const registry = new ToolRegistry<AppContext>().register(whoami);
    expect(textOf(await registry.executeTool({ name: 'whoami', context: { user: 'bob' } }))).toMatchObject({
      text: 'bob/whoami',
    });
    expect(textOf(await registry.routeCall({ user: 'eve' }, 'whoami', {}))).toMatchObject({
      text: 'eve/whoami',
    });
  });

  test('that comes with the call wins over createContext', async () => {
    const registry = new ToolRegistry<AppContext>({ createContext: () => ({ user: 'made' }) }).register(
      whoami,
    );
    expect(textOf(await registry.routeCall({ user: 'given' }, 'whoami'))).toMatchObject({
      text: 'given/whoami',
    });
    expect(textOf(await registry.executeTool({ name: 'whoami' }))).toMatchObject({ text: 'made/whoami' });
  });

  test('cannot replace a standard member', async () => {
    const { logger, entries } = recordLog();
    const registry = new ToolRegistry<{ signal: string }>({ logger }).register({
      name: 't',
      description: 'T',
      inputSchema: empty,
      handler: () => 'ran',
    });
    const result = await registry.executeTool({ name: 't', context: { signal: 'mine' } });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(entries)).toContain('The context member \\"signal\\" is reserved by Toolwright.');
  });

  test('does not leak from one call into the next', async () => {
    const registry = new ToolRegistry<Partial<AppContext>>().register({
      name: 't',
      description: 'T',
      inputSchema: empty,
      handler: ({ context }) => String(context.user),
    });
    await registry.executeTool({ name: 't', context: { user: 'ada' } });
    expect(textOf(await registry.executeTool({ name: 't' }))).toMatchObject({ text: 'undefined' });
  });
});

describe('progress', () => {
  const registry = new ToolRegistry().register({
    name: 'work',
    description: 'W',
    inputSchema: empty,
    handler: async ({ context: { progress } }) => {
      await progress(1, 4);
      await progress({ progress: 2, total: 4, message: 'half' });
      await progress(3);
      setImmediate(() => void progress(4));
      return 'done';
    },
  });

  test('reaches the caller until the call is answered, and not after', async () => {
    const seen: ProgressUpdate[] = [];
    await registry.executeTool({ name: 'work', onProgress: (update) => void seen.push(update) });
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(seen).toEqual([
      { progress: 1, total: 4 },
      { progress: 2, total: 4, message: 'half' },
      { progress: 3 },
    ]);
  });

  test('that cannot be sent does not fail the call', async () => {
    const result = await registry.executeTool({
      name: 'work',
      onProgress: () => Promise.reject(new Error('gone')),
    });
    expect(result.isError).toBeUndefined();
  });

  test('carries nothing but progress, total and message, and only numbers', async () => {
    const seen: unknown[] = [];
    const odd = new ToolRegistry({ logger: recordLog().logger }).register({
      name: 'odd',
      description: 'O',
      inputSchema: empty,
      handler: async ({ context: { progress } }) => {
        await progress({ progress: 1, total: Number.NaN, progressToken: 999 } as never);
        await progress(Number.NaN);
        await progress({} as never);
      },
    });
    await odd.executeTool({ name: 'odd', onProgress: (update) => void seen.push(update) });
    expect(seen).toEqual([{ progress: 1 }]);
  });

  test('costs nothing if it is not used', async () => {
    expect((await registry.executeTool({ name: 'work' })).content).toEqual([{ type: 'text', text: 'done' }]);
  });
});

describe('cancellation', () => {
  const reasons: unknown[] = [];
  const registry = new ToolRegistry({ clock: new FakeClock() }).register({
    name: 'wait',
    description: 'W',
    inputSchema: empty,
    handler: ({ context }) =>
      new Promise((resolve) => {
        context.signal.addEventListener('abort', () => {
          reasons.push(context.signal.reason);
          resolve('too late');
        });
      }),
  });

  test('reaches the handler and answers at once', async () => {
    const controller = new AbortController();
    const answer = registry.executeTool({ name: 'wait', signal: controller.signal });
    controller.abort('changed my mind');
    expect((await answer)._meta?.['toolwright/error']).toEqual({ code: 'CANCELLED' });
    expect(reasons).toEqual(['changed my mind']);
  });

  test('while the handler runs its synchronous part is not missed', async () => {
    const controller = new AbortController();
    const sly = new ToolRegistry({ clock: new FakeClock() }).register({
      name: 't',
      description: 'T',
      inputSchema: empty,
      handler: () => {
        controller.abort();
        return new Promise(() => {});
      },
    });
    const result = await sly.executeTool({ name: 't', signal: controller.signal });
    expect(result._meta?.['toolwright/error']).toEqual({ code: 'CANCELLED' });
  });

  test('before the call keeps the handler from running', async () => {
    let ran = false;
    const other = new ToolRegistry().register({
      name: 't',
      description: 'T',
      inputSchema: empty,
      handler: () => (ran = true),
    });
    const result = await other.executeTool({ name: 't', signal: AbortSignal.abort() });
    expect([ran, result._meta?.['toolwright/error']]).toEqual([false, { code: 'CANCELLED' }]);
  });

  test('leaves no listener behind on the signal of the caller', async () => {
    const controller = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = controller.signal;
    controller.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(controller.signal, args);
    };
    controller.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(controller.signal, args);
    };
    const other = new ToolRegistry().register({
      name: 't',
      description: 'T',
      inputSchema: empty,
      handler: async () => 'ok',
    });
    await other.executeTool({ name: 't', signal: controller.signal });
    expect(listeners).toBe(0);
  });

  test('a signal asked for after the deadline is aborted already', async () => {
    const clock = new FakeClock();
    let release: () => void = () => {};
    let late: Promise<boolean> | undefined;
    const slow = new ToolRegistry({ clock }).register({
      name: 't',
      description: 'T',
      inputSchema: empty,
      handler: ({ context }) => {
        late = new Promise<void>((resolve) => (release = resolve)).then(() => context.signal.aborted);
        return late;
      },
    });
    const answer = slow.executeTool({ name: 't' });
    clock.advance(50_000);
    await answer;
    release();
    expect(await late).toBe(true);
  });
});
