import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { toFetchHandler } from '../../../src/fetch.ts';
import { createServer, ToolRegistry } from '../../../src/index.ts';
import type { Principal, ToolContext, ToolwrightServer } from '../../../src/index.ts';
import { MemoryStateStore } from '../../../src/stores.ts';
import type { StateStore } from '../../../src/stores.ts';
import { connectTestClient } from '../../../src/testing.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { RawClient } from '../../support/raw-client.ts';

type Use = (context: ToolContext) => Promise<unknown>;

interface ServedOptions {
  readonly name?: string;
  readonly stateStore?: StateStore;
  readonly clock?: FakeClock;
}

/** A server whose tool, prompt and resource do what the test says; `use` may be changed between calls. */
function serve(options: ServedOptions = {}): { server: ToolwrightServer; does: { use: Use } } {
  const does: { use: Use } = { use: async () => 'nothing' };
  const run = async ({ context }: { context: ToolContext }): Promise<string> =>
    JSON.stringify((await does.use(context)) ?? null);
  const tool = { description: 'Uses state', inputSchema: z.object({}), handler: run };
  const server = createServer({
    name: 'shop',
    version: '1.0.0',
    ...options,
    tools: [
      { name: 'use', ...tool },
      { name: 'work', ...tool, task: 'required' },
    ],
    prompts: [
      {
        name: 'use',
        handler: run,
        arguments: [{ name: 'who' }],
        complete: { who: async (_value, call) => [await run(call)] },
      },
    ],
    resources: [{ uri: 'shop://use', name: 'use', contentProvider: run }],
  });
  return { server, does };
}

const ADA: Principal = { id: 'ada' };

/** Runs functions as one caller, each in a call of its own. */
async function runAs(
  served: ReturnType<typeof serve>,
  principal: Principal | undefined,
  ...uses: Use[]
): Promise<unknown[]> {
  await using client = connectTestClient(served.server, principal === undefined ? {} : { principal });
  const results: unknown[] = [];
  for (const use of uses) {
    served.does.use = use;
    const { text, error } = await client.callTool('use');
    results.push(error === undefined ? JSON.parse(text) : error.code);
  }
  return results;
}

