import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createServer, defineTool } from '../../../src/index.ts';
import type { Caller } from '../../../src/pipeline/tool/policy.ts';
import { servedOf } from '../../../src/server/served-of.ts';
import type { ServerOptions } from '../../../src/server/server-options.ts';
import { DuplexConnection } from '../../../src/wire/sessions/duplex-connection.ts';
import type { DuplexOptions } from '../../../src/wire/sessions/duplex-connection.ts';
import type { Served } from '../../../src/wire/served/served.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const MB = 1_048_576;

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly data?: { readonly code: string } };
}

/** A connection, and everything sent over it. */
class Peer {
  readonly served: Served;
  readonly sent: Message[] = [];
  readonly #connection: DuplexConnection;

  constructor(options: Partial<ServerOptions>, duplex: Partial<DuplexOptions> = {}) {
    this.served = servedOf(createServer({ name: 's', version: '1', rateLimit: false, ...options }));
    this.#connection = new DuplexConnection(this.served, {
      caller: {},
      ...duplex,
      send: (text) => {
        const message = JSON.parse(text) as Message | Message[];
        this.sent.push(...(Array.isArray(message) ? message : [message]));
      },
    });
  }

  get usedBytes(): number {
    return this.served.memory.usedBytes;
  }

  say(message: object, caller?: Caller): void {
    this.#connection.receive(JSON.stringify(message), caller);
  }

  close(): void {
    this.#connection.close('The client closed the connection.');
  }

  call(id: number, name: string, args: object, caller?: Caller): void {
    const params = { name, arguments: args, _meta: META };
    this.say({ jsonrpc: '2.0', id, method: 'tools/call', params }, caller);
  }

  shakeHands(protocolVersion: string, capabilities: object = {}): void {
    const params = { protocolVersion, capabilities, clientInfo: { name: 'n'.repeat(MB), version: '1' } };
    this.say({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params });
    this.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  async until(isThere: (message: Message) => boolean): Promise<Message> {
    for (let turn = 0; turn < 100_000; turn += 1) {
      const found = this.sent.find(isThere);
      if (found !== undefined) return found;
      await new Promise((resolve) => setImmediate(resolve));
    }
    throw new Error(`nothing came: ${JSON.stringify(this.sent).slice(0, 500)}`);
  }
}

/** A tool that runs until it is released, and ignores its signal. */
function holder(): { tool: ReturnType<typeof defineTool>; goOn: () => void } {
  let goOn: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const tool = defineTool({
    name: 'hold',
    description: 'Holds what it was sent',
    inputSchema: z.object({ text: z.string().optional() }),
    handler: async () => {
      await gate;
      return 'done';
    },
  });
  return { tool, goOn };
}

const has =
  (id: number | string) =>
  (message: Message): boolean =>
    message.id === id;

