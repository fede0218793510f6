import { renameSync, utimesSync, writeFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import { createApiKey } from '../../../src/auth.ts';
import { authSourceOf, loadAuth } from '../../../src/config/auth/auth-source.ts';
import type { AuthSource } from '../../../src/config/auth/auth-source.ts';
import { ConfigError, CONFIG_SCHEMA, loadConfig } from '../../../src/config.ts';
import { serveHttp } from '../../../src/http.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { useScratch } from './support.ts';

const { complaints, load, upstream, write } = useScratch();

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const { close } of open.splice(0)) await close();
});

const BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

type List = (headers?: Record<string, string>) => Promise<string[] | number>;

/** Serves a configuration. The function lists the tools that a request with these headers sees, or the status that rejects it. */
async function serve(content: string, env: Record<string, string> = {}): Promise<List> {
  const { server, auth } = await load('c.yaml', content, env);
  const running = await serveHttp(server, { port: 0, ...(auth && { auth }) });
  open.push(running);
  return async (headers = {}) => {
    const response = await fetch(running.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/list',
        ...headers,
      },
      body: BODY,
    });
    if (response.status !== 200) return response.status;
    const { result } = (await response.json()) as { result: { tools: { name: string }[] } };
    return result.tools.map(({ name }) => name);
  };
}

const TOOLS = `tools:
  - { name: look, description: Looks, http: { url: 'https://a.example' } }
  - { name: drop, description: Drops, tags: [admin], http: { url: 'https://a.example', method: DELETE } }
`;

describe('apiKeys', () => {
  const { key, record } = createApiKey({ id: 'ci', roles: ['admin'] });

  test('a key from the environment, and the policy of its role', async () => {
    const list = await serve(
      `name: demo
auth:
  apiKeys:
    header: x-api-key
    keys: [{ key: '\${env:CI_KEY}', principal: { id: ci, roles: [guest] } }, { prefix: '${record.prefix}', hash: '${record.hash}', principal: { id: boss, roles: [admin] } }]
  resource: https://demo.example.com/mcp
policy: { rules: [{ include: { any: [admin] }, roles: [admin] }] }
${TOOLS}`,
      { CI_KEY: createApiKey({ id: 'x' }).key },
    );
    expect(await list()).toBe(401);
    expect(await list({ 'x-api-key': key })).toEqual(['look', 'drop']);
    expect(await list({ 'x-api-key': `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}` })).toBe(401);
  });

  test('a key that is removed from the file is not valid for the next request', async () => {
    const file = write('keys.json', JSON.stringify([record]));
    const soon = new Date(Date.now() + 60_000);
    utimesSync(file, soon, soon);
    const list = await serve(
      `name: demo\nauth: { apiKeys: { file: keys.json }, resource: 'https://demo.example.com/mcp' }\n${TOOLS}`,
    );
    const headers = { authorization: `Bearer ${key}` };
    expect(await list(headers)).toEqual(['look', 'drop']);
    expect(await list(headers)).toEqual(['look', 'drop']);
    const other = createApiKey({ id: 'ci', roles: ['admin'] });
    // The same size within the same tick of the clock of the file system.
    writeFileSync(file, JSON.stringify([other.record]));
    utimesSync(file, soon, soon);
    expect(await list(headers)).toBe(401);
    expect(await list({ authorization: `Bearer ${other.key}` })).toEqual(['look', 'drop']);
    const next = write('next.json', '[]');
    renameSync(next, file);
    expect(await list({ authorization: `Bearer ${other.key}` })).toBe(401);
  });

  test('a file that has not changed for long is read again when it changes', async () => {
    const file = write('keys.json', JSON.stringify([record]));
    const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);
    utimesSync(file, ago(60), ago(60));
    const list = await serve(
      `name: demo\nauth: { apiKeys: { file: keys.json }, resource: 'https://demo.example.com/mcp' }\n${TOOLS}`,
    );
    const headers = { authorization: `Bearer ${key}` };
    expect(await list(headers)).toEqual(['look', 'drop']);
    writeFileSync(file, '[]');
    utimesSync(file, ago(30), ago(30));
    expect(await list(headers)).toBe(401);
  });

  test('while the file is invalid, no key is valid', async () => {
    const file = write('keys.json', JSON.stringify([record]));
    const list = await serve(
      `name: demo\nauth: { apiKeys: { file: keys.json }, resource: 'https://demo.example.com/mcp' }\n${TOOLS}`,
    );
    writeFileSync(file, '[');
    expect(await list({ authorization: `Bearer ${key}` })).toBe(503);
  });

  test('a key that has expired is not valid', async () => {
    write('keys.json', JSON.stringify([{ ...record, expiresAt: '2020-01-31' }]));
    const list = await serve(
      `name: demo\nauth: { apiKeys: { file: keys.json }, resource: 'https://demo.example.com/mcp' }\n${TOOLS}`,
    );
    expect(await list({ authorization: `Bearer ${key}` })).toBe(401);
  });
});

