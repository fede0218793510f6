import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import { shopDocument, startShop } from './openapi-api.ts';
import { and, REQUEST_CHECKS } from './openapi-request-checks.ts';
import { callThrough, listThrough, openapi } from './openapi-runs.ts';
import type { Check, Place, Said } from './openapi-runs.ts';
import { makeCertificates } from './openapi-certificates.ts';
import { freePort } from './free-port.ts';
import { runCli } from './run-cli.ts';
import { whileServing } from './while-serving.ts';

/** The document in a file, with its own servers. */
function withServers({ folder }: Place, ...servers: object[]): string {
  const file = join(folder, 'served.json');
  writeFileSync(file, JSON.stringify(shopDocument(servers)));
  return file;
}

/** A call arrives at the API with this header. */
const sends =
  (value: string, tool: string, [header, expected]: readonly [string, string]): Check =>
  async (say, place) => {
    const { line, env } = and(say(value), 'shop.json', '--base-url', place.api.origin);
    const { code, err } = await callThrough(place, { line, env: { ...env, SHOP_KEY: 'key-of-shop' } }, [
      tool,
    ]);
    expect([code, err]).toEqual([0, '']);
    expect(place.api.last().headers[header]).toBe(expected);
  };

/** Tokens of a grouped list in a dry run. */
async function groupedCost(place: Place, said: Said): Promise<number> {
  const { out } = await openapi(['shop.json', '--base-url', place.api.origin, '--dry-run'], place, said);
  return Number(/grouped (\d+)/.exec(out)?.[1]);
}

const reaches: Check = async (say, place) => {
  const said = and(say(`${place.api.origin}/v9`), 'shop.json');
  expect((await callThrough(place, said, ['listOrders', 'limit=3'])).code).toBe(0);
  expect(place.api.last()).toMatchObject({ method: 'GET', url: '/v9/orders?limit=3' });
};

const API_CHECKS: Readonly<Record<string, Check>> = {
  ...REQUEST_CHECKS,
  'base-url': reaches,
  'api-base-url': reaches,
  'server-variable': async (say, place) => {
    const variables = { stage: { default: 'live' } };
    const document = withServers(place, { url: `${place.api.origin}/{stage}`, variables });
    const said = and(say('stage=test'), document, '--allow-private', '127.0.0.1');
    expect((await callThrough(place, said, ['listOrders'])).code).toBe(0);
    expect(place.api.last().url).toBe('/test/orders');
  },
  'allow-private': async (say, place) => {
    const document = withServers(place, { url: place.api.origin });
    const refused = await callThrough(place, { line: [document], env: {} }, ['listOrders']);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining(
        '127.0.0.1 is not a public address. To allow requests to it, add "127.0.0.1" to allowPrivate.',
      ),
    ]);
    expect((await callThrough(place, and(say('127.0.0.0/8'), document), ['listOrders'])).code).toBe(0);
  },
  timeout: async (say, place) => {
    const said = and(say('150'), 'shop.json', '--base-url', place.api.origin);
    const { code, err } = await callThrough(place, said, ['waitForUsers']);
    expect([code, err]).toEqual([1, expect.stringContaining('did not respond within 150 ms')]);
  },
  'max-response-chars': async (say, place) => {
    const at = ['shop.json', '--base-url', place.api.origin, '--credential', 'api_key=1'];
    const whole = await callThrough(place, { line: at, env: {} }, ['listUsers']);
    expect(whole.out).toContain('user 199');
    const cut = await callThrough(place, and(say('500'), ...at), ['listUsers']);
    expect([cut.out.includes('user 199'), cut.out.includes('user 1')]).toEqual([false, true]);
  },
};

const CREDENTIAL_CHECKS: Readonly<Record<string, Check>> = {
  credential: sends('api_key=env:SHOP_KEY', 'listUsers', ['x-api-key', 'key-of-shop']),
  'bearer-env': sends('SHOP_KEY', 'createOrder', ['authorization', 'Bearer key-of-shop']),
  'client-credentials': async (say, place) => {
    const value = 'oauth id=me secret=env:SHOP_KEY scopes=read,write';
    await sends(value, 'createOrder', ['authorization', 'Bearer token-for-client'])(say, place);
    const asked = place.api.arrived.findLast(({ url }) => url === '/token');
    expect([asked?.body, asked?.headers.authorization]).toEqual([
      'grant_type=client_credentials&scope=read+write',
      `Basic ${Buffer.from('me:key-of-shop').toString('base64')}`,
    ]);
  },
  headers: async (say, place) => {
    await sends('X-List: a, b,X-Other:c', 'listOrders', ['x-list', 'a, b'])(say, place);
    expect(place.api.last().headers['x-other']).toBe('c');
  },
  'credential-origin': async (say, place) => {
    const document = shopDocument([{ url: 'https://api.example.com' }]) as {
      paths: Record<string, { servers?: object[] }>;
    };
    document.paths['/users'] = {
      ...document.paths['/users'],
      servers: [{ url: 'https://other.example.com' }],
    };
    writeFileSync(join(place.folder, 'two.json'), JSON.stringify(document));
    const at = ['two.json', '--dry-run', '--credential', 'api_key=1'];
    expect((await openapi(at, place)).out).toContain(
      'https://other.example.com is not in --credential-origin: credentials are not sent there (1 operation)',
    );
    expect((await openapi(at, place, say('https://other.example.com'))).out).not.toContain(
      'other.example.com',
    );
  },
};

