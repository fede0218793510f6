import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, expect, test } from 'vitest';
import { custom } from '../../../src/auth.ts';
import { toFetchHandler } from '../../../src/fetch.ts';
import { toNodeHandler } from '../../../src/http.ts';
import { createServer, defineTool, ToolError, ToolRegistry } from '../../../src/index.ts';
import type { ToolRegistryOptions } from '../../../src/index.ts';
import * as z from 'zod';
import { recordLog } from '../../support/log-recorder.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** Headers whose values no verifier may bring into the log, in words that no pattern of secrets matches. */
const HEADERS: Readonly<Record<string, string>> = {
  authorization: 'Bearer canaryBearer01',
  'proxy-authorization': 'Basic Y2FuYXJ5OnByb3h5',
  cookie: 'theme=dark; sid=canaryCookie1; other="canary cookie two"',
  'x-api-key': 'canaryApiKey01',
  'x-session': 'canarySession1',
  'x-amzn-oidc-data': 'canaryAssertion1',
  // Of oauth2-proxy.
  'x-forwarded-access-token': 'canaryForwarded1',
  'mcp-session-id': 'canaryMcpSession1',
};

const SECRETS = [
  'canaryBearer01',
  'Y2FuYXJ5OnByb3h5',
  'canaryCookie1',
  'canary cookie two',
  'canaryApiKey01',
  'canarySession1',
  'canaryAssertion1',
  'canaryForwarded1',
  'canaryMcpSession1',
];

/** Errors as applications write them. */
const verify = custom(({ headers }) => {
  const values = Object.keys(HEADERS).map((name) => `${headers.get(name)} is unknown`);
  throw Object.assign(new Error(`${values.join('\n')}\n${SECRETS.join(' and ')}\nof editor`), {
    name: 'LookupError canaryApiKey01',
  });
});

const FACES = {
  fetch: async (logger: ReturnType<typeof recordLog>['logger']): Promise<number> => {
    const server = createServer({ name: 's', version: '1.0.0', logger });
    const handle = toFetchHandler(server, { auth: { verify, resource: 'https://s.test/mcp' } });
    return (await handle(new Request('http://localhost/mcp', { method: 'POST', headers: HEADERS }))).status;
  },
  node: async (logger: ReturnType<typeof recordLog>['logger']): Promise<number> => {
    const server = createServer({ name: 's', version: '1.0.0', logger });
    const http = createHttpServer(
      toNodeHandler(server, { auth: { verify, resource: 'https://s.test/mcp' } }),
    );
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    open.push(() => {
      http.close();
      http.closeAllConnections();
    });
    const { port } = http.address() as AddressInfo;
    return (await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers: HEADERS })).status;
  },
};

test.each(Object.entries(FACES))(
  'the error of a verifier is logged without the credentials of its request, %s',
  async (_name, send) => {
    const { logger, entries } = recordLog();
    expect(await send(logger)).toBe(503);
    const logged = JSON.stringify(entries);
    expect(logged).toContain('authenticate failed; the request is rejected');
    expect(logged).toContain('is unknown');
    expect(logged).toContain('of editor');
    expect(SECRETS.filter((secret) => logged.includes(secret))).toEqual([]);
  },
);

/** Headers with credentials under names that no pattern of secrets matches, beside a cookie. */
const OWN_HEADERS: Readonly<Record<string, string>> = {
  'x-service-id': 'canaryService1',
  'x-session': 'canarySession1',
  cookie: 'theme=dark; sid=canaryCookie1',
  authorization: 'Bearer canaryBearer01',
};

test('the error of a handler that quotes its request has none of the credentials, in the log and in the result', async () => {
  const { logger, entries } = recordLog();
  const server = createServer({
    name: 's',
    version: '1.0.0',
    logger,
    tools: ['throws', 'tells'].map((name) =>
      defineTool({
        name,
        description: name,
        inputSchema: z.object({}),
        handler: ({ context }) => {
          const { headers } = (context.http as { request: unknown }).request as Request;
          const said = JSON.stringify([...headers]);
          if (name === 'throws') throw new Error('no response', { cause: { said } });
          throw new ToolError(`no response to ${said}`);
        },
      }),
    ),
  });
  const admit = custom(() => ({ id: 'ada' }), { credentialHeaders: ['X-Service-Id', 'x-session'] });
  const handle = toFetchHandler(server, { auth: { verify: admit, resource: 'https://s.test/mcp' } });
  for (const name of ['throws', 'tells']) {
    const fetch = (url: string | URL, init?: RequestInit): Promise<Response> =>
      handle(new Request(url, init));
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    const requestInit = { headers: OWN_HEADERS };
    await client.connect(
      new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch, requestInit }),
    );
    const seen = JSON.stringify([await client.callTool({ name, arguments: {} }), entries]);
    expect(seen).toContain('no response');
    // The request is quoted, but for its credentials.
    expect(seen).toContain('x-service-id');
    expect(Object.values(OWN_HEADERS).filter((value) => seen.includes(value))).toEqual([]);
    expect(SECRETS.filter((secret) => seen.includes(secret))).toEqual([]);
    expect(seen).not.toContain('canaryService1');
    await client.close();
  }
  await handle.close();
});

test.each<[string, Pick<ToolRegistryOptions, 'exposure' | 'policy'>]>([
  [
    'policy',
    {
      policy: (_subject, { accessToken }) => {
        throw new Error(`nobody has ${accessToken}`);
      },
    },
  ],
  [
    'exposure',
    {
      exposure: ({ accessToken }) => {
        throw new Error(`nobody has ${accessToken}`);
      },
    },
  ],
])('the error of a %s is logged without the token of the caller', async (_name, options) => {
  const { logger, entries } = recordLog();
  const registry = new ToolRegistry({ logger, ...options }).register({
    name: 'read',
    description: 'Reads',
    inputSchema: z.object({}),
    handler: () => 'read',
  });
  const caller = { accessToken: 'canaryOfTheCaller' };
  registry.surface().listTools(caller);
  await registry.executeTool({ name: 'read', ...caller });
  const logged = JSON.stringify(entries);
  expect(logged).toContain('nobody has [redacted]');
  expect(logged).not.toContain('canaryOfTheCaller');
});