test.each(['introspection', 'jwt'])(
  '%s: private addresses are not reached unless they are allowed',
  async (kind) => {
    const { origin, seen } = await upstream({ body: '{}' });
    const options = {
      introspection: `{ issuer: 'https://id.example.com', endpoint: '${origin}/i', audience: 'https://demo.example.com/mcp', clientId: a, clientSecret: b }`,
      jwt: `{ issuer: 'https://id.example.com', jwksUri: '${origin}/jwks', audience: 'https://demo.example.com/mcp' }`,
    }[kind];
    const list = await serve(`name: demo\nauth: { ${kind}: ${options} }\n${TOOLS}`);
    const token = [{ alg: 'RS256', kid: 'a' }, { exp: 4_000_000_000 }, {}]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    expect(await list({ authorization: `Bearer ${token}` })).toBe(503);
    expect(seen).toEqual([]);
  },
);

test('introspection: the request has the client secret of the environment', async () => {
  const { origin, seen } = await upstream({
    body: JSON.stringify({ active: true, sub: 'ada', aud: 'https://demo.example.com/mcp', scope: 'drop' }),
  });
  const list = await serve(
    `name: demo
outbound: { allowPrivate: ['127.0.0.1'] }
auth:
  introspection:
    issuer: https://id.example.com
    endpoint: ${origin}/introspect
    audience: https://demo.example.com/mcp
    clientId: demo
    clientSecret: \${env:SECRET}
missingScopes: hide
policy: { rules: [{ names: [drop], scopes: [drop] }] }
${TOOLS}`,
    { SECRET: 'hunter2' },
  );
  expect(await list({ authorization: 'Bearer opaque' })).toEqual(['look', 'drop']);
  expect(seen[0]?.headers.authorization).toBe(`Basic ${btoa('demo:hunter2')}`);
});

test('missingScopes of a tool: it is listed to callers without its scopes', async () => {
  const { key } = createApiKey({ id: 'ada' });
  const tool = (name: string, mode: string): string =>
    `  - { name: ${name}, description: X, scopes: [x], ${mode}http: { url: 'https://a.example' } }\n`;
  const list = await serve(
    `name: demo\nmissingScopes: hide\nauth: { apiKeys: { keys: [{ key: '\${env:KEY}', principal: { id: ada } }] }, resource: 'https://demo.example.com/mcp' }\ntools:\n${tool('a', '')}${tool('b', 'missingScopes: challenge, ')}`,
    { KEY: key },
  );
  expect(await list({ authorization: `Bearer ${key}` })).toEqual(['b']);
});

test('the token of a caller is not sent to other servers', async () => {
  const { origin, seen } = await upstream();
  const { key, record } = createApiKey({ id: 'ci' });
  const { server, auth } = await load(
    'c.yaml',
    `name: demo
outbound: { allowPrivate: ['127.0.0.1'] }
auth: { apiKeys: { keys: [{ prefix: '${record.prefix}', hash: '${record.hash}', principal: { id: ci } }] }, resource: 'https://demo.example.com/mcp' }
tools: [{ name: ask, description: Asks, http: { url: '${origin}/ask' } }]
`,
  );
  const running = await serveHttp(server, { port: 0, ...(auth && { auth }) });
  open.push(running);
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(running.url), { requestInit }));
  expect((await client.callTool({ name: 'ask', arguments: {} })).isError).not.toBe(true);
  await client.close();
  expect(seen.map(({ url }) => url)).toEqual(['/ask']);
  expect(JSON.stringify(seen)).not.toContain(key);
  expect(seen[0]?.headers.authorization).toBeUndefined();
});

