import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkUrl } from '../../../src/cli/target/open-to-world.ts';
import { runCli } from './run-cli.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-open-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const TOOLS = `tools:
  - { name: look, description: Looks at a thing, http: { url: 'https://a.example' } }
  - { name: drop, description: Drops a thing, http: { url: 'https://a.example', method: DELETE } }
  - { name: wipe, description: Wipes all things, scopes: [wipe], http: { url: 'https://a.example', method: DELETE } }
`;

/** The sentences of the doctor about a configuration, beside those about Node, schema libraries and the tools. */
async function examine(config: string): Promise<string[]> {
  writeFileSync(join(folder, 'toolwright.config.yaml'), `name: demo\n${config}\n${TOOLS}`);
  const { code, out } = await runCli(['doctor', '--json'], { cwd: folder });
  expect(code).toBe(0);
  const findings = JSON.parse(out) as { state: string; what: string; advice?: string }[];
  const own = findings.filter(
    ({ what }) => !/^Node |chema librar|responds, protocol|tools?, about|Scopes are required/.test(what),
  );
  for (const { state, advice } of own) expect(advice === undefined).toBe(state === 'good');
  return own.map(({ state, what }) => `${state} ${what}`);
}

const JWT = "jwt: { issuer: 'https://id.example.com', audience: 'https://demo.example.com/mcp' }";
const RESOURCE = "resource: 'https://demo.example.com/mcp'";
const DROP = 'odd Anonymous callers can call 1 destructive tool ("drop")';
const CACHED =
  'good JWTs of https://id.example.com are cached: one that was revoked is accepted for up to 60 s';
const GOOD = 'good Authentication for https://demo.example.com/mcp';

test.each<[string, string[]]>([
  ['', []],
  ['transport: { type: http }', [DROP]],
  [
    'transport: { type: http, host: 0.0.0.0, allowedHosts: [demo.example.com] }',
    ['odd Other machines can call this server without authentication (host: 0.0.0.0)', DROP],
  ],
  [
    'transport: { type: http, allowedHosts: ["demo.example.com:443", localhost] }',
    [
      'odd Other machines can call this server without authentication (allowedHosts: demo.example.com:443)',
      DROP,
    ],
  ],
  [
    "transport: { type: http, allowedOrigins: ['http://app.example.com'] }",
    [
      'odd allowedOrigins has http://app.example.com: others can change pages of an http: origin on the way, and call this server with them',
      'odd Pages of http://app.example.com can call this server without authentication, in the browser of anyone who opens them',
      DROP,
    ],
  ],
  [
    `transport: { type: http, host: 0.0.0.0, allowedHosts: [demo.example.com] }\nauth: { ${JWT}, ${RESOURCE} }`,
    [GOOD, CACHED],
  ],
  [
    `transport: { type: http }\nauth: { ${JWT} }`,
    [
      GOOD,
      'odd auth.resource is not set: the audience https://demo.example.com/mcp is used in the metadata',
      CACHED,
    ],
  ],
  [
    `transport: { type: http }\nauth: { ${JWT}, ${RESOURCE}, anonymous: true }`,
    [
      GOOD,
      'odd Requests without credentials are served as the anonymous caller (auth.anonymous: true)',
      CACHED,
      DROP,
    ],
  ],
  [
    `transport: { type: http }\nauth: { ${JWT}, ${RESOURCE}, anonymous: true }\npolicy: { rules: [{ readOnly: false, authenticated: true }] }`,
    [
      GOOD,
      'odd Requests without credentials are served as the anonymous caller (auth.anonymous: true)',
      CACHED,
    ],
  ],
  [
    `transport: { type: http }\nmissingScopes: challenge\nauth: { ${JWT}, ${RESOURCE}, anonymous: true }\npolicy: { rules: [{ names: [drop], roles: [admin] }] }`,
    [
      GOOD,
      'odd Requests without credentials are served as the anonymous caller (auth.anonymous: true)',
      CACHED,
    ],
  ],
  [
    "transport: { type: http }\nauth: { jwt: { issuer: 'http://id.example.com', audience: x, cacheMs: 0 }, resource: 'http://demo.example.com/other' }",
    [
      'good Authentication for http://demo.example.com/other',
      'odd The resource http://demo.example.com/other has no TLS: tokens can be read on the way',
      'odd The path of the resource is /other, and this server responds at /mcp',
      'good JWTs of http://id.example.com are verified with every request',
      'odd The issuer http://id.example.com has no TLS: its keys can be exchanged on the way',
    ],
  ],
  [
    `transport: { type: http }\nauth: { preset: { name: keycloak, url: 'http://id.example.com', realm: acme, audience: x, cacheMs: 0 }, ${RESOURCE} }`,
    [
      GOOD,
      'good JWTs of http://id.example.com/realms/acme are verified with every request',
      'odd The issuer http://id.example.com/realms/acme has no TLS: its keys can be exchanged on the way',
    ],
  ],
  [
    `transport: { type: http }\nauth: { anyOf: [{ introspection: { issuer: 'https://id.example.com', audience: x, clientId: a, clientSecret: b, cacheMs: 600000 } }, { trustedHeaders: { proxies: [0.0.0.0/0], id: x-user } }, { trustedHeaders: { proxies: [10.0.0.5], id: x-user } }], ${RESOURCE} }`,
    [
      GOOD,
      'odd Tokens of https://id.example.com are cached: one that was revoked is accepted for up to 600 s',
      'odd trustedHeaders believes every address (0.0.0.0/0): any caller can name any principal',
      'good Headers of 10.0.0.5 name the principal',
    ],
  ],
  [
    `principal: { id: ada }\nauth: { ${JWT} }`,
    ['odd auth has no effect over stdio: every caller is the principal "ada"'],
  ],
])('the doctor on %s', async (config, expected) => {
  expect(await examine(config)).toEqual(expected);
});

test('a URL that answered without credentials', () => {
  const said = (url: string): string[] => checkUrl(new URL(url)).map(({ what }) => what);
  expect(said('http://127.0.0.1:3000/mcp')).toEqual([]);
  expect(said('http://[::1]:3000/mcp')).toEqual([]);
  expect(said('https://demo.example.com/mcp')).toEqual([
    'demo.example.com answers without authentication: every machine that can reach it can call it',
  ]);
  expect(said('http://demo.example.com/mcp')).toEqual([
    'demo.example.com answers without authentication: every machine that can reach it can call it',
    'demo.example.com is called over http: requests can be read on the way',
  ]);
});
