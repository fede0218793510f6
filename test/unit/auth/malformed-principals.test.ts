import { expect, test } from 'vitest';
import * as z from 'zod';
import { anyOf, custom } from '../../../src/auth.ts';
import type { AuthOptions, Grants } from '../../../src/auth.ts';
import { toFetchHandler } from '../../../src/fetch.ts';
import { createServer, defineTool } from '../../../src/index.ts';
import type { Principal } from '../../../src/index.ts';
import { recordLog } from '../../support/log-recorder.ts';

/** The status of a request, the principal that a handler sees, and the errors in the log. */
async function ask(auth: AuthOptions): Promise<{ status: number; seen: unknown; errors: unknown[] }> {
  const { logger, entries } = recordLog();
  let seen: unknown;
  const whoami = defineTool({
    name: 'whoami',
    description: 'Tells the caller',
    inputSchema: z.object({}),
    handler: ({ context }) => {
      seen = context.principal;
      return 'seen';
    },
  });
  const server = createServer({ name: 's', version: '1.0.0', logger, tools: [whoami] });
  const handle = toFetchHandler(server, { auth: { resource: 'https://s.test/mcp', ...auth } });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'whoami', arguments: {}, _meta };
  const response = await handle(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'whoami',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    }),
  );
  const errors = entries
    .filter(({ level }) => level === 'error')
    .map(({ message, fields }) => ({ message, fields }));
  return { status: response.status, seen, errors };
}

const rejected = (message: string): object => ({
  status: 503,
  seen: undefined,
  errors: [
    {
      message: 'authenticate failed; the request is rejected',
      fields: { error: { name: 'TypeError', message } },
    },
  ],
});

const ada = custom(() => ({ id: 'ada', scopes: ['notes'] }));

test.each<[unknown, string]>([
  [{ scopes: 'a b' }, "grants whose scopes are a string; use an array of strings such as scopes.split(' ')"],
  [{ scopes: null }, "grants whose scopes are null; use an array of strings such as scopes.split(' ')"],
  [
    { scopes: new Set(['a']) },
    "grants whose scopes are an object; use an array of strings such as scopes.split(' ')",
  ],
  [
    { roles: [1] },
    "grants whose roles are an array with other values than strings; use an array of strings such as roles.split(' ')",
  ],
  [{ roles: 'admin' }, "grants whose roles are a string; use an array of strings such as roles.split(' ')"],
  [{ tenant: 7 }, 'grants whose tenant is a number; use a string, or leave it out'],
  [{ tenant: '' }, 'grants whose tenant is empty; use a string, or leave it out'],
  [['admin'], 'an array; return { scopes, roles, tenant } or undefined'],
  [null, 'null; return { scopes, roles, tenant } or undefined'],
  [true, 'a boolean; return { scopes, roles, tenant } or undefined'],
])('authorize that returns %j is logged, and the request gets 503', async (grants, mistake) => {
  const given = grants as Grants;
  for (const authorize of [() => given, async () => given])
    expect(await ask({ verify: ada, authorize })).toEqual(rejected(`authorize returned ${mistake}.`));
});

test('malformed grants are not cached', async () => {
  let asked = 0;
  const auth: AuthOptions = {
    verify: ada,
    resource: 'https://s.test/mcp',
    authorize: () => {
      asked += 1;
      return { scopes: 'a' as never };
    },
  };
  const handle = toFetchHandler(createServer({ name: 's', version: '1.0.0', logger: recordLog().logger }), {
    auth,
  });
  for (let times = 0; times < 2; times += 1)
    expect((await handle(new Request('http://localhost/mcp', { method: 'POST' }))).status).toBe(503);
  expect(asked).toBe(2);
});

test.each<[unknown, string]>([
  [{ id: 7 }, 'a principal whose id is a number; use String(id)'],
  [{ id: '' }, 'a principal whose id is empty'],
  [{ name: 'ada' }, 'a principal whose id is undefined; it must be a string'],
  ['ada', 'a string; return { id } or undefined'],
  [null, 'null; return { id } or undefined'],
  [true, 'a boolean; return { id } or undefined'],
  [
    { id: 'ada', scopes: 'a b' },
    "a principal whose scopes are a string; use an array of strings such as scopes.split(' ')",
  ],
  [
    { id: 'ada', roles: 'not-admin' },
    "a principal whose roles are a string; use an array of strings such as roles.split(' ')",
  ],
  [{ id: 'ada', tenant: null }, 'a principal whose tenant is null; use a string, or leave it out'],
])('custom that returns %j is logged, and the request gets 503', async (found, mistake) => {
  const given = found as Principal;
  for (const verify of [
    custom(() => given),
    custom(async () => given),
    anyOf(
      custom(() => given),
      ada,
    ),
  ])
    // A string of scopes must not be spread into its characters before it is checked.
    for (const authorize of [undefined, () => ({ scopes: ['notes'] })])
      expect(await ask({ verify, ...(authorize && { authorize }) })).toEqual(
        rejected(`The verifier returned ${mistake}.`),
      );
});

test('well-formed grants and principals are served', async () => {
  const verify = custom(() => ({ id: 'ada', scopes: ['a'], roles: [], tenant: 'acme' }));
  const authorize = (): Grants => ({ roles: ['admin'] });
  expect(await ask({ verify, authorize })).toEqual({
    status: 200,
    seen: { id: 'ada', scopes: ['a'], roles: ['admin'], tenant: 'acme' },
    errors: [],
  });
});

test('a handler that adds to its scopes and roles does not change those of the next request', async () => {
  const stored = { id: 'ada', scopes: ['a'], roles: ['reader'] };
  const auth: AuthOptions = { verify: custom(() => stored) };
  const { seen } = await ask(auth);
  (seen as { scopes: string[] }).scopes.push('admin');
  (seen as { roles: string[] }).roles.push('admin');
  expect(await ask(auth)).toEqual({
    status: 200,
    seen: { id: 'ada', scopes: ['a'], roles: ['reader'] },
    errors: [],
  });
});