test('anyOf and trustedHeaders: the proxy names the tenant', async () => {
  const { key, record } = createApiKey({ id: 'ci' });
  const list = await serve(`name: demo
auth:
  anyOf:
    - trustedHeaders: { proxies: [127.0.0.1], id: x-user, tenant: x-tenant }
    - apiKeys: { keys: [{ prefix: '${record.prefix}', hash: '${record.hash}', principal: { id: ci } }] }
  resource: https://demo.example.com/mcp
  anonymous: true
policy: { rules: [{ readOnly: false, tenants: [acme] }] }
${TOOLS}`);
  expect(await list()).toEqual(['look']);
  expect(await list({ 'x-user': 'ada', 'x-tenant': 'acme' })).toEqual(['look', 'drop']);
  expect(await list({ 'x-user': 'ada', 'x-tenant': 'umbrella' })).toEqual(['look']);
  expect(await list({ authorization: `Bearer ${key}` })).toEqual(['look']);
  expect(await list({ authorization: 'Bearer wrong' })).toBe(401);
});

test('a file of code has a verifier of its own', async () => {
  const auth = new URL('../../../src/auth.ts', import.meta.url).href;
  const file = write(
    'c.mjs',
    `import { custom } from ${JSON.stringify(auth)};
export default { name: 'demo', auth: { verify: custom(() => ({ id: 'ada' })), resource: 'https://demo.example.com/mcp' } };`,
  );
  await using configured = await loadConfig(file);
  expect(configured.auth?.resource).toBe('https://demo.example.com/mcp');
});

test('toolwright dev makes the same of the data in another process, and rejects functions', async () => {
  const { key, record } = createApiKey({ id: 'ci' });
  write('keys.json', JSON.stringify([record]));
  const { server } = await load(
    'c.yaml',
    "name: demo\nauth: { apiKeys: { file: keys.json }, resource: 'https://demo.example.com/mcp', anonymous: true }\n",
  );
  const sent = JSON.parse(JSON.stringify(authSourceOf(server))) as AuthSource;
  const auth = await loadAuth(sent);
  const headers = new Headers({ authorization: `Bearer ${key}` });
  const request = { method: 'POST', url: '/mcp', headers, address: undefined };
  expect(await auth?.verify.verify(request)).toEqual({
    kind: 'verified',
    principal: { id: 'ci' },
    accessToken: key,
  });
  expect(auth?.anonymous).toBe(true);
  await expect(loadAuth({ file: 'c.mjs', auth: undefined, outbound: undefined })).rejects.toThrow(
    'c.mjs: auth has functions, which "toolwright dev" cannot run.',
  );
});

const RECORD = `prefix: tw_0000000000000000, hash: ${'A'.repeat(43)}`;

