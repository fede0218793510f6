import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'vitest';
import { listenHere } from './support/asking.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { Importer } from './support/importing.ts';
import { promise } from './support/promise.ts';

/** Spellings of this machine, its neighbours and the metadata servers of clouds. */
const SPELLINGS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '0x7f.0.0.1',
  '0x7f000001',
  '0177.0.0.1',
  '017700000001',
  '2130706433',
  '127.0.0.1.',
  '127.255.255.254',
  '0',
  '0.0.0.0',
  '0x0',
  '10.0.0.1',
  '10.255.255.255',
  '0xa.0.0.1',
  '012.0.0.1',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.0.1',
  '192.168.1.254',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '100.64.0.1',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '\uFF11\uFF12\uFF17.0.0.1',
  '\u2460\u2461\u2466.0.0.1',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:0:127.0.0.1]',
  '[fe80::5efe:127.0.0.1]',
];

const NAMES = [
  'http://localhost/',
  'http://metadata.internal/',
  'https://rebind.example/',
  'http://a.example:8080/',
];

const DOCUMENTS = 'nor where a document says';
const CREDENTIALS = 'credentials go to the API of a document alone';

promise('no request goes where it must not', {
  checks: {
    'in every spelling, and for every resolved address': check,
    [DOCUMENTS]: checkDocuments,
    [CREDENTIALS]: checkCredentials,
  },
  switches: [
    {
      defence: 'the check of IPv4 addresses',
      off: [{ module: 'outbound/public-address.js', defence: 'special-addresses', by: 'return true;' }],
      red: /connections/,
    },
    {
      defence: 'the check of the resolved address',
      off: [{ module: 'outbound/destinations.js', defence: 'address-behind-a-name', by: 'undefined' }],
      red: /connections/,
    },
    {
      defence: 'the check of addresses in documents',
      off: [{ module: 'outbound/destinations.js', defence: 'address-in-a-url' }],
      check: DOCUMENTS,
      red: /connections/,
    },
    {
      defence: 'the check of token endpoints',
      off: [{ module: 'openapi/auth/tokens/token-server.js', defence: 'origin-of-tokens' }],
      check: CREDENTIALS,
      red: /what others were sent/,
    },
    {
      defence: 'the check of server metadata',
      off: [
        { module: 'openapi/auth/tokens/describe-server.js', defence: 'described-token-servers', by: 'true' },
      ],
      check: CREDENTIALS,
      red: /what others were sent/,
    },
    {
      defence: 'the check of the origin of a followed redirect',
      off: [{ module: 'outbound/redirects/find-redirect.js', defence: 'origin-of-a-followed-redirect' }],
      check: CREDENTIALS,
      red: /what others were sent/,
    },
    {
      defence: 'the check of the origin of credentials',
      off: [{ module: 'openapi/auth/authenticator.js', defence: 'origin-of-credentials' }],
      check: CREDENTIALS,
      red: /what others were sent/,
    },
  ],
});

async function check(without: readonly Weakness[]): Promise<void> {
  const child = await ChildServer.listen('reaching.mjs', { without });
  const ask = async (urls: readonly string[], answers: readonly (readonly string[])[]): Promise<Reached> => {
    const heard = child.hear<Reached>('connects');
    child.process.send({ urls, answers });
    return heard;
  };
  const written = await ask(
    SPELLINGS.map((host) => `http://${host}/`),
    [['1.1.1.1']],
  );
  expect(SPELLINGS.length).toBeGreaterThan(40);
  expect(written.connects, 'connections to what was written').toEqual([]);
  expect(written.failures.filter((failure) => failure !== 'blocked')).toEqual([]);

  const hidden = ['127.0.0.1', '::1', '10.0.0.7', '169.254.169.254', '::ffff:127.0.0.1', 'fd00::1'];
  for (const address of hidden) {
    const named = await ask(NAMES, [[address]]);
    expect(named.connects, 'connections to what a name leads to').toEqual([]);
    // Also rejected beside a public address.
    const beside = await ask(NAMES, [['1.1.1.1', address]]);
    expect(beside.connects, 'connections to one of two').toEqual([]);
  }
  // A name with changing addresses (DNS rebinding): public for the first lookup, then private.
  const changing = await ask(
    ['https://rebind.example/', 'https://rebind.example/'],
    [['1.1.1.1'], ['127.0.0.1']],
  );
  expect(changing.connects, 'connections of a name that changes').toEqual(['1.1.1.1']);
  expect(changing.failures).toEqual(['unreachable', 'blocked']);
}

