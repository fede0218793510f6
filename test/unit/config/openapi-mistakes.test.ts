import { describe, expect, test } from 'vitest';
import { LOCAL, petsDocument } from './openapi-support.ts';
import { useScratch } from './support.ts';
import { taken } from '../../support/refused.ts';

const { folder, write, complaints, upstream } = useScratch();

/** Mistakes in `openapi`, which is on the second line; the folder of the test is `<here>`. */
async function mistakes(openapi: string): Promise<string[]> {
  write('pets.json', petsDocument());
  write('nowhere.json', petsDocument({ servers: [] }));
  write('broken.yaml', 'a: [1');
  write('other.yaml', 'a: 1');
  const [, ...lines] = await complaints('c.yaml', `name: demo\nopenapi: ${openapi}\n`);
  return lines.map((line) => line.replaceAll(folder(), '<here>').split(' Expected one of')[0] ?? '');
}

describe('a document that cannot be read is pointed at', () => {
  test.each([
    ['{ document: none.yaml }', '2:12 openapi.document cannot be read: File not found: <here>/none.yaml.'],
    [
      '[{ document: ./broken.yaml }]',
      '2:13 openapi[0].document cannot be read: <here>/broken.yaml, line 2, column 1: unexpected end of the stream within a flow collection.',
    ],
    [
      '{ document: other.yaml }',
      '2:12 openapi.document cannot be read: <here>/other.yaml is not an OpenAPI document: it has neither "openapi" nor "swagger", but "a". Supported: Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2.',
    ],
    [
      '{ document: http://localhost:9/x.json?token=hunter2 }',
      '2:12 openapi.document cannot be read: http://localhost:9/x.json could not be fetched. localhost resolves to 127.0.0.1, which is not a public address. To allow requests to it, add "localhost" to allowPrivate.',
    ],
    [
      '{ document: ftp://example.com/x.json }',
      '2:12 openapi.document cannot be read: Invalid document URL: expected an http:, https: or local file: URL; received ftp:',
    ],
    [
      '{ document: pets.json, overlays: [./none.yaml] }',
      '2:44 openapi.overlays[0] cannot be read: File not found: <here>/none.yaml.',
    ],
    [
      '{ document: pets.json, overlays: [./other.yaml] }',
      '2:44 openapi.overlays[0] cannot be read: <here>/other.yaml is not an overlay: it has no version in "overlay", such as 1.0.0.',
    ],
    [
      '{ document: pets.json, references: { roots: [./none] } }',
      '2:47 openapi.references.roots must be folders that exist; received "<here>/none".',
    ],
    [
      '{ document: nowhere.json }',
      '2:1 openapi is invalid: No operation of "Pets" can be imported. GET /pets: The document names no server, and it was not loaded from a URL. Give the address of the API: baseUrl.',
    ],
  ])('%s', async (openapi, said) => {
    expect(await mistakes(openapi)).toEqual([`c.yaml:${said}`]);
  });

  test('also where another server does not give it', async () => {
    const { origin } = await upstream({ status: 403 });
    expect(await complaints('c.yaml', `${LOCAL}openapi: { document: '${origin}/a.json' }\n`)).toEqual([
      'c.yaml has a mistake:',
      `c.yaml:3:12 openapi.document cannot be read: ${origin}/a.json responded with status 403. It may require authentication headers.`,
    ]);
  });
});

