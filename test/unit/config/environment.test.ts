import { describe, expect, test } from 'vitest';
import { askConfig, call, useScratch } from './support.ts';

const { load, complaints, upstream, write } = useScratch();

const TOKEN = '123:hunter2-token';
const KEY = 'hunter2 key';

/** The result of a tool, as one text. */
async function said(
  answer: Parameters<typeof upstream>[0],
  url = '${env:ORIGIN}/bot${env:TOKEN}/getMe?key=${env:KEY}',
): Promise<string> {
  const { origin, seen } = await upstream(answer);
  const configured = await load('c.yaml', askConfig('', url), { ORIGIN: origin, TOKEN, KEY });
  const result = JSON.stringify(await call(configured, 'ask'));
  expect(seen).toMatchObject([{ url: '/bot123:hunter2-token/getMe?key=hunter2+key' }]);
  expect(result).not.toContain('hunter2');
  expect(result).not.toContain(origin);
  return result;
}

describe('values from the environment are redacted', () => {
  test('by the message about an answer', async () => {
    expect(await said({ status: 404, type: 'text/plain', body: `no bot ${TOKEN} with ${KEY}` })).toContain(
      'GET ${env:ORIGIN}/bot${env:TOKEN}/getMe returned 404: no bot ${env:TOKEN} with ${env:KEY}',
    );
    expect(await said({ body: 'no json' })).toContain(
      'GET ${env:ORIGIN}/bot${env:TOKEN}/getMe returned invalid JSON.',
    );
  });

  test('by an answer that repeats what the request carried', async () => {
    const body = JSON.stringify({ headers: { key: `Bearer ${TOKEN}` }, list: [`${KEY}!`], units: 'miles' });
    const { origin, seen } = await upstream({ body });
    const http =
      "/ headers: { X-Token: 'Bearer ${env:TOKEN}' }, query: { key: '${env:KEY}' }, method: POST, body: { units: '${env:UNITS}' }";
    const args = "{ more: { default: '${env:MORE}' }, told: {} }";
    const environment = { TOKEN, KEY, UNITS: 'miles', MORE: 'hunter2 more' };
    const configured = await load('c.yaml', askConfig(origin, http, args), environment);
    expect(await call(configured, 'ask', { told: 'mine' })).toMatchObject({
      content: [
        {
          text: '{"headers":{"key":"Bearer ${env:TOKEN}"},"list":["${env:KEY}!"],"units":"${env:UNITS}"}',
        },
      ],
    });
    const text = await upstream({ type: 'text/plain', body: `hunter2 more of mine at ${origin}` });
    const asText = await load('d.yaml', askConfig(text.origin, http, args), environment);
    // Arguments of callers, and the address of the server, are data.
    expect(await call(asText, 'ask', { told: 'mine' })).toMatchObject({
      content: [{ text: `\${env:MORE} of mine at ${origin}` }],
    });
    expect(seen).toMatchObject([{ url: '/?key=hunter2+key' }]);
  });

  const CARRIED = 'AbC+dEf/hunter2==';
  const SMALL = 'AbC%2bdEf%2fhunter2%3d%3d';
  const WITHHELD = 'which was withheld: it contains a secret value.';

  test.each([
    [
      'as a name',
      'application/json',
      `{"${CARRIED}":{"data":"${CARRIED}"}}`,
      '{"${env:KEY}":{"data":"${env:KEY}"}}',
    ],
    [
      'as data',
      'application/json',
      `[{"data":"${CARRIED}","blob":["${SMALL}"]}]`,
      '[{"data":"${env:KEY}","blob":["${env:KEY}"]}]',
    ],
    ['in small letters', 'text/plain', `/x?k=${SMALL}&y=%20`, '/x?k=${env:KEY}&y=%20'],
    ['in HTML', 'text/html', '<b>AbC&#43;dEf&#x2f;hunter2&equals;=</b>', '<b>${env:KEY}</b>'],
    [
      'in bytes',
      'application/octet-stream',
      `\u0000${CARRIED}`,
      `returned application/octet-stream, ${WITHHELD}`,
    ],
    ['in an image', 'image/png', `\u0000${SMALL}`, `returned image/png, ${WITHHELD}`],
  ])('by an answer that repeats it %s', async (_how, type, body, shown) => {
    const { origin } = await upstream({ type, body });
    const http = "/ headers: { X-Key: '${env:KEY}' }";
    const configured = await load('c.yaml', askConfig(origin, http), { KEY: CARRIED });
    const { content } = (await call(configured, 'ask')) as { content: [{ text: string }] };
    expect(content).toEqual([{ type: 'text', text: expect.stringContaining(shown) as string }]);
  });

  test('by an error whose JSON escapes it', async () => {
    const { origin } = await upstream({
      status: 400,
      body: String.raw`{"no":"AbC\u002BdEf\/hunter2=\u003d"}`,
    });
    const http = "/ headers: { X-Key: '${env:KEY}' }";
    const configured = await load('c.yaml', askConfig(origin, http), { KEY: CARRIED });
    expect(JSON.stringify(await call(configured, 'ask'))).toContain(
      'returned 400: {\\"no\\":\\"${env:KEY}\\"}',
    );
  });

  test('by the message that names what an answer has', async () => {
    const { origin } = await upstream({ body: `{"${CARRIED}":1}` });
    const http = "/ headers: { X-Key: '${env:KEY}' }, response: { select: /a }";
    const configured = await load('c.yaml', askConfig(origin, http), { KEY: CARRIED });
    expect(JSON.stringify(await call(configured, 'ask'))).toContain(
      'returned a response without /a. Available: ${env:KEY}.',
    );
  });

  test.each([
    [`/bot${TOKEN}/new?key=hunter2+key#hunter2`, '/bot${env:TOKEN}/new.'],
    ['https://x:hunter2@a.example/b?c=hunter2', 'https://a.example/b.'],
    ['//x:hunter2@a.example/b', 'https://a.example/b.'],
    ['/bot123%3ahunter2-token/new', '/bot${env:TOKEN}/new.'],
    ['?key=hunter2', 'itself, with another query.'],
  ])('by the message about a redirect to %s', async (location, shown) => {
    expect(await said({ status: 302, headers: { location } })).toContain(
      `it has moved to ${shown} Redirects`,
    );
  });

  test('by the address of a resource', async () => {
    const pdf = { type: 'application/pdf', body: Buffer.from([1, 2]) };
    expect(await said(pdf)).toContain('"uri":"toolwright:ask"');
    const { origin } = await upstream(pdf);
    const configured = await load('d.yaml', askConfig(origin, '/bot${env:TOKEN}/{id}', '{ id: {} }'), {
      TOKEN,
    });
    expect(await call(configured, 'ask', { id: '7' })).toMatchObject({
      content: [{ resource: { uri: `${origin}/bot$%7Benv:TOKEN%7D/%7Bid%7D` } }],
    });
  });

  test('by the message about a server that cannot be asked', async () => {
    const tool = "{ name: ask, description: A, http: { url: '${env:BASE}/x' } }";
    const configured = await load('c.yaml', `name: demo\ntools: [${tool}]\n`, {
      BASE: 'http://LOCALHOST:9/hunter2',
    });
    const result = JSON.stringify(await call(configured, 'ask'));
    expect(result).toContain('${env:BASE} resolves to ');
    expect(result).toContain('add \\"${env:BASE}\\" to allowPrivate');
    expect(result).not.toMatch(/hunter2|localhost/i);
  });

  test('by what is advertised; a default is sent all the same', async () => {
    const { origin, seen } = await upstream();
    const args =
      "{ token: { default: '${env:TOKEN}', secret: true }, n: { type: integer, default: '${env:N}' }, o: { type: object, default: { k: '${env:TOKEN}' } }, own: { secret: true, default: hunter2 }, plain: { default: x } }";
    const configured = await load('c.yaml', askConfig(origin, '/ method: POST', args), { TOKEN, N: '3' });
    expect(configured.server.tools?.listTools()[0]?.inputSchema['properties']).toEqual({
      token: { type: 'string' },
      n: { type: 'integer' },
      o: { type: 'object' },
      own: { type: 'string' },
      plain: { type: 'string', default: 'x' },
    });
    await call(configured, 'ask');
    await call(configured, 'ask', { token: 't', n: 4, o: {}, own: 'o', plain: 'p' });
    expect(seen.map(({ body }) => body)).toEqual([
      '{"token":"123:hunter2-token","n":3,"o":{"k":"123:hunter2-token"},"own":"hunter2","plain":"x"}',
      '{"token":"t","n":4,"o":{},"own":"o","plain":"p"}',
    ]);
  });

  test.each([
    ['a module of several lines', 'tools: [{ module: "${env:V}" }]', 'hunter2-a\nhunter2-b'],
    [
      'an export of several lines',
      'tools: [{ module: ./m.mjs, export: "${env:V}" }]',
      'hunter2-a\nhunter2-b',
    ],
    ['a folder', 'resources: [{ directory: "${env:V}", uri: "a://d/", name: d }]', './/hunter2-a//b/'],
    ['a folder elsewhere', 'resources: [{ directory: "${env:V}", uri: "a://d/", name: d }]', '../hunter2-a'],
    ['a file', 'openapi: { document: "x/${env:V}" }', './/hunter2-a//b.json'],
    ['a document', 'openapi: { document: "${env:V}" }', '{"hunter2-a":1}'],
    ['an overlay', 'openapi: { document: ./d.json, overlays: ["${env:V}"] }', '{"hunter2-a":1}'],
    [
      'a pattern',
      'tools: [{ name: h, description: d, arguments: { a: { type: string, pattern: "${env:V}", default: q } }, http: { url: "http://127.0.0.1:1/{a}" } }]',
      'hunter2-a[',
    ],
    [
      'a pattern of elements',
      'tools: [{ name: h, description: d, arguments: { a: { type: array, items: { type: string, pattern: "${env:V}" }, default: [q] } }, http: { url: "http://127.0.0.1:1/" } }]',
      'hunter2-a[',
    ],
  ])('by the mistake about %s', async (_what, entry, value) => {
    write('m.mjs', 'export default [];');
    write('d.json', '{"openapi":"3.1.0","info":{"title":"S","version":"1"},"paths":{}}');
    const said = await complaints('c.yaml', `name: n\nversion: '1'\n${entry}\n`, { V: value });
    expect(said.length).toBeGreaterThan(0);
    expect(said.join('\n')).not.toContain('hunter2');
  });

  test('by mistakes that quote what is wrong', async () => {
    const lines = await complaints(
      'c.yaml',
      `name: demo
tools:
  - { name: t, description: T, http: { url: '\${env:URL}' } }
  - { name: u, description: U, http: { url: 'https://a.example' }, arguments: { n: { type: integer, default: '\${env:DIR}' } } }
  - { module: '\${env:DIR}' }
resources:
  - { directory: '\${env:DIR}', uri: 'a://b/', name: d }
transport: { type: http, port: '\${env:PORT}' }
`,
      { URL: 'https://a.example/{hunter2}', DIR: '/nowhere/hunter2', PORT: '18.5' },
    );
    expect(lines).toEqual([
      'c.yaml has 5 mistakes:',
      'c.yaml:3:40 tools[0].http.url has an unknown argument in braces, from an environment variable',
      'c.yaml:4:101 tools[1].arguments.n.default must be a whole number; the value of ${env:DIR} is not',
      expect.stringMatching(/^c\.yaml:5:7 tools\[2\]\.module cannot be loaded: .*\$\{env:DIR\}/),
      expect.stringMatching(/^c\.yaml:7:5 resources\[0\] is invalid: .* root must be .*\$\{env:DIR\}/),
      'c.yaml:8:26 transport.port must be a whole number; the value of ${env:PORT} is not',
    ]);
    expect(lines.join('\n')).not.toMatch(/hunter2|18\.5/);
  });
});

