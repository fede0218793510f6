import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ToolRegistry } from '../../src/index.ts';
import type { AttachOptions } from '../../src/index.ts';
import { SDK_CLIENTS, SDK_SERVERS } from '../support/sdk.ts';
import type { SdkClient } from '../support/sdk.ts';

interface AppContext {
  readonly tenant: string;
}

const silent = { debug() {}, info() {}, warning() {}, error() {} };

function sampleRegistry(): ToolRegistry<AppContext> {
  const registry = new ToolRegistry<AppContext>({
    logger: silent,
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

/** An official pair whose transport says who is calling, as an authenticated HTTP transport does. */
async function open(
  serverName: string,
  scopes: string[] | undefined,
  options: AttachOptions<AppContext> = {},
): Promise<SdkClient> {
  const server = SDK_SERVERS[serverName]?.();
  const client = SDK_CLIENTS['v1 Client']?.();
  if (server === undefined || client === undefined) throw new Error('no such pair');
  sampleRegistry().attachToServer(server, options);
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

  test('without a token nobody is known', async () => {
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

  test('a tool that is removed while it runs still answers as it was advertised', async () => {
    const client = await open(server, ['read']);
    await client.listTools();
    expect((await client.callTool('leave')).structuredContent).toEqual({ result: [1, 2] });
    await client.close();
  });
});