describe('context.state', () => {
  test('keeps JSON values between calls', async () => {
    const results = await runAs(
      serve(),
      ADA,
      ({ state }) => state.get('cart'),
      ({ state }) => state.set('cart', { items: ['milk'], at: new Date(0) }),
      ({ state }) => state.get('cart'),
      ({ state }) => state.set('cart', [1], { ifAbsent: true }),
      ({ state }) => state.take('cart'),
      ({ state }) => state.take('cart'),
      ({ state }) => state.set('cart', null),
      ({ state }) => state.get('cart'),
      ({ state }) => state.delete('cart'),
      ({ state }) => state.set('cart', 2, { ifAbsent: true }),
    );
    const cart = { items: ['milk'], at: '1970-01-01T00:00:00.000Z' };
    expect(results).toEqual([null, true, cart, false, cart, null, true, null, null, true]);
  });

  test('belongs to a principal and its tenant, at one server', async () => {
    const stateStore = new MemoryStateStore();
    const [shop, bank] = [serve({ stateStore }), serve({ name: 'bank', stateStore })];
    await runAs(shop, ADA, ({ state }) => state.set('pin', 1234));
    const get: Use = async ({ state }) => [await state.get('pin'), await state.take('pin')];
    expect(await runAs(shop, { id: 'eve' }, get)).toEqual([[null, null]]);
    expect(await runAs(shop, { id: 'ada', tenant: 'acme' }, get)).toEqual([[null, null]]);
    expect(await runAs(bank, ADA, get)).toEqual([[null, null]]);
    expect(await runAs(shop, ADA, get)).toEqual([[1234, 1234]]);
  });

  test('expires, after a day by default', async () => {
    const clock = new FakeClock();
    const served = serve({ clock });
    const get: Use = async ({ state }) => [await state.get('short'), await state.get('long')];
    await runAs(
      served,
      ADA,
      ({ state }) => state.set('short', 1, { ttlMs: 500 }),
      ({ state }) => state.set('long', 2),
    );
    clock.advance(500);
    expect(await runAs(served, ADA, get)).toEqual([[null, 2]]);
    clock.advance(86_400_000 - 501);
    expect(await runAs(served, ADA, get)).toEqual([[null, 2]]);
    clock.advance(1);
    expect(await runAs(served, ADA, get)).toEqual([[null, null]]);
  });

  test('is bounded: the caller gets an error that says so, and others are not affected', async () => {
    const served = serve({ stateStore: new MemoryStateStore({ maxEntriesPerOwner: 1 }) });
    const set =
      (key: string): Use =>
      ({ state }) =>
        state.set(key, 1);
    expect(await runAs(served, ADA, set('a'), set('b'), ({ createHandle }) => createHandle(1))).toEqual([
      true,
      'STATE_FULL',
      'STATE_FULL',
    ]);
    expect(await runAs(served, { id: 'eve' }, set('b'))).toEqual([true]);
  });

  test.each([
    [
      'a cycle',
      (() => {
        const value: unknown[] = [];
        value.push(value);
        return value;
      })(),
      'it contains itself (a cycle)',
    ],
    ['undefined', undefined, 'undefined has no JSON form'],
    ['a BigInt', 1n, 'it contains a BigInt; convert it to a string or a number'],
  ])('cannot keep %s', async (_name, value, reason) => {
    const seen: unknown[] = [];
    const keep =
      (what: (context: ToolContext) => Promise<unknown>): Use =>
      async (context) => {
        await what(context).catch((error: unknown) => seen.push((error as Error).message));
      };
    await runAs(
      serve(),
      ADA,
      keep(({ state }) => state.set('a', value)),
      keep(({ createHandle }) => createHandle(value)),
    );
    expect(seen).toEqual([
      `The value of key "a" cannot be stored: ${reason}.`,
      `The value of a handle cannot be stored: ${reason}.`,
    ]);
  });

  test('says which value cannot be kept', async () => {
    const result = { message: '' };
    await runAs(serve(), ADA, async ({ state }) =>
      state.set('cart', undefined).catch((error: unknown) => {
        result.message = (error as Error).message;
      }),
    );
    expect(result.message).toBe('The value of key "cart" cannot be stored: undefined has no JSON form.');
  });

  test('rejects wrong keys and options', async () => {
    const seen: unknown[] = [];
    const wrong: ((context: ToolContext) => Promise<unknown>)[] = [
      ({ state }) => state.get(''),
      ({ state }) => state.set(7 as never, 1),
      ({ state }) => state.set('a', 1, { ttlMs: 0 }),
      ({ state }) => state.set('a', 1, { ttl: 5 } as never),
      ({ createHandle }) => createHandle(1, { ttlMs: 1.5 }),
    ];
    await runAs(
      serve(),
      ADA,
      ...wrong.map((use): Use => async (context) => {
        await use(context).catch((error: unknown) => seen.push((error as Error).message));
      }),
    );
    expect(seen).toEqual([
      "Missing key of a value. Write: context.state.get('cart').",
      "Missing key of a value. Write: context.state.get('cart').",
      'context.state: ttlMs must be an integer of at least 1; received 0.',
      'Unknown option "ttl" of context.state. Options: ttlMs, ifAbsent.',
      'context.createHandle: ttlMs must be an integer of at least 1; received 1.5.',
    ]);
  });

  test('reads garbage in a shared store as no value, and pollutes nothing', async () => {
    const texts = ['{', '', 'undefined', '{"__proto__":{"polluted":true}}'];
    const stateStore: StateStore = {
      get: () => texts.shift(),
      set: () => true,
      take: async () => texts.shift(),
      delete: () => {},
    };
    const get: Use = ({ state }) => state.get('a');
    const results = await runAs(serve({ stateStore }), ADA, get, get, ({ state }) => state.take('a'), get);
    expect(results.slice(0, 3)).toEqual([null, null, null]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('gives a store neither ids nor tokens', async () => {
    const owners = new Set<string>();
    const stateStore: StateStore = {
      get: (owner) => void owners.add(owner),
      set: () => true,
      take: () => undefined,
      delete: () => {},
    };
    const served = serve({ stateStore });
    await runAs(served, { id: 'ada@example.com' }, ({ state }) => state.get('a'));
    await using client = connectTestClient(served.server, { accessToken: 'secret-token' });
    await client.callTool('use');
    expect(Array.from(owners)).toHaveLength(2);
    for (const owner of owners) expect(owner).toMatch(/^[\da-f]{64}$/);
  });

  test('tools, prompts, resources, completions and tasks of one caller share it', async () => {
    const { does, server } = serve();
    await using client = connectTestClient(server, { principal: ADA });
    does.use = async ({ state }) => {
      const count = ((await state.get<number>('count')) ?? 0) + 1;
      await state.set('count', count);
      return count;
    };
    const { values } = await client.complete({ prompt: 'use' }, { name: 'who', value: '' });
    const texts = [
      (await client.callTool('use')).text,
      (await client.getPrompt('use')).text,
      (await client.readResource('shop://use')).text,
      ...values,
    ];
    expect(texts).toEqual(['2', '3', '4', '1']);
    const raw = new RawClient(server, { principal: ADA });
    const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    const { result } = await raw.modern('tools/call', { name: 'work' }, tasks);
    const done = await untilDone(raw, result?.['taskId']);
    expect(done).toMatchObject({ status: 'completed', result: { content: [{ type: 'text', text: '5' }] } });
    await server.close();
  });

  test('belongs to the server also for a registry and tools with a name of their own', async () => {
    const stateStore = new MemoryStateStore();
    const handler = ({ context }: { context: ToolContext }): Promise<boolean> =>
      context.state.set('a', 1, { ifAbsent: true });
    const registry = new ToolRegistry({ name: 'inner' }).register({
      name: 'use',
      description: 'U',
      inputSchema: z.object({}),
      handler,
    });
    const results: string[] = [];
    for (const name of ['one', 'two', 'one']) {
      const server = createServer({ name, version: '1.0.0', tools: registry, stateStore });
      await using client = connectTestClient(server, { principal: ADA });
      results.push((await client.callTool('use')).text);
    }
    expect(results).toEqual(['true', 'true', 'false']);
  });
});

async function untilDone(raw: RawClient, taskId: unknown): Promise<Record<string, unknown> | undefined> {
  const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  for (let left = 1000; left > 0; left -= 1) {
    const { result } = await raw.modern('tasks/get', { taskId }, tasks);
    if (result?.['status'] !== 'working') return result;
  }
  throw new Error('the task did not end');
}

describe('a handle', () => {
  const create: Use = ({ createHandle }) => createHandle({ page: 2 });

  test('is a short random id, which its caller reads as often as it wants', async () => {
    const served = serve();
    const [first, second] = (await runAs(served, ADA, create, create)) as [string, string];
    expect(first).toMatch(/^[\da-f]{32}$/);
    expect(second).not.toBe(first);
    const read: Use = ({ readHandle }) => readHandle(first);
    expect(await runAs(served, ADA, read, read)).toEqual([{ page: 2 }, { page: 2 }]);
  });

  test('of another caller, of another server and of nobody are all the same', async () => {
    const stateStore = new MemoryStateStore();
    const [shop, bank] = [serve({ stateStore }), serve({ name: 'bank', stateStore })];
    const [handle] = (await runAs(shop, ADA, create)) as [string];
    const read =
      (which: unknown): Use =>
      async ({ readHandle }) => [await readHandle(which as string)];
    expect(await runAs(shop, { id: 'eve' }, read(handle))).toEqual([[null]]);
    expect(await runAs(bank, ADA, read(handle))).toEqual([[null]]);
    const nobodys = ['0'.repeat(32), '', 'a:b', '__proto__', undefined, 7, null];
    for (const unknown of nobodys) expect(await runAs(shop, ADA, read(unknown))).toEqual([[null]]);
  });

  test('is no key of the state, and a key is no handle', async () => {
    const served = serve();
    const [handle] = (await runAs(served, ADA, create)) as [string];
    const uses: Use[] = [
      ({ state }) => state.get(handle),
      ({ state }) => state.get(`handle:${handle}`),
      ({ state }) => state.set('a', 1),
      ({ readHandle }) => readHandle('a'),
      ({ readHandle }) => readHandle('state:a'),
    ];
    expect(await runAs(served, ADA, ...uses)).toEqual([null, null, true, null, null]);
  });

  test('expires, after an hour by default', async () => {
    const clock = new FakeClock();
    const served = serve({ clock });
    const [long, short] = (await runAs(served, ADA, create, ({ createHandle }) =>
      createHandle(1, { ttlMs: 500 }),
    )) as [string, string];
    const read: Use = async ({ readHandle }) => [await readHandle(long), await readHandle(short)];
    clock.advance(500);
    expect(await runAs(served, ADA, read)).toEqual([[{ page: 2 }, null]]);
    clock.advance(3_600_000 - 500);
    expect(await runAs(served, ADA, read)).toEqual([[null, null]]);
  });
});

describe('an anonymous caller', () => {
  const count: Use = async ({ state }) => {
    const next = ((await state.get<number>('count')) ?? 0) + 1;
    await state.set('count', next);
    return next;
  };

  test('in memory has the state of its connection', async () => {
    const { server, does } = serve();
    does.use = count;
    const texts: unknown[] = [];
    const [first, second] = [new RawClient(server), new RawClient(server)];
    for (const client of [first, first, second]) {
      const { result } = await client.modern('tools/call', { name: 'use' });
      texts.push((result as { content: [{ text: string }] }).content[0].text);
    }
    expect(texts).toEqual(['1', '2', '1']);
    await server.close();
  });

  const INIT = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const MESSAGE =
    'This call stores data for its caller, but the caller is anonymous and shares the connection with others. Send credentials; the server must authenticate requests.';

  test.each(['state', 'createHandle', 'readHandle'] as const)(
    'over HTTP has no %s, in any revision',
    async (part) => {
      const { server, does } = serve();
      const uses = {
        state: ({ state }: ToolContext) => state.get('a'),
        createHandle: ({ createHandle }: ToolContext) => createHandle(1),
        readHandle: ({ readHandle }: ToolContext) => readHandle('a'),
      };
      does.use = uses[part];
      const handle = toFetchHandler(server);
      const post = (body: object, more: object = {}): Promise<Response> =>
        handle(
          new Request('http://localhost/mcp', {
            method: 'POST',
            headers: { ...headers, ...more },
            body: JSON.stringify(body),
          }),
        );
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const modern = await post(
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'use', _meta } },
        { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'use' },
      );
      expect(await modern.text()).toContain(MESSAGE);
      const session = (await post(INIT)).headers.get('mcp-session-id') ?? '';
      const legacy = await post(
        { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'use' } },
        { 'mcp-session-id': session },
      );
      expect(await legacy.text()).toContain(MESSAGE);
      await server.close();
    },
  );

  test('that calls a registry without a connection has none either', async () => {
    const registry = new ToolRegistry().register({
      name: 'use',
      description: 'U',
      inputSchema: z.object({}),
      handler: ({ context }) => context.state.get('a'),
    });
    const result = await registry.executeTool({ name: 'use' });
    expect(result.content).toEqual([{ type: 'text', text: MESSAGE }]);
  });
});