describe('mistakes', () => {
  test.each([
    ['auth: { jwt: { issuer: id, audience: a } }', '2:16 auth.jwt.issuer'],
    ['auth: { jwt: { issuer: "https://id.example", audience: a } }', '2:1 auth.resource'],
    [
      'auth: { jwt: { issuer: "https://id.example", audience: a, algoritms: [none] } }',
      '2:59 auth.jwt.algoritms',
    ],
    [
      'auth: { jwt: { issuer: "https://id.example", audience: a, algorithms: [HS256] } }',
      '2:59 auth.jwt.algorithms',
    ],
    ['auth: { jwt: { issuer: "https://id.example" } }', '2:9 auth.jwt'],
    ['auth: { jwt: {}, apiKeys: {} }', '2:1 auth'],
    ['auth: { anonymous: true }', '2:1 auth'],
    ['auth: { anyOf: [{ jwt: { issuer: id, audience: a } }] }', '2:26 auth.anyOf[0].jwt.issuer'],
    [
      'auth: { trustedHeaders: { proxies: [10.0.0.0/99], id: x }, resource: "https://a.example" }',
      '2:37 auth.trustedHeaders.proxies[0]',
    ],
    ['auth: { apiKeys: { file: none.json }, resource: "https://a.example" }', '2:20 auth.apiKeys.file'],
    ['auth: { apiKeys: { file: bad.json }, resource: "https://a.example" }', '2:20 auth.apiKeys.file'],
    [
      'auth: { apiKeys: { keys: [{ key: "${env:KEY}", principal: { id: a } }] }, resource: "https://a.example" }',
      '2:29 auth.apiKeys.keys[0].key',
    ],
    [
      `auth: { apiKeys: { keys: [{ ${RECORD}, principal: { id: a }, expiresAt: 2027-99-99 }] }, resource: "https://a.example" }`,
      'auth.apiKeys.keys[0].expiresAt',
    ],
    [
      'auth: { apiKeys: { keys: [{ key: "${env:NONE}", principal: { id: a } }] }, resource: "https://a.example" }',
      'auth.apiKeys.keys[0].key',
    ],
    ['policy: { rules: [{ role: [admin] }] }', '2:21 policy.rules[0].role'],
    ['policy: { rules: [{ names: [t] }] }', '2:1 policy'],
    ['policy: { rules: [{ names: [s], roles: [admin] }] }', '2:29 policy.rules[0].names[0]'],
    [
      'policy: { rules: [{ include: { any: [amdin] }, roles: [admin] }] }',
      '2:38 policy.rules[0].include.any[0]',
    ],
    ['policy: { exclude: [amdin] }', '2:21 policy.exclude[0]'],
    ['policy: { profile: desk }', '2:1 policy'],
    ['missingScopes: show', '2:1 missingScopes'],
    [
      "extraTools: [{ name: x, description: X, missingScopes: show, http: { url: 'https://a.example' } }]",
      'extraTools[0].missingScopes',
    ],
    ['principal: { name: ada }', '2:1 principal'],
  ])('%s', async (line, place) => {
    write('bad.json', '[{ "prefix": "tw_0", "principal": {} }]');
    const said = await complaints(
      'c.yaml',
      `name: demo\n${line}\ntools:\n  - { name: t, description: T, tags: [admin], http: { url: 'https://a.example' } }\n`,
      { KEY: 'hunter-2-secret' },
    );
    expect(said.slice(1).join('\n')).toContain(place);
    expect(said.join('\n')).not.toContain('hunter-2-secret');
  });

  test('all of them are reported at once', async () => {
    const file = write(
      'c.yaml',
      'name: demo\nauth: { jwt: { issuer: id, audience: a } }\npolicy: { profile: desk }\n',
    );
    const error: unknown = await loadConfig(file).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).mistakes.map(({ path }) => path)).toEqual([
      ['auth', 'jwt', 'issuer'],
      ['policy'],
    ]);
  });
});

test('the schema for editors takes the same', () => {
  const validate = new Ajv2020({ allErrors: true }).compile(CONFIG_SCHEMA);
  const isRight = (config: object): boolean => validate({ name: 'demo', ...config });
  const jwt = { issuer: '${env:ISSUER}', audience: ['https://a.example'], cacheMs: '${env:MS}' };
  expect(isRight({ auth: { jwt, anonymous: '${env:OPEN}', requiredScopes: ['mcp'] } })).toBe(true);
  expect(isRight({ auth: { anyOf: [{ jwt }, { apiKeys: { file: 'keys.json' } }] } })).toBe(true);
  expect(isRight({ auth: { jwt, apiKeys: { file: 'keys.json' } } })).toBe(false);
  expect(isRight({ auth: { anyOf: [{ jwt, anonymous: true }] } })).toBe(false);
  expect(
    isRight({ policy: { rules: [{ readOnly: false, roles: ['admin'] }] }, principal: { id: 'ada' } }),
  ).toBe(true);
  expect(isRight({ policy: { rules: [{ roles: [] }] } })).toBe(false);
});
