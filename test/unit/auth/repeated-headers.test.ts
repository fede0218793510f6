import { request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { anyOf, apiKeys, custom, MemoryApiKeyStore, trustedHeaders } from '../../../src/auth.ts';
import type { TrustedHeadersOptions, Verifier } from '../../../src/auth.ts';
import { toFetchHandler } from '../../../src/fetch.ts';
import { serveHttp } from '../../../src/http.ts';
import type { Principal } from '../../../src/index.ts';
import { createServer, silentLogger } from '../../../src/index.ts';

const RESOURCE = 'https://server.test/mcp';
const METADATA = 'resource_metadata="https://server.test/.well-known/oauth-protected-resource/mcp"';
const OPTIONS: TrustedHeadersOptions = {
  proxies: ['127.0.0.1'],
  id: 'X-User',
  scopes: 'X-Scopes',
  roles: 'X-Roles',
  tenant: 'X-Tenant',
};

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

/** Sends requests with repeated headers, which `fetch` would join, and records the principals. */
async function serve(
  verify: Verifier,
): Promise<{ send: (headers: Sent) => Promise<string | undefined>; principals: Principal[] }> {
  const principals: Principal[] = [];
  const authorize = (principal: Principal): undefined => void principals.push(principal);
  const server = createServer({ name: 'protected', version: '1.0.0', logger: silentLogger });
  const auth = { verify, resource: RESOURCE, authorize, authorizeCacheMs: 0 };
  const running = await serveHttp(server, { port: 0, auth });
  open.push(() => running.close());
  const send = (headers: Sent): Promise<string | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request(running.url, { method: 'DELETE', headers: { ...headers } }, (response) => {
        response.resume();
        resolve(response.headers['www-authenticate']);
      });
      sent.on('error', reject).end();
    });
  return { send, principals };
}

type Sent = Readonly<Record<string, string | string[]>>;

const rejected = (name: string, rule: string): string =>
  `Bearer error="invalid_token", error_description="The header ${name} must not ${rule}.", ${METADATA}`;

describe('trusted headers that are repeated are rejected', () => {
  test.each<[string, Sent]>([
    ['X-User', { 'x-user': ['eve', 'ada'] }],
    ['X-Scopes', { 'x-user': 'eve', 'X-Scopes': ['a', 'admin'] }],
    ['X-Roles', { 'x-user': 'eve', 'x-roles': ['a', 'admin'] }],
    ['X-Tenant', { 'x-user': 'eve', 'x-tenant': ['acme', 'acme'] }],
  ])('%s', async (name, headers) => {
    const keys = apiKeys(new MemoryApiKeyStore(), { header: 'x-api-key' });
    for (const verify of [trustedHeaders(OPTIONS), anyOf(keys, trustedHeaders(OPTIONS))]) {
      const { send, principals } = await serve(verify);
      expect(await send(headers)).toBe(rejected(name, 'be repeated'));
      expect(principals).toEqual([]);
    }
  });

  test('also where Node.js keeps only the first of them', async () => {
    const { send } = await serve(trustedHeaders({ proxies: ['127.0.0.1'], id: 'From' }));
    expect(await send({ from: ['ada', 'eve'] })).toBe(rejected('From', 'be repeated'));
  });

  test('a single header may have commas', async () => {
    const { send, principals } = await serve(trustedHeaders(OPTIONS));
    await send({ 'x-user': 'CN=ada,O=acme', 'x-scopes': 'a, b', 'x-other': ['a', 'b'] });
    expect(principals).toEqual([{ id: 'CN=ada,O=acme', scopes: ['a', 'b'], roles: [] }]);
  });
});

describe('behind toFetchHandler', () => {
  const ask = async (sent: readonly (readonly [string, string])[]): Promise<string | null> => {
    const headers = new Headers();
    for (const [name, value] of sent) headers.append(name, value);
    const server = createServer({ name: 'protected', version: '1.0.0', logger: silentLogger });
    const verify = trustedHeaders({ ...OPTIONS, address: () => '127.0.0.1' });
    const handle = toFetchHandler(server, { auth: { verify, resource: RESOURCE } });
    const response = await handle(new Request('http://localhost/mcp', { method: 'DELETE', headers }));
    await handle.close();
    return response.headers.get('www-authenticate');
  };
  const single = ['x-user', 'ada'] as const;

  test('an id or a tenant with a comma is rejected: it may be of two headers', async () => {
    expect(await ask([['x-user', 'eve'], single])).toBe(rejected('X-User', 'contain a comma'));
    expect(await ask([single, ['x-tenant', 'acme'], ['x-tenant', 'umbrella']])).toBe(
      rejected('X-Tenant', 'contain a comma'),
    );
    expect(await ask([single, ['x-tenant', 'acme']])).toBeNull();
  });

  test('headers are not believed where the address is unknown', async () => {
    const server = createServer({ name: 'protected', version: '1.0.0', logger: silentLogger });
    for (const address of [undefined, () => undefined]) {
      const verify = trustedHeaders({ ...OPTIONS, ...(address === undefined ? {} : { address }) });
      const handle = toFetchHandler(server, { auth: { verify, resource: RESOURCE, anonymous: true } });
      const headers = { 'x-user': 'ada' };
      const { status } = await handle(new Request('http://localhost/mcp', { method: 'DELETE', headers }));
      expect(status).toBe(401);
      await handle.close();
    }
  });

  test('scopes and roles may have commas', async () => {
    expect(await ask([single, ['x-scopes', 'a, b'], ['x-roles', 'editor,admin']])).toBeNull();
  });
});

test('a verifier of your own can reject repeated headers', async () => {
  const { send, principals } = await serve(
    custom(({ headers, isRepeated }) =>
      isRepeated?.('X-Session') === true ? false : { id: headers.get('x-session') ?? '' },
    ),
  );
  expect(await send({ 'x-session': ['a', 'b'] })).toContain('error="invalid_token"');
  await send({ 'x-session': 'a' });
  expect(principals).toEqual([{ id: 'a' }]);
});
