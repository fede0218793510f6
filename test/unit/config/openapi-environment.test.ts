import { describe, expect, test } from 'vitest';
import type { ConfiguredServer } from '../../../src/config.ts';
import { LOCAL, petsDocument } from './openapi-support.ts';
import { call, useScratch } from './support.ts';
import type { UpstreamAnswer } from './support.ts';

const { write, load, complaints, upstream } = useScratch();

const ENV = { KEY: 'hunter2 key', TENANT: 'hunter2/tenant', REGION: 'hunter2-region', PIN: '1234-hunter2' };

/** A server with settings from the environment, in front of an API with this response. */
async function open(
  answer: UpstreamAnswer,
  more = '',
): Promise<{ configured: ConfiguredServer; origin: string; urls: () => unknown }> {
  const { origin, seen } = await upstream(answer);
  write('zoo-api.json', petsDocument());
  const configured = await load(
    'c.yaml',
    `${LOCAL}openapi:
  document: '\${env:NAME}.json'
  baseUrl: '\${env:BASE}/v1'
  credentials: { api_key: '\${env:KEY}' }
  headers: { X-Region: '\${env:REGION}' }
  overrides:
    listPets:
      arguments:
        tenant: { fixed: '\${env:TENANT}' }
        limit: { hidden: true, default: '\${env:PIN}' }
    addPet: { confirm: preview }
  routeMaps: [{ tags: [admin], kind: resource }]
  ${more}
`,
    { ...ENV, NAME: 'zoo-api', BASE: `${origin}/` },
  );
  return { configured, origin, urls: () => seen.map(({ url }) => url) };
}

/** All output as one text, without values of the environment. */
async function said(answer: UpstreamAnswer, run: (configured: ConfiguredServer) => unknown): Promise<string> {
  const { configured, origin } = await open(answer);
  const text = JSON.stringify(await run(configured));
  expect(text).not.toMatch(/hunter2/);
  expect(text).not.toContain(new URL(origin).host);
  return text;
}

const list = (configured: ConfiguredServer): unknown => call(configured, 'listPets');
const ECHO = JSON.stringify(Object.values(ENV));