describe('settings are checked', () => {
  test.each([
    [
      './pets.json',
      ['2:1 openapi must be an OpenAPI document ({ "document" }) or an array of OpenAPI documents'],
    ],
    ['[./pets.json]', ['2:11 openapi[0] must be an OpenAPI document ({ "document" })']],
    [
      '[{ documnt: pets.json }]',
      [
        '2:11 openapi[0] must have "document"',
        '2:13 openapi[0].documnt is unknown. Did you mean "document"?',
      ],
    ],
    [
      '{ document: pets.json, namespace: 1 x, mode: some, groupBy: tags, maxNameLength: 200, includeTags: x, stripHtml: 5 }',
      [
        '2:33 openapi.namespace must match ^[A-Za-z_][A-Za-z0-9_-]*$',
        '2:49 openapi.mode must be one of: all, explicit, dynamic.',
        '2:61 openapi.groupBy must be one of: none, tag. Did you mean "tag"?',
        '2:76 openapi.maxNameLength must be at most 128',
        '2:96 openapi.includeTags must be an array; received a string',
        '2:112 openapi.stripHtml must be true or false; received the number 5',
      ],
    ],
    [
      '{ document: pets.json, routeMaps: [{ path: /x }, { kind: tol, overide: {} }] }',
      [
        '2:45 openapi.routeMaps[0] must have "kind"',
        '2:61 openapi.routeMaps[1].kind must be one of: tool, resource, resource-template, none. Did you mean "tool"?',
        '2:72 openapi.routeMaps[1].overide is unknown. Did you mean "override"?',
      ],
    ],
    [
      '{ document: pets.json, baseUrl: ftp://x, headers: { Host: a }, documentHeaders: { X: "a\\nb" }, origins: [https://a.example/x], references: { origins: [abc] } }',
      [
        '2:33 openapi.baseUrl must be a URL such as https://api.example.com/v1',
        '2:62 openapi.headers.Host is invalid: The header "Host" cannot be set.',
        '2:92 openapi.documentHeaders.X is invalid: The value of the header "x" has characters that a header cannot have.',
        '2:115 openapi.origins[0] must be an origin such as https://api.example.com, without a path',
        '2:161 openapi.references.origins[0] must be an origin such as https://api.example.com, without a path',
      ],
    ],
    [
      '{ document: pets.json, baseUrl: https://me:hunter2@a.example }',
      ['2:33 openapi.baseUrl must not contain a user name or a password. Use credentials'],
    ],
    [
      '{ document: pets.json, namespace: abcdef, maxNameLength: 3 }',
      [
        '2:33 openapi.namespace is invalid: The prefix "abcdef_" leaves no room for a name of at most 3 characters. Choose a shorter one.',
      ],
    ],
  ])('%s', async (openapi, said) => {
    expect(await mistakes(openapi)).toEqual(said.map((line) => `c.yaml:${line}`));
  });

  test('also credentials, all of them', async () => {
    expect(
      await mistakes(
        '{ document: pets.json, credentials: { api_kee: x, login: { token: x }, logn: y, api_key: z } }',
      ),
    ).toEqual([
      'c.yaml:2:48 openapi.credentials.api_kee is invalid: credentials: the document has no security scheme "api_kee". Did you mean "api_key"? It has: api_key, login.',
      'c.yaml:2:60 openapi.credentials.login is invalid: credentials.login does not fit its security scheme. Give "user:password" or { username, password }, or an AuthProvider.',
      'c.yaml:2:81 openapi.credentials.logn is invalid: credentials: the document has no security scheme "logn". Did you mean "login"? It has: api_key, login.',
    ]);
    expect(
      await mistakes(
        '{ document: pets.json, credentials: { api_key: { key: x }, login: { username: x, pasword: y } } }',
      ),
    ).toEqual([
      'c.yaml:2:48 openapi.credentials.api_key must be a string, { "token" }, { "apiKey" }, { "username", "password" } or { "clientId", "clientSecret" }',
      'c.yaml:2:69 openapi.credentials.login must have "password"',
      'c.yaml:2:91 openapi.credentials.login.pasword is unknown. Did you mean "password"?',
    ]);
  });

  test('also overrides, by their form and by what they are about', async () => {
    expect(
      await mistakes(
        '{ document: pets.json, overrides: { listPets: { nam: x, name: a b, kind: tol, annotations: { readOnly: true }, arguments: { limit: { fixd: 3 } }, response: { select: 5 } } } }',
      ),
    ).toEqual([
      'c.yaml:2:58 openapi.overrides.listPets.nam is unknown. Did you mean "name"?',
      'c.yaml:2:66 openapi.overrides.listPets.name must match ^[A-Za-z0-9_-]{1,128}$',
      'c.yaml:2:77 openapi.overrides.listPets.kind must be one of: tool, resource, resource-template, none. Did you mean "tool"?',
      'c.yaml:2:103 openapi.overrides.listPets.annotations.readOnly is unknown.',
      'c.yaml:2:143 openapi.overrides.listPets.arguments.limit.fixd is unknown. Did you mean "fixed"?',
      'c.yaml:2:168 openapi.overrides.listPets.response.select must be a string or an array of strings',
    ]);
    expect(
      await mistakes(
        '{ document: pets.json, overrides: { listPet: { hidden: true }, GET /pets: { arguments: { limt: { fixed: 3 }, limit: { fixed: 3 }, x: { hidden: true } } }, getPet: { arguments: { id: { hidden: true } } } } }',
      ),
    ).toEqual([
      'c.yaml:2:46 openapi.overrides.listPet is an unknown operation. Did you mean "listPets"?',
      'c.yaml:2:99 openapi.overrides["GET /pets"].arguments.limt is an unknown argument of GET /pets. Did you mean "limit"?',
      'c.yaml:2:140 openapi.overrides["GET /pets"].arguments.x is an unknown argument of GET /pets.',
      'c.yaml:2:165 openapi.overrides.getPet cannot be imported: The argument "id" is hidden, and GET /pets/{id} cannot do without it. Give it a default or a fixed value.',
    ]);
  });

  test('also names of operations; patterns, methods and tags may mean none', async () => {
    expect(
      await mistakes(
        "{ document: pets.json, excludeTools: [getPett, 'x*'], includeOperations: [GET, DELETE, POST /pet], excludeTags: [none] }",
      ),
    ).toEqual([
      'c.yaml:2:48 openapi.excludeTools[0] is an unknown operation. Did you mean "getPet"?',
      'c.yaml:2:97 openapi.includeOperations[2] is an unknown operation. Did you mean "POST /pets"?',
    ]);
    expect(await mistakes('[{ document: pets.json, includeTags: [cats] }]')).toEqual([
      'c.yaml:2:11 openapi[0] has filters that match no operation. includeTags: "cats" matches no operation.',
    ]);
  });
});

