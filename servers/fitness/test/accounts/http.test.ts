import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { apiKeys } from 'toolwright/auth';
import { serveHttp } from 'toolwright/http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Administration } from '../../src/accounts/administration.ts';
import { COMMAND_LINE } from '../../src/accounts/actor.ts';
import { createAuthorize, TokenStore } from '../../src/accounts/token-store.ts';
import { openDatabase } from '../../src/database/database.ts';
import type { Database } from '../../src/database/database.ts';
import { ToolGate } from '../../src/gate/tool-gate.ts';
import { createGatedServer } from '../gate/support/gated-registry.ts';

const INFO = { name: 'athlete', version: '1.0.0' };
let database: Database;
let administration: Administration;
let url: URL;
let closers: (() => Promise<unknown>)[];

beforeEach(async () => {
  database = openDatabase(':memory:');
  const gate = new ToolGate(database, new Set());
  administration = new Administration(database, {
    now: () => Date.now(),
    disabledTools: gate.disabledTools,
    onChange: () => gate.refresh(),
  });
  administration.setPlan(COMMAND_LINE, { tenant: 'acme', plan: 'starter' });
  administration.addUser(COMMAND_LINE, { user: 'mia', tenant: 'acme' });
  const server = createGatedServer(gate);
  const http = await serveHttp(server, {
    port: 0,
    auth: {
      verify: apiKeys(new TokenStore(database)),
      resource: 'http://127.0.0.1/mcp',
      anonymous: true,
      authorize: createAuthorize(database),
    },
  });
  url = new URL(http.url);
  closers = [() => http.close(), () => server.close()];
});
afterEach(async () => {
  for (const close of closers.toReversed()) await close();
  database.close();
});

const headersOf = (token: string | undefined): RequestInit =>
  token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };

async function connectV1(token?: string): Promise<ClientV1> {
  const client = new ClientV1(INFO);
  closers.push(() => client.close());
  await client.connect(new HttpV1(url, { requestInit: headersOf(token) }));
  return client;
}

async function connectV2(token?: string): Promise<ClientV2> {
  const client = new ClientV2(INFO);
  closers.push(() => client.close());
  await client.connect(new HttpV2(url, { requestInit: headersOf(token) }));
  return client;
}

test.each([
  ['v1', connectV1],
  ['v2', connectV2],
])('client %s: a token gives the tools of its tenant, no token gives the public ones', async (_, connect) => {
  const { token } = administration.issueToken(COMMAND_LINE, { user: 'mia' });
  const member = await connect(token);
  expect((await member.listTools()).tools).toHaveLength(35);
  expect((await member.callTool({ name: 'set_goal', arguments: {} })).content).toEqual([
    { type: 'text', text: 'ran set_goal' },
  ]);
  await expect(member.callTool({ name: 'suggest_rest_day', arguments: {} })).rejects.toThrow(
    /Unknown tool: suggest_rest_day/,
  );
  const anonymous = await connect();
  expect((await anonymous.listTools()).tools).toHaveLength(17);
  await expect(anonymous.callTool({ name: 'set_goal', arguments: {} })).rejects.toThrow(
    /Unknown tool: set_goal/,
  );
});

test('an invalid token, and one in the address, is a 401 and not an anonymous caller', async () => {
  const { token } = administration.issueToken(COMMAND_LINE, { user: 'mia' });
  const send = (headers: Record<string, string>, query = ''): Promise<Response> =>
    fetch(`${url.href}${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { token } }),
    });
  expect((await send({ authorization: `Bearer ${token.slice(0, -1)}x` })).status).toBe(401);
  expect((await send({ authorization: 'Bearer nonsense' })).status).toBe(401);
  expect((await send({ authorization: '' })).status).toBe(401);
  expect((await send({}, `?access_token=${token}`)).status).toBe(401);
});

test('a revoked token is rejected from the next request on, also in a session that it has begun', async () => {
  const { token, prefix } = administration.issueToken(COMMAND_LINE, { user: 'mia' });
  const member = await connectV1(token);
  expect((await member.listTools()).tools).toHaveLength(35);
  administration.revokeToken(COMMAND_LINE, prefix);
  await expect(member.listTools()).rejects.toThrow(/401|not valid/);
  await expect(connectV1(token)).rejects.toThrow(/401|not valid/);
});

test('a change of plan is announced to connected clients, and the next list has it', async () => {
  const { token } = administration.issueToken(COMMAND_LINE, { user: 'mia' });
  const member = await connectV1(token);
  const announced = { count: 0 };
  member.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    announced.count += 1;
  });
  expect((await member.listTools()).tools).toHaveLength(35);
  // The client opens its stream some time after the handshake. Changes before that reach nobody.
  for (let round = 0; round < 100 && announced.count === 0; round += 1) {
    administration.setPlan(COMMAND_LINE, { tenant: 'acme', plan: 'professional' });
    administration.setPlan(COMMAND_LINE, { tenant: 'acme', plan: 'enterprise' });
    await member.ping();
  }
  expect(announced.count).toBeGreaterThan(0);
  expect((await member.listTools()).tools).toHaveLength(47);
});

test('authorize grants the role and the tenant, and its result is not cached', () => {
  const authorize = createAuthorize(database);
  expect(authorize.length).toBe(2);
  const grant = (id: string): unknown => authorize({ id }, {} as Parameters<typeof authorize>[1]);
  administration.addUser(COMMAND_LINE, { user: 'ada', role: 'admin' });
  expect(grant('mia')).toEqual({ roles: ['member'], tenant: 'acme' });
  expect(grant('ada')).toEqual({ roles: ['admin'] });
  expect(grant('eve')).toBeUndefined();
});
