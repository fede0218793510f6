import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { jwt } from '../../../src/auth.ts';
import { createServer, defineTool, silentLogger } from '../../../src/index.ts';
import { AuthServer, serveProtected } from '../../support/auth-server.ts';
import { TestOAuthClient } from '../../support/oauth-client.ts';

let authServer: AuthServer;
beforeAll(async () => {
  authServer = await AuthServer.start();
});
afterAll(() => authServer.close());

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const { close } of open.splice(0).toReversed()) await close();
});

test('try', async () => {
  const server = createServer({ name: 'notes', version: '1', logger: silentLogger, missingScopes: 'challenge', tools: [
    defineTool({ name: 'whoami', description: 'x', inputSchema: z.object({}), handler: ({context}) => JSON.stringify(context.principal) }),
    defineTool({ name: 'write', description: 'x', scopes: ['notes:write'], inputSchema: z.object({}), handler: () => 'written' }),
  ] });
  const served = await serveProtected(server, (url) => ({ auth: { verify: jwt({ issuer: authServer.issuer, audience: url, outbound: { allowPrivate: ['127.0.0.1'] } }), requiredScopes: ['notes'] } }));
  open.push(served);
  const provider = new TestOAuthClient();
  const log: string[] = [];
  const transport = () => new StreamableHTTPClientTransport(new URL(served.url), { authProvider: provider, fetch: async (i, n) => {
    const r = await fetch(i, n); log.push(`${n?.method ?? 'GET'} ${String(i)} ${r.status} ${r.headers.get('www-authenticate')}`); return r;
  } });
  const t1 = transport();
  const client = new Client({ name: 't', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const e = await client.connect(t1).catch((x) => x);
  console.log(e, log, provider.callback, provider.opened.map(String), provider.saved);
  await t1.finishAuth(provider.callback);
  console.log(provider.saved.tokens);
  const t2 = transport();
  await client.connect(t2);
  console.log(JSON.stringify(await client.callTool({ name: 'whoami' })));
  const e2 = await client.callTool({ name: 'write' }).catch((x) => x);
  console.log(e2, log, provider.opened.map(String));
  await t2.finishAuth(provider.callback);
  console.log(JSON.stringify(await client.callTool({ name: 'write' })), provider.saved.tokens);
  await client.close();
});