describe('names that are taken are refused', () => {
  const LIST = '"List pets" in registry "demo"';
  const ENDPOINTS = '"Lists the operations of Pets: method, path and what each doe" in registry "demo"';

  test('by another document, and by other tools', async () => {
    write('pets.json', petsDocument());
    expect(
      await complaints(
        'c.yaml',
        `name: demo
openapi: [{ document: pets.json }, { document: pets.json }, { document: pets.json, mode: dynamic }, { document: pets.json, mode: dynamic }]
tools: [{ name: getPet, description: Mine, http: { url: https://a.example } }]
extraTools: [{ name: listPets, description: Mine too, http: { url: https://a.example } }]
`,
      ),
    ).toEqual([
      'c.yaml has 4 mistakes:',
      `c.yaml:2:36 openapi[1] is invalid: ${taken('Tool', 'listPets', [LIST, LIST])} Or set a namespace for this document. And 3 more.`,
      `c.yaml:2:101 openapi[3] is invalid: ${taken('Tool', 'list-api-endpoints', [ENDPOINTS, ENDPOINTS])} Or set a namespace for this document. And 2 more.`,
      `c.yaml:3:9 tools[0] is invalid: ${taken('Tool', 'getPet', ['"Get a pet" in registry "demo"', '"Mine" in registry "demo"'])}`,
      `c.yaml:4:14 extraTools[0] is invalid: ${taken('Tool', 'listPets', [LIST, '"Mine too" in registry "demo"'])}`,
    ]);
  });

  test('of resources as well', async () => {
    const routeMaps = 'routeMaps: [{ tags: [admin], kind: resource }], includeTags: [admin]';
    expect(
      await mistakes(`[{ document: pets.json, ${routeMaps} }, { document: pets.json, ${routeMaps} }]`),
    ).toEqual([
      `c.yaml:2:106 openapi[1] is invalid: ${taken('Resource', 'openapi://pets/health')} Or set a namespace for this document.`,
    ]);
  });
});

test('other mistakes are reported beside them, each at its place', async () => {
  write('pets.json', petsDocument());
  expect(
    await complaints(
      'c.yaml',
      `name: demo
outbound: { tls: { origins: [https://a.example], cert: ./none.pem, key: ./none.key, ca: [./none.crt] } }
openapi:
  - document: pets.json
    mod: all
  - document: none.json
tools:
  - { name: ask, description: Asks, http: { url: ftp://a.example } }
`,
    ),
  ).toEqual([
    'c.yaml has 6 mistakes:',
    `c.yaml:2:50 outbound.tls.cert cannot be read: file not found: ${folder()}/none.pem.`,
    `c.yaml:2:68 outbound.tls.key cannot be read: file not found: ${folder()}/none.key.`,
    `c.yaml:2:90 outbound.tls.ca[0] cannot be read: file not found: ${folder()}/none.crt.`,
    expect.stringContaining('c.yaml:5:5 openapi[0].mod is unknown. Did you mean "mode"?'),
    `c.yaml:6:5 openapi[1].document cannot be read: File not found: ${folder()}/none.json.`,
    'c.yaml:8:45 tools[0].http.url must be a URL such as https://api.example.com/users/{id}',
  ]);
});
