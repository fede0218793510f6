import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  anyOf,
  apiKeys,
  createApiKey,
  custom,
  introspection,
  jwt,
  MemoryApiKeyStore,
  trustedHeaders,
} from '../../../src/auth.ts';
import type { Verdict, Verifier } from '../../../src/auth.ts';
import { toFetchHandler } from '../../../src/fetch.ts';
import type { HttpOptions } from '../../../src/fetch.ts';
import { createServer, defineTool, silentLogger } from '../../../src/index.ts';
import { createTestIssuer } from '../../../src/testing.ts';
import { modernMessage } from '../../protocol/support/rpc.ts';

const RESOURCE = 'https://server.test/mcp';

/** The id and the access token that a handler sees; the status if it is not called. */
async function seenBy(
  options: HttpOptions<Request>,
  headers: Readonly<Record<string, string>>,
): Promise<unknown> {
  let seen: unknown;
  const whoami = defineTool({
    name: 'whoami',
    description: 'Tells the caller',
    inputSchema: z.object({}),
    handler: ({ context }) => {
      seen = [context.principal?.id, context.accessToken];
      return 'seen';
    },
  });
  const server = createServer({ name: 'protected', version: '1.0.0', tools: [whoami], logger: silentLogger });
  const handle = toFetchHandler(server, options);
  const { status } = await handle(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'whoami',
        ...headers,
      },
      body: JSON.stringify(modernMessage('tools/call', { name: 'whoami', arguments: {} })),
    }),
  );
  await handle.close();
  await server.close();
  return seen ?? status;
}

const protectedBy = (verify: Verifier): HttpOptions<Request> => ({ auth: { verify, resource: RESOURCE } });

const { key, record } = createApiKey({ id: 'ci' });
const keys = new MemoryApiKeyStore([record]);
const issuer = await createTestIssuer();
const ofHeader = apiKeys(keys, { header: 'x-api-key' });
const proxied = trustedHeaders({ proxies: ['10.0.0.5'], id: 'x-user', address: () => '10.0.0.5' });
const session = custom(({ headers }) => (headers.get('x-session') === 's-1' ? { id: 'ada' } : undefined));

describe('a token that was not verified does not reach handlers', () => {
  test.each<[string, Verifier, Readonly<Record<string, string>>, string]>([
    ['an API key in its own header', anyOf(jwt(issuer.jwtOptions), ofHeader), { 'x-api-key': key }, 'ci'],
    ['trusted headers', proxied, { 'x-user': 'ada' }, 'ada'],
    ['a verifier of your own', session, { 'x-session': 's-1' }, 'ada'],
  ])('%s', async (_, verify, sent, id) => {
    const authorization = 'Bearer forged';
    expect(await seenBy(protectedBy(verify), { ...sent, authorization })).toEqual([id, undefined]);
  });
});

test('handlers get the token that was verified, also from the cache', async () => {
  const token = await issuer.tokenFor({ sub: 'ada' });
  const ada = ['https://issuer.test|ada', token];
  const verifier = anyOf(ofHeader, jwt(issuer.jwtOptions));
  for (const turn of ['verified', 'cached'])
    expect([
      turn,
      await seenBy(protectedBy(verifier), { authorization: `Bearer ${token}`, 'x-api-key': 'other' }),
    ]).toEqual([turn, ada]);
  const opaque = introspection({
    issuer: 'https://issuer.test',
    audience: RESOURCE,
    endpoint: 'https://issuer.test/introspect',
    clientId: 'mcp',
    clientSecret: 'secret',
    fetch: async () => Response.json({ active: true, sub: 'bob', aud: RESOURCE }),
  });
  expect(await seenBy(protectedBy(opaque), { authorization: 'bearer opaque' })).toEqual([
    'https://issuer.test|bob',
    'opaque',
  ]);
  expect(await seenBy(protectedBy(apiKeys(keys)), { authorization: `Bearer ${key}` })).toEqual(['ci', key]);
});

const verified = (accessToken: unknown): Verdict =>
  ({ kind: 'verified', principal: { id: 'ada' }, accessToken }) as Verdict;

test('a verifier of your own passes on the token that it names', async () => {
  const verify = (found: Verdict): HttpOptions<Request> => protectedBy(custom(async () => found));
  expect(await seenBy(verify(verified('t-1')), { authorization: 'Bearer other' })).toEqual(['ada', 't-1']);
  expect(await seenBy(verify(verified(undefined)), {})).toEqual(['ada', undefined]);
  expect(await seenBy(verify({ kind: 'no-credentials' }), {})).toBe(401);
  expect(await seenBy(verify({ kind: 'invalid', description: 'No.' }), {})).toBe(401);
  for (const mistake of [7, null, '']) expect(await seenBy(verify(verified(mistake)), {})).toBe(503);
});

test('a principal with a member named kind is a principal', async () => {
  const user = { id: 'ada', kind: 'verified' };
  expect(await seenBy(protectedBy(custom(() => user)), {})).toEqual(['ada', undefined]);
});

test('with authenticate, handlers get the bearer token of the request', async () => {
  const authenticate = (): { id: string } => ({ id: 'ada' });
  expect(await seenBy({ authenticate }, { authorization: 'Bearer any' })).toEqual(['ada', 'any']);
});