describe('memory of requests', () => {
  test('is refused when there is no memory left for it; small requests are served all the same', async () => {
    const { tool, goOn } = holder();
    const peer = new Peer({ tools: [tool], limits: { maxMemoryBytes: 4 * MB } });
    peer.call(1, 'hold', { text: 'x'.repeat(3 * MB) });
    peer.call(2, 'hold', { text: 'x'.repeat(3 * MB) });
    expect((await peer.until(has(2))).error).toMatchObject({ code: -32603, data: { code: 'BUSY' } });
    peer.call(3, 'hold', {});
    goOn();
    expect((await peer.until(has(3))).result).toBeDefined();
    expect((await peer.until(has(1))).result).toBeDefined();
    expect(peer.usedBytes).toBe(0);
  });

  test('counts as long as a handler that was cancelled goes on with it', async () => {
    const { tool, goOn } = holder();
    const peer = new Peer({ tools: [tool], limits: { maxMemoryBytes: 4 * MB } });
    peer.call(1, 'hold', { text: 'x'.repeat(2 * MB) });
    peer.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await new Promise((resolve) => setImmediate(resolve));
    expect(peer.usedBytes).toBeGreaterThan(2 * MB);
    goOn();
    await new Promise((resolve) => setImmediate(resolve));
    expect(peer.usedBytes).toBe(0);
  });

  test('is what can be listened for, of a request that listens', () => {
    const peer = new Peer({ tools: [] });
    const params = {
      notifications: { toolsListChanged: true, other: 'x'.repeat(MB) },
      padding: 'x'.repeat(MB),
      _meta: META,
    };
    peer.say({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params });
    expect(peer.usedBytes).toBeLessThan(2000);
  });

  test('never becomes negative, whatever a batch contains', async () => {
    const { tool, goOn } = holder();
    const peer = new Peer({ tools: [tool] });
    peer.shakeHands('2025-03-26');
    await new Promise((resolve) => setImmediate(resolve));
    const before = peer.usedBytes;
    const params = { notifications: {}, _meta: META };
    const listening = Array.from({ length: 20 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'subscriptions/listen',
      params,
    }));
    const held = {
      jsonrpc: '2.0',
      id: 'held',
      method: 'tools/call',
      params: { name: 'hold', arguments: { text: 'x'.repeat(MB) } },
    };
    peer.say([...listening, held]);
    for (let id = 100; id < 105; id += 1)
      peer.say({ jsonrpc: '2.0', id, method: 'ping', params: { padding: 'x'.repeat(MB) } });
    await new Promise((resolve) => setImmediate(resolve));
    expect(peer.usedBytes).toBeGreaterThan(before + MB);
    goOn();
  });

  test('includes what clients answer, and is bounded for calls that wait for them', async () => {
    const { tool: _tool, goOn } = holder();
    const gate = new Promise<void>((resolve) => {
      setImmediate(() => setImmediate(resolve));
    });
    const ask = defineTool({
      name: 'ask',
      description: 'Asks',
      inputSchema: z.object({}),
      handler: async ({ context }) => {
        const answer = await context.ask('who', { message: 'Who?', schema: z.object({ name: z.string() }) });
        await gate;
        return answer.action;
      },
    });
    const peer = new Peer({ tools: [ask], limits: { maxMemoryBytes: 4 * MB } });
    peer.shakeHands('2025-11-25', { elicitation: {} });
    await new Promise((resolve) => setImmediate(resolve));
    const before = peer.usedBytes;
    const ask1 = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask', arguments: {} } };
    peer.say(ask1);
    await peer.until(({ method }) => method === 'elicitation/create');
    expect(peer.usedBytes).toBeGreaterThan(16_384);
    const result = { action: 'accept', content: { name: 'x'.repeat(2 * MB) } };
    peer.say({ jsonrpc: '2.0', id: 1, result });
    expect(peer.usedBytes).toBeGreaterThan(2 * MB);
    await peer.until(({ id, result: answer }) => id === 1 && answer !== undefined);
    expect(peer.usedBytes).toBe(before);
    peer.say({ ...ask1, id: 2 });
    await peer.until(({ id, method }) => id === 2 && method === 'elicitation/create');
    peer.say({
      jsonrpc: '2.0',
      id: 2,
      result: { action: 'accept', content: { name: 'x'.repeat(3.9 * MB) } },
    });
    expect(JSON.stringify(await peer.until(({ id, method }) => id === 2 && method === undefined))).toContain(
      'memory',
    );
    goOn();
  });

  test('does not include more of a name than is kept', async () => {
    const peer = new Peer({ tools: [] });
    peer.shakeHands('2025-11-25');
    await new Promise((resolve) => setImmediate(resolve));
    expect(peer.sent).toHaveLength(1);
    expect(peer.usedBytes).toBeLessThan(5000);
  });
});

describe('a client of an earlier revision', () => {
  const ROOTS = {
    roots: Object.fromEntries(Array.from({ length: 16 }, (_, k) => [`k${k}`, 'v'.repeat(150)])),
  };

  test('counts from its handshake until its connection is closed, once', async () => {
    const peer = new Peer({ tools: [] }, { isLegacy: true });
    peer.shakeHands('2024-11-05', ROOTS);
    await new Promise((resolve) => setImmediate(resolve));
    const used = peer.usedBytes;
    expect(used).toBeGreaterThan(4096 + 2400);
    peer.shakeHands('2024-11-05', ROOTS);
    await new Promise((resolve) => setImmediate(resolve));
    expect(peer.usedBytes).toBe(used);
    peer.close();
    peer.close();
    expect(peer.usedBytes).toBe(0);
  });

  test('is refused where there is no memory for it', async () => {
    const peer = new Peer({ tools: [], limits: { maxMemoryBytes: 4 * MB } }, { isLegacy: true });
    peer.served.memory.add(4 * MB - 3000);
    const params = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'n', version: '1' },
    };
    peer.say({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    await new Promise((resolve) => setImmediate(resolve));
    expect(peer.sent.map(({ error }) => error?.data?.code)).toEqual(['BUSY']);
    expect(peer.usedBytes).toBe(4 * MB - 3000);
  });
});