/** Calls an API that requires a client certificate; `say` gives one setting, flags the others. */
const provesItself =
  (flag: string, value: (files: Readonly<Record<string, string>>) => string): Check =>
  async (say, place) => {
    const files = makeCertificates();
    const wants = { key: files.serverKey, cert: files.serverCert, ca: files.authority, requestCert: true };
    const isSure = flag !== 'reject-unauthorized';
    await using api = await startShop((listener) =>
      createTlsServer({ ...wants, rejectUnauthorized: isSure }, listener),
    );
    const others = Object.entries({
      'client-cert': files.paths['client.crt'],
      'client-key': files.paths['client.key'],
      'client-key-passphrase': 'env:PASSPHRASE',
      'ca-cert': files.paths['authority.crt'],
    }).flatMap(([name, file]) => (name === flag || !isSure ? [] : [`--${name}`, file ?? '']));
    const { line, env } = and(say(value(files.paths)), 'shop.json', '--base-url', api.origin, ...others);
    const given = { line, env: { ...env, PASSPHRASE: 'geheim' } };
    expect(await callThrough(place, given, ['listOrders'])).toMatchObject({ code: 0, err: '' });
    expect(api.last().url).toBe('/orders');
  };

const TLS_CHECKS: Readonly<Record<string, Check>> = {
  'client-cert': provesItself('client-cert', (paths) => paths['client.crt'] ?? ''),
  'client-key': provesItself('client-key', (paths) => paths['client.key'] ?? ''),
  'client-key-passphrase': provesItself('client-key-passphrase', () => 'geheim'),
  'ca-cert': provesItself('ca-cert', (paths) => paths['authority.crt'] ?? ''),
  'reject-unauthorized': provesItself('reject-unauthorized', () => 'false'),
};

interface Listed {
  readonly server: { readonly name: string; readonly version: string };
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly outputSchema?: object;
  }[];
  readonly prompts?: readonly { readonly name: string }[];
  readonly resources?: readonly { readonly uri: string }[];
}

const list = async (place: Place, said: Said): Promise<Listed> =>
  (await listThrough(place, said)) as unknown as Listed;
const PLAIN: Said = { line: [], env: {} };
const PROMPTS = [{ name: 'greet', arguments: [{ name: 'who', required: true }], template: 'Hello {{who}}' }];
const RESOURCES = [{ uri: 'shop://manual', name: 'manual', mimeType: 'text/plain', text: 'Read me.' }];

const isCalled =
  (member: 'name' | 'version', value: string): Check =>
  async (say, place) => {
    expect((await list(place, say(value))).server[member]).toBe(value);
  };
const lists =
  (value: (place: Place) => string, expected: Partial<Listed>): Check =>
  async (say, place) => {
    expect(await list(place, say(value(place)))).toMatchObject(expected);
  };
const write =
  (name: string, content: string) =>
  ({ folder }: Place): string => {
    writeFileSync(join(folder, name), content);
    return name;
  };

