import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ToolRegistry } from '../../src/index.ts';
import type { AttachOptions, Logger, Principal } from '../../src/index.ts';
import { recordLog } from '../support/log-recorder.ts';
import { SDK_CLIENTS, SDK_SERVERS } from '../support/sdk.ts';
import type { SdkClient } from '../support/sdk.ts';

interface AppContext {
  readonly tenant?: string;
}

const silent = { debug() {}, info() {}, warning() {}, error() {} };

function sampleRegistry(logger: Logger): ToolRegistry<AppContext> {
  const registry = new ToolRegistry<AppContext>({
    logger,
    policy: (tool, { principal }) =>
      !tool.tags.includes('write') || principal?.scopes?.includes('write') === true,
  });
  registry.register({
    name: 'whoami',
    description: 'Says who calls',
    inputSchema: z.object({}),
    outputSchema: z.object({
      id: z.string().optional(),
      token: z.string().optional(),
      tenant: z.string().optional(),
    }),
    handler: ({ context }) => ({
      id: context.principal?.id,
      token: context.accessToken,
      tenant: context.tenant,
    }),
  });
  registry.register({
    name: 'write',
    description: 'W',
    tags: ['write'],
    inputSchema: z.object({}),
    handler: () => 'written',
  });
  registry.register({
    name: 'leave',
    description: 'Goes away while it runs',
    inputSchema: z.object({}),
    outputSchema: z.array(z.number()),
    handler: () => {
      registry.unregister('leave');
      return [1, 2];
    },
  });
  return registry;
}

/** An official client and server whose transport carries the caller, like an authenticated HTTP transport. */
async function open(
  serverName: string,
  scopes: string[] | undefined,
  options: AttachOptions<AppContext> = {},
  logger: Logger = silent,
): Promise<SdkClient> {
  const server = SDK_SERVERS[serverName]?.();
  const client = SDK_CLIENTS['v1 Client']?.();
  if (server === undefined || client === undefined) throw new Error('no such pair');
  sampleRegistry(logger).attachToServer(server, options);
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const { send } = clientSide;
  if (scopes !== undefined) {
    const authInfo = { token: 'token-1', clientId: 'ada', scopes };
    clientSide.send = (message, given) => send.call(clientSide, message, { ...given, authInfo });
  }
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  return client;
}

describe.each(Object.keys(SDK_SERVERS))('behind the official %s', (server) => {
  test('a handler learns who calls, from the verified token', async () => {
    const client = await open(server, ['read']);
    expect((await client.callTool('whoami')).structuredContent).toEqual({ id: 'ada', token: 'token-1' });
    await client.close();
  });

  test('without a token the caller is anonymous', async () => {
    const client = await open(server, undefined);
    expect((await client.callTool('whoami')).structuredContent).toEqual({});
    await client.close();
  });

  test('the policy decides what is listed and what is called', async () => {
    const reader = await open(server, ['read']);
    expect((await reader.listTools()).tools.map((tool) => tool.name)).toEqual(['whoami', 'leave']);
    await expect(reader.callTool('write')).rejects.toMatchObject({ code: -32602 });
    await reader.close();
    const writer = await open(server, ['write']);
    expect((await writer.listTools()).tools.map((tool) => tool.name)).toEqual(['whoami', 'write', 'leave']);
    expect((await writer.callTool('write')).content).toEqual([{ type: 'text', text: 'written' }]);
    await writer.close();
  });

  test('context and identity can be given for the server', async () => {
    const identify = (): { id: string } => ({ id: 'service' });
    const client = await open(server, ['read'], { context: { tenant: 'acme' }, identify });
    expect((await client.callTool('whoami')).structuredContent).toEqual({
      id: 'service',
      token: 'token-1',
      tenant: 'acme',
    });
    await client.close();
  });

  test('an identity that cannot be found out answers without saying why', async () => {
    const identify = (): never => {
      throw new Error('ldap://10.0.0.7 refused');
    };
    const client = await open(server, ['read'], { identify });
    for (const request of [client.listTools(), client.callTool('whoami')]) {
      await expect(request).rejects.toMatchObject({
        code: -32603,
        message: expect.stringMatching(/Internal error$/) as string,
      });
    }
    await client.close();
  });

  test.each<[unknown, string]>([
    [{ id: 7 }, 'a principal whose id is a number; use String(id)'],
    [{ _id: 'ada' }, 'a principal whose id is undefined; it must be a string'],
    [{ id: '' }, 'a principal whose id is empty'],
    ['ada', 'a string; return { id } or undefined'],
    [Promise.resolve({ id: 'ada' }), 'a promise; it must return the principal itself'],
    [['ada'], 'an array; return { id } or undefined'],
    [
      { id: 'ada', scopes: 'write' },
      "a principal whose scopes are a string; use an array of strings such as scopes.split(' ')",
    ],
  ])('%j is not a principal: the request is refused, and the log says why', async (found, mistake) => {
    const { logger, entries } = recordLog();
    const client = await open(server, ['read'], { identify: () => found as Principal }, logger);
    for (const request of [client.listTools(), client.callTool('whoami')]) {
      await expect(request).rejects.toMatchObject({
        code: -32603,
        message: expect.stringMatching(/Internal error$/) as string,
      });
    }
    const message = `identify returned ${mistake}; the request is rejected`;
    expect(entries).toEqual([
      { level: 'warning', message, fields: undefined },
      { level: 'warning', message, fields: undefined },
    ]);
    await client.close();
  });

  test('a promise that rejects is no principal either, and ends nothing', async () => {
    const identify = (): Principal => Promise.reject(new Error('later')) as never;
    const client = await open(server, ['read'], { identify });
    await expect(client.listTools()).rejects.toMatchObject({ code: -32603 });
    await client.close();
  });

  test.each([undefined, null, false])('%j means an anonymous caller', async (found) => {
    const { logger, entries } = recordLog();
    const client = await open(server, undefined, { identify: () => found as undefined }, logger);
    expect((await client.callTool('whoami')).structuredContent).toEqual({});
    expect(entries.filter(({ level }) => level === 'warning')).toEqual([]);
    await client.close();
  });

  test('a tool that is removed while it runs still answers as it was advertised', async () => {
    const client = await open(server, ['read']);
    await client.listTools();
    expect((await client.callTool('leave')).structuredContent).toEqual({ result: [1, 2] });
    await client.close();
  });
});
