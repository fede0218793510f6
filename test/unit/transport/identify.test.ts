import { expect, test } from 'vitest';
import * as z from 'zod';
import { createServer } from '../../../src/index.ts';
import { anonymous, refuse, toFetchHandler } from '../../../src/fetch.ts';
import type { Refusal } from '../../../src/fetch.ts';
import { modernMessage } from '../../protocol/support/rpc.ts';
import { recordLog } from '../../support/log-recorder.ts';

const statusFor = async (refusal: unknown): Promise<[number, number]> => {
  const { logger, entries } = recordLog();
  const server = createServer({ name: 's', version: '1.0.0', logger });
  const handle = toFetchHandler(server, { authenticate: async () => refusal as Refusal });
  const { status } = await handle(new Request('http://localhost/mcp', { method: 'POST' }));
  return [status, entries.filter(({ level }) => level === 'error').length];
};

test.each([400, 401, 403, 429, 503] as const)('a request is refused with %i', async (status) => {
  expect(await statusFor(refuse({ status }))).toEqual([status, 0]);
});

test.each([200, 204, 302, 100, 500, 999, '401', null])(
  'a refusal with the status %s is a failure of authenticate: logged, and 503',
  async (status) => {
    expect(await statusFor({ ...refuse(), status })).toEqual([503, 1]);
  },
);

test.each<[unknown, number, readonly string[]]>([
  [{ id: 7 }, 401, ['a principal whose id is a number; use String(id)']],
  [{ _id: 'ada' }, 401, ['a principal whose id is undefined; it must be a string']],
  [{ id: '' }, 401, ['a principal whose id is empty']],
  [true, 401, ['a boolean; return { id } or refuse()']],
  [
    { id: 'ada', scopes: 'read write' },
    401,
    ["a principal whose scopes are a string; use an array of strings such as scopes.split(' ')"],
  ],
  [
    { id: 'ada', scopes: ['read', 5] },
    401,
    [
      "a principal whose scopes are an array with other values than strings; use an array of strings such as scopes.split(' ')",
    ],
  ],
  [
    { id: 'ada', roles: 'not-admin' },
    401,
    ["a principal whose roles are a string; use an array of strings such as roles.split(' ')"],
  ],
  [{ id: 'ada', tenant: 7 }, 401, ['a principal whose tenant is a number; use a string, or leave it out']],
  [undefined, 401, []],
  [null, 401, []],
  [{ id: 'ada' }, 415, []],
  [{ id: 'ada', scopes: [] }, 415, []],
])('for %j the status is %i, and a mistake is logged', async (found, status, mistakes) => {
  for (const authenticate of [() => found as Refusal, async () => found as Refusal]) {
    const { logger, entries } = recordLog();
    const server = createServer({ name: 's', version: '1.0.0', logger });
    const handle = toFetchHandler(server, { authenticate });
    const response = await handle(new Request('http://localhost/mcp', { method: 'POST' }));
    expect(response.status).toBe(status);
    expect(entries).toEqual(
      mistakes.map((mistake) => ({
        level: 'warning',
        message: `authenticate returned ${mistake}; the request is rejected`,
        fields: undefined,
      })),
    );
  }
});

test('anonymous() serves a request without principal and token; a principal with such a member is one', async () => {
  const seen: unknown[] = [];
  const server = createServer({
    name: 's',
    version: '1.0.0',
    tools: [
      {
        name: 'who',
        description: 'Says who asks',
        inputSchema: z.object({}),
        handler: ({ context }) => {
          seen.push([context.principal?.id, context.accessToken]);
          return 'seen';
        },
      },
    ],
  });
  const guest = { id: 'guest', isAnonymous: true as const };
  for (const identity of [anonymous(), guest]) {
    for (const authenticate of [() => identity, async () => identity]) {
      const handle = toFetchHandler(server, { authenticate });
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: 'Bearer secret',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'who',
      };
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const params = { name: 'who', arguments: {}, _meta };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const response = await handle(new Request('http://localhost/mcp', { method: 'POST', headers, body }));
      expect(response.status).toBe(200);
    }
  }
  expect(seen).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    ['guest', 'secret'],
    ['guest', 'secret'],
  ]);
});

test.each(['sync', 'async'])(
  'only the members of a principal reach handlers and policies, %s',
  async (mode) => {
    const user = {
      id: 'ada',
      scopes: ['notes:read'],
      roles: ['owner'],
      tenant: 'acme',
      claims: { plan: 'free' },
      passwordHash: '$2b$10$abc',
      sessions: ['s-1'],
    };
    const seen: unknown[] = [];
    const server = createServer({
      name: 's',
      version: '1.0.0',
      policy: (_tool, { principal }) => {
        seen.push(principal);
        return true;
      },
      tools: [
        {
          name: 'whoami',
          description: 'Returns the principal',
          inputSchema: {},
          handler: ({ context }) => JSON.stringify(context.principal),
        },
      ],
    });
    const authenticate = mode === 'sync' ? () => user : async () => user;
    const handle = toFetchHandler(server, { authenticate });
    const response = await handle(callOf('whoami'));
    const expected = {
      id: 'ada',
      scopes: ['notes:read'],
      roles: ['owner'],
      tenant: 'acme',
      claims: { plan: 'free' },
    };
    const { result } = (await response.json()) as { result: { content: [{ text: string }] } };
    expect(JSON.parse(result.content[0].text)).toEqual(expected);
    for (const principal of seen) expect(principal).toEqual(expected);
    expect(seen.length).toBeGreaterThan(0);
  },
);

function callOf(name: string): Request {
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify(modernMessage('tools/call', { name, arguments: {} }, { id: 1 })),
  });
}