test('results of expired tasks give way to calls', async () => {
  const clock = new FakeClock();
  const task = defineTool({
    name: 'task',
    description: 'Returns 800 KB',
    task: 'required',
    inputSchema: z.object({}),
    handler: () => 'x'.repeat(800_000),
  });
  const take = defineTool({
    name: 'take',
    description: 'Takes a text',
    inputSchema: z.object({ text: z.string() }),
    handler: () => 'taken',
  });
  const limits = { maxMemoryBytes: 4 * MB };
  const peer = new Peer({ tools: [task, take], clock, taskTtlMs: 1000, limits });
  const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const run = async (id: number): Promise<void> => {
    const _meta = { ...META, 'io.modelcontextprotocol/clientCapabilities': capabilities };
    const params = { name: 'task', arguments: {}, _meta };
    peer.say({ jsonrpc: '2.0', id, method: 'tools/call', params });
    const { taskId } = (await peer.until(has(id))).result as { taskId: string };
    const isDone = ({ result }: Message): boolean =>
      (result as { taskId?: string; status?: string } | undefined)?.taskId === taskId &&
      (result as { status?: string }).status === 'completed';
    for (let turn = 0; turn < 100 && !peer.sent.some(isDone); turn += 1) {
      peer.say({ jsonrpc: '2.0', id: `${id}.${turn}`, method: 'tasks/get', params: { taskId, _meta } });
      await peer.until(has(`${id}.${turn}`));
    }
  };
  await run(1);
  clock.advance(600);
  await run(2);
  expect(peer.usedBytes).toBeGreaterThan(1_600_000);
  clock.advance(500);
  peer.call(3, 'take', { text: 'x'.repeat(2.5 * MB) });
  expect(await peer.until(({ id }) => id === 3)).toHaveProperty('result');
  // The other one is valid for another half second.
  expect([peer.usedBytes > 800_000, peer.usedBytes < 900_000]).toEqual([true, true]);
});

test('each message of a batch is answered for who sent it', async () => {
  const { tool, goOn } = holder();
  const secret = defineTool({
    name: 'secret',
    description: 'For few',
    inputSchema: z.object({}),
    scopes: ['secret'],
    handler: () => 'told',
  });
  const peer = new Peer({ tools: [tool, secret] }, { isLegacy: true });
  peer.shakeHands('2025-03-26');
  const weak: Caller = { principal: { id: 'ada', scopes: [] } };
  const strong: Caller = { principal: { id: 'ada', scopes: ['secret'] } };
  const call = (id: number, name: string): object => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: {} },
  });
  peer.say([...Array.from({ length: 8 }, (_, id) => call(id, 'hold')), call(9, 'secret')], weak);
  peer.say({ jsonrpc: '2.0', id: 10, method: 'ping' }, strong);
  goOn();
  expect((await peer.until(has(9))).error?.code).toBe(-32602);
});

test('news is told as far as who hears it may see it, from the handshake on', async () => {
  const server = createServer({ name: 's', version: '1', tools: [] });
  const served = servedOf(server);
  const sent: string[] = [];
  const connection = new DuplexConnection(served, {
    caller: { principal: { id: 'ada', scopes: ['secret'] } },
    send: (text) => void sent.push(text),
  });
  const params = { protocolVersion: '2025-11-25', capabilities: {} };
  connection.receive(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
  connection.receive(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  server.registerTool({
    name: 'late',
    description: 'For few',
    scopes: ['secret'],
    inputSchema: z.object({}),
    handler: () => '',
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent.at(-1)).toBe('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
});
