import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as McpServerV2, Server as ServerV2 } from '@modelcontextprotocol/server';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ToolRegistry, ToolwrightError } from '../../../src/index.ts';

const INFO = { name: 's', version: '1' };

function registryWithTool(): ToolRegistry {
  return new ToolRegistry().register({
    name: 'a',
    description: 'A',
    inputSchema: z.object({}),
    handler: () => 1,
  });
}

describe('objects that cannot be attached to are rejected', () => {
  test.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['server', 'string'],
    [{}, 'an instance of Object'],
    [{ server: {} }, 'an instance of Object'],
    [new Map(), 'an instance of Map'],
    [Object.create(null), 'an object'],
    [new ClientV1(INFO), 'an instance of Client'],
    [new ClientV2(INFO), 'an instance of Client'],
    [
      {
        get server() {
          throw new Error('not today');
        },
      },
      'an instance of Object',
    ],
  ])('case %#', (given, words) => {
    const attach = (): unknown => registryWithTool().attachToServer(given);
    expect(attach).toThrow(ToolwrightError);
    expect(attach).toThrow(
      `attachToServer needs a Server or McpServer of the official MCP SDK (version 1 or 2), or another server with the method setRequestHandler; received ${words}.`,
    );
  });

  test('an object whose setRequestHandler takes neither form', () => {
    const odd = {
      setRequestHandler: () => {
        throw new Error('not today');
      },
    };
    expect(() => registryWithTool().attachToServer(odd)).toThrow(
      'The server rejected the handler for tools/list: Error: not today',
    );
  });

  test.each([
    ['v1', () => new ServerV1(INFO)],
    ['v2', () => new ServerV2(INFO)],
  ])('a connected %s server that did not declare tools', async (_name, create) => {
    const server = create();
    const [transport] = InMemoryTransport.createLinkedPair();
    await server.connect(transport);
    expect(() => registryWithTool().attachToServer(server)).toThrow(
      'The server is already connected and did not declare tools. Call attachToServer before connect, or create the server with { capabilities: { tools: {} } }.',
    );
    await server.close();
  });
});

/** A server that is not of the SDK: it only keeps a handler per method. */
class TinyServer {
  readonly handlers = new Map<unknown, (request: never, extra?: unknown) => unknown>();

  setRequestHandler(method: string, handler: (request: never, extra?: unknown) => unknown): void {
    this.handlers.set(method, handler);
  }

  /** Responds to the messages of an official client. */
  async connect(transport: InMemoryTransport): Promise<void> {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- transports of the SDK have no other way
    transport.onmessage = (message) => {
      const { id, method, params } = message as unknown as { id?: number; method: string; params?: object };
      if (id === undefined) return;
      void this.#respond({ method, params }).then((outcome) =>
        transport.send({ jsonrpc: '2.0', id, ...outcome } as never),
      );
    };
    await transport.start();
  }

  async #respond(request: { method: string; params: object | undefined }): Promise<object> {
    if (request.method === 'initialize')
      return {
        result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: INFO },
      };
    try {
      return { result: await this.handlers.get(request.method)?.(request as never) };
    } catch (error) {
      const { code, message, data } = error as { code: number; message: string; data?: unknown };
      return { error: { code, message, data } };
    }
  }
}

async function connectTiny(server: TinyServer): Promise<ClientV1> {
  const client = new ClientV1(INFO);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(ours);
  await client.connect(theirs);
  return client;
}

describe('a server with nothing but setRequestHandler', () => {
  test.each([
    ['itself', (server: TinyServer): object => server],
    ['inside another object', (server: TinyServer): object => ({ server })],
  ])('lists and calls the tools to an official client: %s', async (_title, wrap) => {
    const server = new TinyServer();
    registryWithTool().attachToServer(wrap(server));
    const client = await connectTiny(server);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['a']);
    expect(await client.callTool({ name: 'a' })).toEqual({ content: [{ type: 'text', text: '1' }] });
    await expect(client.callTool({ name: 'b' })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  test('may pass null for what surrounds a request, and reject a handler later', async () => {
    const server = new TinyServer();
    const later = {
      setRequestHandler: (method: string, handler: never) => {
        server.setRequestHandler(method, handler);
        return Promise.reject(new Error('too late'));
      },
    };
    registryWithTool().attachToServer(later);
    const call = server.handlers.get('tools/call');
    expect(await call?.({ params: { name: 'a' } } as never, null)).toEqual({
      content: [{ type: 'text', text: '1' }],
    });
  });

  test('has no tools any more after detaching, in whatever order', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const server = new TinyServer();
      const client = await connectTiny(server);
      const names = async (): Promise<unknown> => (await client.listTools()).tools.map(({ name }) => name);
      const other = new ToolRegistry().register({
        name: 'b',
        description: 'B',
        inputSchema: z.object({}),
        handler: () => 2,
      });
      const detach = [registryWithTool().attachToServer(server), other.attachToServer(server)];
      expect(await names()).toEqual(['b']);
      detach[order[0] ?? 0]?.();
      expect(await names()).toEqual([order[0] === 0 ? 'b' : 'a']);
      detach[order[1] ?? 0]?.();
      await expect(names()).rejects.toMatchObject({
        code: -32601,
        message: expect.stringContaining('Method not found') as string,
      });
      await client.close();
    }
  });

  test('is told of changes, and gives up its handlers, where it can', async () => {
    let announced = 0;
    const removed: string[] = [];
    const server = Object.assign(new TinyServer(), {
      sendToolListChanged: async () => void (announced += 1),
      removeRequestHandler: (method: string) => void removed.push(method),
    });
    const registry = registryWithTool();
    const detach = registry.attachToServer(server);
    registry.register({ name: 'b', description: 'B', inputSchema: z.object({}), handler: () => 1 });
    await Promise.resolve();
    expect(announced).toBe(1);
    detach();
    expect(removed).toEqual(['tools/call', 'tools/list']);
  });
});