describe('values from the environment are redacted', () => {
  test('but sent', async () => {
    const { origin, seen } = await upstream({});
    write('pets.json', petsDocument());
    const configured = await load(
      'c.yaml',
      `${LOCAL}openapi: { document: pets.json, baseUrl: '\${env:BASE}/v1', credentials: { api_key: '\${env:KEY}' }, overrides: { listPets: { arguments: { tenant: { fixed: '\${env:TENANT}' } } } } }
`,
      { ...ENV, BASE: `${origin}/` },
    );
    await list(configured);
    expect(seen).toMatchObject([
      { url: '/v1/pets?tenant=hunter2%2Ftenant', headers: { 'x-key': 'hunter2 key' } },
    ]);
    expect(configured.server.tools?.listTools()[0]?.inputSchema['properties']).toEqual({
      limit: { type: 'integer' },
      continue_from: { type: 'string' },
    });
  });

  test('where the API repeats it in an error', async () => {
    const { configured, origin, urls } = await open({
      status: 400,
      type: 'text/plain',
      body: `bad: ${Object.values(ENV).join(' | ')}`,
    });
    const text = JSON.stringify(await list(configured));
    expect(urls()).toEqual(['/v1/pets?limit=1234-hunter2&tenant=hunter2%2Ftenant']);
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain(origin);
    expect(text).toContain(
      'GET /pets answered 400 Bad Request: bad: [redacted] | ${env:TENANT} | [redacted] | ${env:PIN}',
    );
  });

  test.each(['%2F', '%2f', '/'])('where the API repeats it in a redirect, with %s', async (slash) => {
    const location = `https://elsewhere.example/v1/hunter2${slash}tenant?key=hunter2`;
    expect(await said({ status: 302, headers: { location } }, list)).toContain(
      'it has moved to https://elsewhere.example/v1/${env:TENANT}.',
    );
  });

  test('where the API repeats it in an answer, and callers are not to see it; all else is data', async () => {
    const { configured } = await open({ body: JSON.stringify({ ...ENV, self: 'http://127.0.0.1/' }) });
    const { content } = (await list(configured)) as { content: { text: string }[] };
    expect(content[0]?.text).toBe(
      '{"KEY":"[redacted]","TENANT":"${env:TENANT}","REGION":"[redacted]","PIN":"${env:PIN}","self":"http://127.0.0.1/"}',
    );
  });

  test('where the API repeats it in bytes, in another encoding, or as a name', async () => {
    const bytes = await open({ type: 'image/png', body: 'x hunter2%2ftenant' });
    expect((await list(bytes.configured)) as object).toMatchObject({
      content: [
        { type: 'text', text: 'The content was withheld: it contains a secret value.' },
        { type: 'text', text: 'image/png of 18 bytes.' },
      ],
    });
    const named = await open({ body: '{"hunter2/tenant":{"data":"hunter2%2ftenant"}}' });
    expect((await list(named.configured)) as object).toMatchObject({
      content: [{ text: '{"${env:TENANT}":{"data":"${env:TENANT}"}}' }],
    });
  });

  test('by a preview', async () => {
    const text = await said({}, (configured) => call(configured, 'addPet', { name: 'Rex' }));
    expect(text).toContain('This would send POST ${env:BASE}');
  });

  test('by a resource that cannot be read', async () => {
    const text = await said({ status: 500, type: 'text/plain', body: ECHO }, (configured) =>
      configured.server.resources?.readResource({ uri: 'openapi://pets/health' }),
    );
    expect(text).toContain('GET /health answered 500 Internal Server Error');
    expect(text).toContain('${env:TENANT}');
  });

  test.each([
    ['groupBy: tag', 'pets', { action: 'listPets' }],
    ['mode: dynamic', 'invoke-api-endpoint', { endpoint: 'listPets' }],
  ])('with %s', async (more, name, args) => {
    const { configured, origin } = await open({ status: 404, type: 'text/plain', body: ECHO }, more);
    const text = JSON.stringify(await call(configured, name, args));
    expect(text).toContain('GET /pets answered 404 Not Found');
    expect(text).toContain('${env:TENANT}');
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain(origin);
  });

  test('by the message about an API that cannot be asked', async () => {
    write('pets.json', petsDocument());
    const configured = await load(
      'c.yaml',
      "name: demo\nopenapi: { document: pets.json, baseUrl: '${env:BASE}' }\n",
      { BASE: 'http://LOCALHOST:9/hunter2' },
    );
    const text = JSON.stringify(await list(configured));
    expect(text).toContain('${env:BASE} resolves to ');
    expect(text).not.toMatch(/hunter2|localhost/i);
  });

  test('by reports', async () => {
    const { origin } = await upstream({ body: petsDocument({ servers: [{ url: 'https://{host}/' }] }) });
    const configured = await load(
      'c.yaml',
      `${LOCAL}openapi: { document: '\${env:ORIGIN}/hunter.json', serverVariables: { host: '\${env:HOST}' }, origins: ['\${env:ORIGIN}'] }
`,
      { ORIGIN: origin, HOST: 'hunter2.example' },
    );
    const [report] = configured.openapi;
    expect(report?.uri).toBe('${env:ORIGIN}/hunter.json');
    expect(JSON.stringify(report)).not.toMatch(/hunter2|127\.0\.0\.1/);
    expect(report?.operations[0]).toMatchObject({ key: 'GET /pets', name: 'listPets' });
  });

  test('by mistakes', async () => {
    write('hunter2.yaml', 'a: 1');
    write('pets.json', petsDocument());
    const lines = await complaints(
      'c.yaml',
      `name: demo
openapi:
  - { document: './\${env:FILE}' }
  - { document: '\${env:URL}/openapi.json' }
  - { document: pets.json, namespace: a, baseUrl: '\${env:FILE}', headers: { X-Key: '\${env:LINES}' } }
  - { document: pets.json, namespace: b, credentials: { login: '\${env:FILE}', api_key: '\${env:EMPTY}' } }
  - { document: pets.json, namespace: c, credentials: { login: '\${env:FILE}' } }
  - { document: pets.json, namespace: d, includeDeprecated: '\${env:FILE}', mode: '\${env:FILE}' }
  - { document: pets.json, namespace: e, includeTools: ['\${env:FILE}'] }
  - { document: pets.json, namespace: f, overrides: { listPets: { arguments: { limit: { default: '\${env:FILE}' } } } } }
`,
      { FILE: 'hunter2.yaml', URL: 'http://user:hunter2@127.0.0.1:9', LINES: 'hunter2\nx', EMPTY: '' },
    );
    expect(lines.map((line) => line.replace(/\S+\/(?=\$\{env:FILE\})/, ''))).toEqual([
      'c.yaml has 10 mistakes:',
      'c.yaml:3:7 openapi[0].document cannot be read: ${env:FILE} is not an OpenAPI document: it has neither "openapi" nor "swagger", but "a". Supported: Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2.',
      'c.yaml:4:7 openapi[1].document cannot be read: ${env:URL}/openapi.json could not be fetched. ${env:URL} is not a public address, and private ones are not allowed. Add "${env:URL}" to allowPrivate if it is meant.',
      'c.yaml:5:42 openapi[2].baseUrl must be a URL such as https://api.example.com/v1',
      'c.yaml:5:77 openapi[2].headers.X-Key is invalid: The value of the header "x-key" has characters that a header cannot have.',
      'c.yaml:6:79 openapi[3].credentials.api_key must not be empty',
      'c.yaml:7:57 openapi[4].credentials.login must be written as user:password.',
      'c.yaml:8:42 openapi[5].includeDeprecated must be true or false; the value of ${env:FILE} is not',
      'c.yaml:8:76 openapi[5].mode must be one of: all, explicit, dynamic.',
      'c.yaml:9:57 openapi[6].includeTools[0] is an unknown operation.',
      'c.yaml:10:89 openapi[7].overrides.listPets.arguments.limit.default is advertised to clients, so it must not come from the environment. Use "fixed", or add "hidden: true"',
    ]);
    expect(lines.join('\n')).not.toContain('hunter2');
  });
});