interface Reached {
  readonly connects: readonly string[];
  readonly failures: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

const describe = (paths: Json, more: Json = {}): Json => ({
  openapi: '3.1.0',
  info: { title: 'Elsewhere', version: '1' },
  paths,
  ...more,
});

/** A document with an address in every possible position. */
function documentsFor(host: string): readonly Json[] {
  const url = `http://${host}/`;
  const get = { responses: {} };
  const swagger = { swagger: '2.0', info: { title: 'Elsewhere', version: '1' }, paths: { '/a': { get } } };
  return [
    describe({ '/a': { get } }, { servers: [{ url }] }),
    describe({ '/a': { get, servers: [{ url }] }, '/b': { get: { ...get, servers: [{ url }] } } }),
    describe({ '/a': { get } }, { servers: [{ url: 'http://{h}/', variables: { h: { default: host } } }] }),
    describe({ '/a': { get } }, { servers: [{ url: 'no address' }, { url: `https://${host}` }] }),
    { ...swagger, host, schemes: ['http'] },
  ];
}

async function checkDocuments(without: readonly Weakness[]): Promise<void> {
  const child = await ChildServer.listen('reaching-imported.mjs', { without });
  const ask = async (
    document: string | object,
    { options = {}, answers = ['1.1.1.1'] }: { options?: object; answers?: readonly string[] } = {},
  ): Promise<Reached> => {
    const heard = child.hear<Reached>('connects');
    child.process.send({ document, options, answers: [answers] });
    return heard;
  };
  const failures: string[] = [];
  for (const host of SPELLINGS) {
    for (const document of documentsFor(host)) {
      const reached = await ask(document);
      expect(reached.connects, `connections to ${host} in ${JSON.stringify(document)}`).toEqual([]);
      failures.push(...reached.failures);
    }
    // The document itself, and its references.
    const own = await ask(`http://${host}/openapi.json`);
    expect(own.connects, `connections for a document at ${host}`).toEqual([]);
    const origins = [`http://${host}`];
    const referring = await ask(describe({ '/a': { $ref: `http://${host}/a.json` } }), {
      options: { references: { origins } },
    });
    expect(referring.connects, `connections for a reference to ${host}`).toEqual([]);
  }
  expect(failures.length).toBeGreaterThan(SPELLINGS.length * 5);
  expect(
    failures.filter((text) => !/is not a public address|is not a valid URL of an API/.test(text)),
  ).toEqual([]);
  for (const answers of [['127.0.0.1'], ['169.254.169.254'], ['1.1.1.1', '::1']]) {
    const [document = {}] = documentsFor('api.example.com');
    expect((await ask(document, { answers })).connects, 'connections to what a name leads to').toEqual([]);
    expect((await ask('https://api.example.com/openapi.json', { answers })).connects, 'connections').toEqual(
      [],
    );
  }
  // A public address is requested, so the check can fail.
  const [document = {}] = documentsFor('api.example.com');
  expect((await ask(document)).connects).toEqual(['1.1.1.1']);
}

const SECRET = 'secret-4711';

async function checkCredentials(without: readonly Weakness[]): Promise<void> {
  const sent: string[] = [];
  const keep = (list: string[]) => (request: IncomingMessage, response: ServerResponse) => {
    list.push(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}`);
    request.on('data', (chunk: Buffer) => list.push(chunk.toString()));
    response.setHeader('content-type', 'application/json');
    response.end('{"access_token":"secret-4711","token_type":"bearer","expires_in":3600}');
  };
  const other = await listenHere(createServer(keep(sent)));
  const received: string[] = [];
  const api = await listenHere(
    createServer((request, response) => {
      if (request.url === '/description')
        return void response.end(JSON.stringify({ token_endpoint: `${other}/token`, issuer: other }));
      const [, status] = /^\/redirect\/(\d+)/.exec(request.url ?? '') ?? [];
      if (status !== undefined) {
        response.statusCode = Number(status);
        response.setHeader('location', `${other}/away`);
      }
      keep(received)(request, response);
    }),
  );
  const schemes = {
    key: { type: 'apiKey', in: 'query', name: 'key' },
    header: { type: 'apiKey', in: 'header', name: 'x-key' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
    bearer: { type: 'http', scheme: 'bearer' },
  };
  const flows = (tokenUrl: string): Json => ({
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl, scopes: {} } },
  });
  const importer = await Importer.start(without);
  const load = async (
    paths: Json,
    securitySchemes: Json,
    credential: Json | string,
  ): Promise<readonly string[]> => {
    const names = Object.keys(securitySchemes);
    const all = Object.fromEntries(names.map((name) => [name, []]));
    const { error, names: tools } = await importer.import({
      document: describe(paths, {
        servers: [{ url: api }],
        security: [all],
        components: { securitySchemes },
      }),
      options: {
        outbound: { allowPrivate: ['127.0.0.1'], maxRetries: 0 },
        credentials: Object.fromEntries(names.map((name) => [name, credential])),
      },
    });
    if (error !== undefined) return [error];
    return (await importer.call(tools.map((name) => ({ name, args: '{}' })))).map(({ text }) => text);
  };
  const both = { get: {}, post: {} };

  // The API redirects to another origin.
  for (const status of [301, 302, 303, 307, 308]) {
    const path = `/redirect/${status}`;
    const answers = await load(
      { [`/r${status}`]: { ...both, servers: [{ url: `${api}${path}` }] } },
      schemes,
      SECRET,
    );
    expect(answers.length, `calls that are answered with ${status}`).toBe(2);
  }
  expect(sent, 'what others were sent').toEqual([]);
  expect(received.filter((text) => text.includes(SECRET)).length, 'credentials of the API itself').toBe(10);

  // The document, or the API, names a token endpoint at another origin.
  const client = { clientId: 'us', clientSecret: SECRET };
  const tokens = {
    'a token URL': { oauth: flows(`${other}/token`) },
    'a description elsewhere': { oidc: { type: 'openIdConnect', openIdConnectUrl: `${other}/description` } },
    'a description': { oidc: { type: 'openIdConnect', openIdConnectUrl: `${api}/description` } },
  };
  for (const [what, securitySchemes] of Object.entries(tokens)) {
    const said = await load({ '/a': both }, securitySchemes, client);
    expect(sent, `what others were sent because of ${what}`).toEqual([]);
    expect(said.join(), what).toMatch(/is not the origin of the API|which is not trusted/);
  }
  // An operation at another origin may be called, but without credentials.
  await load({ '/a': { ...both, servers: [{ url: other }] } }, schemes, SECRET);
  expect(sent.length, 'requests to an operation that is elsewhere').toBe(2);
  expect(
    sent.filter((text) => text.includes(SECRET)),
    'what others were sent',
  ).toEqual([]);
}