describe('attaching', () => {
  test('to a connected server that declared tools works', async () => {
    const server = new ServerV1(INFO, { capabilities: { tools: {} } });
    const [transport] = InMemoryTransport.createLinkedPair();
    await server.connect(transport);
    expect(() => registryWithTool().attachToServer(server)).not.toThrow();
    await server.close();
  });

  test('and detaching before connecting leaves no promise of tools behind', () => {
    const server = new ServerV2(INFO);
    registryWithTool().attachToServer(server)();
    expect(server.getCapabilities()).toEqual({});
  });

  test('and detaching keeps what others declared, and what a registry still attached needs', () => {
    const server = new ServerV2(INFO);
    const detachFirst = registryWithTool().attachToServer(server);
    const detachSecond = registryWithTool().attachToServer(server);
    server.registerCapabilities({ prompts: {} });
    detachFirst();
    expect(server.getCapabilities()).toEqual({ tools: { listChanged: true }, prompts: {} });
    detachSecond();
    expect(server.getCapabilities()).toEqual({ prompts: {} });
  });

  test('that fails half-way leaves nothing behind', () => {
    const server = new ServerV2(INFO);
    const { setRequestHandler } = server;
    server.setRequestHandler = (method: string, ...rest: never[]) => {
      if (method !== 'tools/list') throw new Error('no calls today');
      (setRequestHandler as (...args: unknown[]) => void).call(server, method, ...rest);
    };
    expect(() => registryWithTool().attachToServer(server)).toThrow(
      'The server rejected the handler for tools/call',
    );
    const handlers = (server as unknown as { _requestHandlers: Map<string, unknown> })._requestHandlers;
    expect([handlers.has('tools/list'), server.getCapabilities()]).toEqual([false, {}]);
  });

  test('a second registry takes over, and gives back to the first', () => {
    const server = new ServerV2(INFO);
    const handlers = (server as unknown as { _requestHandlers: Map<string, unknown> })._requestHandlers;
    const detachFirst = registryWithTool().attachToServer(server);
    const first = handlers.get('tools/call');
    const detachSecond = registryWithTool().attachToServer(server);
    expect(handlers.get('tools/call')).not.toBe(first);
    detachSecond();
    expect(handlers.get('tools/call')).toBe(first);
    detachFirst();
    expect(handlers.has('tools/call')).toBe(false);
  });

  test('detaching the first while the second is attached leaves the second alone', () => {
    const server = new ServerV2(INFO);
    const handlers = (server as unknown as { _requestHandlers: Map<string, unknown> })._requestHandlers;
    const detachFirst = registryWithTool().attachToServer(server);
    const detachSecond = registryWithTool().attachToServer(server);
    const second = handlers.get('tools/call');
    detachFirst();
    expect(handlers.get('tools/call')).toBe(second);
    detachSecond();
    expect(handlers.has('tools/call')).toBe(false);
  });

  test('a handler that is set after attaching stays', () => {
    const server = new ServerV2(INFO);
    const handlers = (server as unknown as { _requestHandlers: Map<string, unknown> })._requestHandlers;
    const detach = registryWithTool().attachToServer(server);
    server.setRequestHandler('tools/call', () => ({ content: [] }));
    const theirs = handlers.get('tools/call');
    detach();
    expect(handlers.get('tools/call')).toBe(theirs);
  });

  test('and detaching ends the announcements', async () => {
    const server = new ServerV1(INFO);
    let announced = 0;
    server.sendToolListChanged = async () => void (announced += 1);
    const registry = registryWithTool();
    const detach = registry.attachToServer(server);
    const [transport] = InMemoryTransport.createLinkedPair();
    await server.connect(transport);
    registry.register({ name: 'b', description: 'B', inputSchema: z.object({}), handler: () => 1 });
    await Promise.resolve();
    expect(announced).toBe(1);
    registry.unregister('b');
    detach();
    await Promise.resolve();
    registry.register({ name: 'b', description: 'B', inputSchema: z.object({}), handler: () => 1 });
    await Promise.resolve();
    expect(announced).toBe(1);
    await server.close();
  });

  test('a change that the caller cannot see is not announced', async () => {
    const server = new ServerV1(INFO);
    let announced = 0;
    server.sendToolListChanged = async () => void (announced += 1);
    const registry = registryWithTool();
    let scopes: string[] = [];
    registry.attachToServer(server, { identify: () => ({ id: 'ada', scopes }) });
    const client = new ClientV1(INFO);
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(ours), client.connect(theirs)]);
    const secret = { name: 's', description: 'S', inputSchema: z.object({}), scopes: ['admin'] };
    registry.register({ ...secret, handler: () => 1 });
    await Promise.resolve();
    expect(announced).toBe(0);
    scopes = ['admin'];
    await client.listTools();
    registry.unregister('s');
    await Promise.resolve();
    expect(announced).toBe(1);
    await client.close();
  });

  test('a server that is dropped without detaching can be collected', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const registry = registryWithTool();
    const dropped = ((): WeakRef<object> => {
      const server = new McpServerV2(INFO);
      registry.attachToServer(server);
      return new WeakRef(server.server);
    })();
    // A WeakRef keeps its target until the end of the current job.
    for (let round = 0; round < 10 && dropped.deref() !== undefined; round += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      collect();
    }
    expect(dropped.deref()).toBeUndefined();
    registry.unregister('a');
  });
});