const SHOWN_CHECKS: Readonly<Record<string, Check>> = {
  exposure: async (say, place) => {
    const names = async (said: Said): Promise<string[]> =>
      (await list(place, said)).tools.map(({ name }) => name);
    expect(await names(PLAIN)).toHaveLength(5);
    expect(await names(say('grouped'))).toEqual(['orders', 'users', 'admin']);
    expect(await names(say('search'))).toEqual(['search_tools', 'describe_tool', 'call_tool']);
    expect(await names(say('auto'))).toHaveLength(5);
  },
  pin: async (say, place) => {
    const { tools } = await list(place, and(say('listUsers'), '--exposure', 'search'));
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(['search_tools', 'describe_tool', 'call_tool', 'listUsers']);
  },
  'grouped-schemas': async (say, place) => {
    const describeActions = async ({ line, env }: Said): Promise<string> =>
      JSON.stringify(await list(place, { line: [...line, '--exposure', 'grouped'], env }));
    expect(await describeActions(PLAIN)).not.toContain('"describe"');
    expect(await describeActions(say('brief'))).toContain('"describe"');
    expect(await groupedCost(place, PLAIN)).toBeGreaterThan(0);
    expect(await groupedCost(place, say('brief'))).not.toBe(await groupedCost(place, PLAIN));
  },
  'schema-profile': async (say, place) => {
    expect(JSON.stringify(await list(place, PLAIN))).toContain('"$ref"');
    expect(JSON.stringify(await list(place, say('no-ref')))).not.toContain('"$ref"');
  },
  'output-schemas': async (say, place) => {
    expect((await list(place, PLAIN)).tools[0]).not.toHaveProperty('outputSchema');
    expect((await list(place, say())).tools[0]).toHaveProperty('outputSchema');
  },
  'strip-html': async (say, place) => {
    expect((await list(place, PLAIN)).tools[0]?.description).toContain('Lists <b>orders</b>');
    expect((await list(place, say())).tools[0]?.description).toContain('Lists orders');
  },
  name: isCalled('name', 'my-shop'),
  'server-version': isCalled('version', '9.9.9'),
  prompts: lists(write('prompts.yaml', '- name: greet\n  template: Hello\n'), {
    prompts: [{ name: 'greet' }],
  }),
  'prompts-inline': lists(() => JSON.stringify(PROMPTS), { prompts: [{ name: 'greet' }] }),
  resources: lists(write('resources.json', JSON.stringify({ resources: RESOURCES })), {
    resources: [{ uri: 'shop://manual' }],
  }),
  'resources-inline': lists(() => JSON.stringify(RESOURCES), { resources: [{ uri: 'shop://manual' }] }),
};

/** Serves over HTTP; the flag for it is added. */
const serving = (place: Place, { line, env }: Said, check: (url: URL) => Promise<void>) =>
  whileServing(
    ['openapi', 'shop.json', '--base-url', place.api.origin, ...line],
    { cwd: place.folder, env },
    check,
  );

const isServed = async (url: URL): Promise<void> =>
  expect((await runCli(['list', url.href], { cwd: '/' })).out).toContain('shop 2.1.0');

/** A server over stdio responds on standard output. */
const answersOnStdio: (place: Place, said: Said) => Promise<void> = async (place, { line, env }) => {
  const [incoming, outgoing] = [new PassThrough(), new PassThrough()];
  const ended = runCli(['openapi', 'shop.json', '--base-url', place.api.origin, ...line], {
    cwd: place.folder,
    env,
    incoming,
    outlet: outgoing,
  });
  incoming.end(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' })}\n`);
  expect((await ended).code).toBe(0);
  expect(JSON.parse(String(outgoing.read()))).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
};

/** A CORS preflight of a browser. */
function statusOf({ port }: URL, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = { port, host: '127.0.0.1', path: '/mcp', method: 'OPTIONS', headers };
    request(asking, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

const TRANSPORT_CHECKS: Readonly<Record<string, Check>> = {
  transport: async (say, place) => {
    await serving(place, and(say('http'), '--port', '0'), isServed);
    await answersOnStdio(place, say('stdio'));
  },
  stdio: async (say, place) => {
    const { line } = say();
    await answersOnStdio(place, { line, env: { TRANSPORT_TYPE: 'http' } });
  },
  http: async (say, place) => void (await serving(place, and(say(), '--port', '0'), isServed)),
  port: async (say, place) => {
    const port = await freePort();
    await serving(place, and(say(port), '--http'), async (url) => expect(url.port).toBe(port));
  },
  host: async (say, place) =>
    void (await serving(place, and(say('localhost'), '--http', '--port', '0'), async (url) =>
      expect(url.hostname).toBe('localhost'),
    )),
  path: async (say, place) =>
    void (await serving(place, and(say('/shop'), '--http', '--port', '0'), async (url) => {
      expect(url.pathname).toBe('/shop');
      await isServed(url);
    })),
  'allow-host': async (say, place) =>
    void (await serving(place, and(say('a.example'), '--http', '--port', '0'), async (url) => {
      expect(await statusOf(url, { host: 'a.example' })).not.toBe(403);
      expect(await statusOf(url, { host: 'b.example' })).toBe(403);
    })),
  'allow-origin': async (say, place) =>
    void (await serving(place, and(say('https://a.example'), '--http', '--port', '0'), async (url) => {
      const asks = { 'access-control-request-method': 'POST' };
      expect(await statusOf(url, { origin: 'https://a.example', ...asks })).toBe(204);
      expect(await statusOf(url, { origin: 'https://b.example', ...asks })).toBe(403);
    })),
};

/** Checks that need a running server. */
export const SERVING_CHECKS: Readonly<Record<string, Check>> = {
  ...API_CHECKS,
  ...CREDENTIAL_CHECKS,
  ...TLS_CHECKS,
  ...SHOWN_CHECKS,
  ...TRANSPORT_CHECKS,
};