describe('a variable', () => {
  test('is sent as a text, also where no schema says what belongs there', async () => {
    const { origin, seen } = await upstream();
    const configured = await load(
      'c.yaml',
      askConfig(origin, "/ method: POST, body: { key: '${env:KEY}', deep: { list: ['a ${env:KEY}', 5] } }"),
      { KEY },
    );
    await call(configured, 'ask');
    expect(seen[0]?.body).toBe('{"key":"hunter2 key","deep":{"list":["a hunter2 key",5]}}');
  });

  test('is not redacted in definitions in code', async () => {
    const { server } = await load(
      'c.mjs',
      `export default {
        name: 'demo',
        tools: [{ name: 't', description: 'x \${env:Y}', inputSchema: { type: 'object' }, handler: () => 3 }],
        prompts: [{ name: 'p', arguments: [{ name: 'who' }], complete: { who: () => ['Ada'] }, template: '\${env:Y} {{who}}' }],
      };`,
    );
    expect(server.tools?.listTools()[0]?.description).toBe('x ${env:Y}');
    expect(await server.prompts?.getPrompt({ name: 'p', arguments: { who: 'Ada' } })).toMatchObject({
      value: { messages: [{ content: { text: '${env:Y} Ada' } }] },
    });
  });

  test('may say whether private addresses are allowed', async () => {
    const { origin, seen } = await upstream();
    const file = `name: demo
outbound: { allowPrivate: '\${env:ALLOW}' }
tools: [{ name: ask, description: Asks, http: { url: '${origin}' } }]
`;
    await call(await load('c.yaml', file, { ALLOW: 'true' }), 'ask');
    expect(seen).toHaveLength(1);
    await call(await load('c.yaml', file, { ALLOW: 'false' }), 'ask');
    expect(seen).toHaveLength(1);
    expect(await complaints('c.yaml', file, { ALLOW: 'perhaps' })).toEqual([
      'c.yaml has a mistake:',
      'c.yaml:2:13 outbound.allowPrivate must be true or false or an array of hosts, addresses and ranges; the value of ${env:ALLOW} is not',
    ]);
  });

  test.each(['http://127.0.0.1', 'http://127.0.0.1/'])(
    'that is the beginning of an address may end with a slash: %s',
    async (base) => {
      const { origin, seen } = await upstream();
      const BASE = base.replace('127.0.0.1', new URL(origin).host);
      const configured = await load('c.yaml', askConfig('', '${env:BASE}/{id}', '{ id: {} }'), { BASE });
      await call(configured, 'ask', { id: '7' });
      expect(seen.map(({ url }) => url)).toEqual(['/7']);
    },
  );
});
