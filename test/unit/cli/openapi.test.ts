import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CommandCall } from '../../../src/cli/terminal/command.ts';
import { planImport } from '../../../src/cli/openapi/plan/plan-import.ts';
import type { ImportPlan } from '../../../src/cli/openapi/plan/plan-import.ts';
import { Settings } from '../../../src/cli/openapi/plan/settings.ts';
import { ROOT } from '../../support/dist.ts';
import { shopDocument, startShop } from './openapi-api.ts';
import type { ShopApi } from './openapi-api.ts';
import { callThrough, openapi } from './openapi-runs.ts';
import type { Place } from './openapi-runs.ts';
import { runCli } from './run-cli.ts';
import type { Ran } from './run-cli.ts';
import { whileServing } from './while-serving.ts';

let folder = '';
let api: ShopApi;
let place: Place;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-openapi-'));
  api = await startShop();
  place = { folder, api };
});

beforeEach(() => {
  api.arrived.length = 0;
  writeFileSync(join(folder, 'shop.json'), JSON.stringify(shopDocument()));
});

afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

/** Runs the command; `{api}` is the address of the API. */
const run = (line: readonly string[], env: Record<string, string> = {}, input = ''): Promise<Ran> =>
  openapi(
    line.map((word) => word.replaceAll('{api}', api.origin)),
    place,
    { env, input },
  );

const failed = async (...line: string[]): Promise<readonly [code: number, err: string]> => {
  const { code, out, err } = await run(line);
  expect(out).toBe('');
  return [code, err];
};

const write = (name: string, value: object): string => {
  writeFileSync(join(folder, name), JSON.stringify(value));
  return name;
};

test('a configuration that is served says what is not there of its documents', async () => {
  const get = (id: string, more: object = {}): object => ({ get: { operationId: id, ...more } });
  const paths = {
    '/a': get('a'),
    '/b': get('b', { security: [{ key: [] }] }),
    '/c': get('c', { parameters: [{ $ref: '#/none\u001B[31m' }] }),
    ...Object.fromEntries(['d', 'e', 'f', 'g', 'h'].map((name) => [`/${name}`, 1])),
  };
  write('part.json', {
    openapi: '3.1.0',
    info: { title: 'Part\u001B[31m', version: '1.0.0' },
    servers: [{ url: 'https://api.example.com' }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    paths,
  });
  const whole = { openapi: '3.1.0', info: { title: 'Whole', version: '1' }, paths: { '/a': get('a') } };
  write('whole.json', { ...whole, servers: [{ url: 'https://api.example.com' }] });
  write('c.json', {
    name: 'demo',
    openapi: [{ document: 'part.json' }, { document: 'whole.json', namespace: 'w' }],
  });
  const { err } = await whileServing(
    ['serve', 'c.json', '--http', '--port', '0'],
    { cwd: folder },
    async () => {},
  );
  expect(err.split('\n').filter((line) => line.startsWith('openapi'))).toEqual([
    'openapi Part 1.0.0: 2 tools of 8 operations, 6 refused, 1 without credentials',
    'openapi   GET /c: a parameter cannot be read: "#/none\\u001b[31m" cannot be resolved',
    'openapi   /d: the path is not an object',
    'openapi   /e: the path is not an object',
    'openapi   /f: the path is not an object',
    'openapi   /g: the path is not an object',
    'openapi   and 2 more',
  ]);
});

test('filters that do not count are named, and methods may stand in one list', async () => {
  const filtered = (...more: string[]): Promise<Ran> =>
    run(['shop.json', '--base-url', '{api}', '--dry-run', ...more]);
  expect((await filtered('--method', 'get', '--tool', '*Order')).out).toContain(
    '--tool alone selects the operations: --method is ignored.',
  );
  expect((await filtered('--method', 'get,post')).out).not.toContain('matches no operation');
  expect((await filtered('--server-variable', 'prt=1')).out).toContain(
    '--server-variable: unknown variable "prt".',
  );
});

describe('the document', () => {
  test('is given in exactly one way', async () => {
    expect(await failed()).toEqual([
      2,
      'error Missing document. Name a file or a URL, or "-" for standard input: toolwright openapi petstore.yaml',
    ]);
    expect(await failed('shop.json', '--openapi-spec', 'shop.json', '--spec-from-stdin')).toEqual([
      2,
      'error The document is given more than once: by an argument and --openapi-spec and --spec-from-stdin. Use only one of them.',
    ]);
    const two = { OPENAPI_SPEC_PATH: 'shop.json', OPENAPI_SPEC_INLINE: '{}' };
    expect((await run([], two)).err).toBe(
      'error The document is given more than once: by OPENAPI_SPEC_PATH and OPENAPI_SPEC_INLINE. Use only one of them.',
    );
    expect((await run(['shop.json', '--dry-run', '--base-url', '{api}'], two)).code).toBe(0);
  });

  test('comes from standard input only where that is free', async () => {
    const text = JSON.stringify(shopDocument());
    const { code, err } = await run(['-', '--base-url', '{api}'], {}, text);
    expect([code, err]).toEqual([
      2,
      'error The document cannot be read from standard input, which carries the messages of the client. Serve over HTTP (--transport http), or name a file.',
    ]);
    expect((await run(['-', '--base-url', '{api}', '--dry-run'], {}, text)).out).toContain(
      'Shop 2.1.0 (OpenAPI 3.0, given inline)',
    );
    const line = ['openapi', '-', '--base-url', api.origin, '--http', '--port', '0'];
    await whileServing(line, { cwd: folder, input: text }, async (url) => {
      expect((await runCli(['list', url.href], { cwd: folder })).out).toContain('listUsers');
    });
  });

  test('that cannot be had is a clear error', async () => {
    expect(await failed('nowhere.json')).toEqual([
      2,
      `error File not found: ${join(folder, 'nowhere.json')}.`,
    ]);
    expect(await failed('http://127.0.0.1:1/openapi.json?key=SECRET')).toEqual([
      3,
      'error http://127.0.0.1:1/openapi.json could not be fetched. http://127.0.0.1:1 could not be reached: it refused the connection.',
    ]);
    writeFileSync(join(folder, 'wrong.json'), '{"openapi": ');
    expect((await failed('wrong.json'))[0]).toBe(3);
    expect((await failed(write('other.json', { hello: 'world' })))[0]).toBe(3);
    expect(await failed('shop.json', 'false')).toEqual([
      2,
      'error Unexpected argument "false". Options such as --verbose take no value.',
    ]);
  });

  test('without servers needs a base URL', async () => {
    const [code, err] = await failed('shop.json');
    expect([code, err]).toEqual([
      3,
      expect.stringContaining('Set the base URL of the API with --base-url (API_BASE_URL).'),
    ]);
  });

  test('from a URL without servers has its API there', async () => {
    const { code } = await callThrough(place, { line: [`${api.origin}/openapi.json`], env: {} }, [
      'listOrders',
    ]);
    expect([code, api.last().url]).toEqual([0, '/orders']);
  });
});

test('a request that may take long has a call that waits for it', async () => {
  const call = { terminal: { cwd: folder, env: {} }, positionals: ['shop.json'], command: [] };
  const plan = (timeout: string): Promise<ImportPlan> =>
    planImport(new Settings({ ...call, flags: { timeout } } as unknown as CommandCall), {
      isTransport: false,
    });
  const [long, usual] = [(await plan('60000')).documents[0], (await plan('30000')).documents[0]];
  expect([long?.outbound, long?.override?.({} as never)]).toMatchObject([
    { timeoutMs: 60_000 },
    { timeoutMs: 70_000 },
  ]);
  expect(usual).toMatchObject({ outbound: { timeoutMs: 30_000 } });
  expect(usual).not.toHaveProperty('override');
});

describe('several documents', () => {
  const two = ['a=shop.json', 'b=shop.json'];
  const at = ['--base-url', 'a={api}/a', '--base-url', 'b={api}/b'];

  test('have names, which stand in front of their tools', async () => {
    const { code, out } = await run([...two, ...at, '--dry-run', '--credential', 'a.api_key=1']);
    expect(code).toBe(0);
    expect(out).toContain('a: Shop 2.1.0');
    expect(out).toContain('b_listUsers');
    expect(out).toContain('12 operations, 10 tools, 2 refused, 0 left out');
    expect(out).toContain(
      'needs api_key (header X-Api-Key): add --credential b.api_key=env:NAME (1 operation)',
    );
    expect(await failed('a=shop.json', 'shop.json')).toEqual([
      2,
      'error Missing document name. Name each of several documents: shop=./shop.yaml users=./users.yaml',
    ]);
    expect(await failed('a=shop.json', 'a=shop.json')).toEqual([
      2,
      'error Duplicate document name "a". Give each document its own name.',
    ]);
    expect((await failed(...two, '--namespace', 'c'))[1]).toContain(
      '--namespace applies only to a single document without a name',
    );
  });

  test('get the keys that are meant for them, and no others', async () => {
    const line = [...two, ...at, '--credential', 'a.api_key=for-a', '--headers', 'b.X-Only: for-b'].map(
      (word) => word.replaceAll('{api}', api.origin),
    );
    expect((await callThrough(place, { line, env: {} }, ['a_listUsers'])).code).toBe(0);
    expect(api.last()).toMatchObject({ url: '/a/users', headers: { 'x-api-key': 'for-a' } });
    expect(api.last().headers).not.toHaveProperty('x-only');
    expect((await callThrough(place, { line, env: {} }, ['b_listOrders'])).code).toBe(0);
    expect(api.last()).toMatchObject({ url: '/b/orders', headers: { 'x-only': 'for-b' } });
    expect(api.last().headers).not.toHaveProperty('x-api-key');
  });

  test.each([
    ['--base-url', 'https://api.example.com', 'a=\u2026'],
    ['--credential', 'api_key=SECRET', 'a.\u2026'],
    ['--headers', 'X-Key: SECRET', 'a.\u2026'],
    ['--document-header', 'X-Key: SECRET', 'a.\u2026'],
    ['--bearer-env', 'KEY', 'a.\u2026'],
    ['--client-credentials', 'oauth id=1 secret=SECRET', 'a.\u2026'],
    ['--server-variable', 'region=eu', 'a.\u2026'],
    ['--credential-origin', 'https://api.example.com', 'a=\u2026'],
    ['--overlay', 'overlay.json', 'a=\u2026'],
  ])('%s says which of them it is for', async (flag, value, how) => {
    expect(await failed(...two, flag, value)).toEqual([
      2,
      `error ${flag}: missing document name, because there are several documents. Write ${flag} "${how}"`,
    ]);
  });

  test('share filters; one that means something in one of them is no mistake', async () => {
    const { paths } = shopDocument() as { paths: Record<string, object> };
    write('shop.json', { ...shopDocument(), paths: { '/users': paths['/users'] } });
    const line = [
      'openapi',
      ...two,
      ...at,
      '--http',
      '--port',
      '0',
      '--tool',
      'a_listUsers',
      '--tool',
      'b_lst',
    ].map((word) => word.replaceAll('{api}', api.origin));
    const { err } = await whileServing(line, { cwd: folder }, async () => {});
    expect(err).not.toContain('"a_listUsers" matches');
    expect(err).toContain('note --tool: "b_lst" matches no operation.');
  });
});

describe('private addresses', () => {
  test('that were typed are meant; those that the document alone names are not reached', async () => {
    expect(
      (await callThrough(place, { line: ['shop.json', '-u', api.origin], env: {} }, ['listOrders'])).code,
    ).toBe(0);
    const document = write('local.json', shopDocument([{ url: api.origin }]));
    const calls = api.arrived.length;
    const { code, err } = await callThrough(place, { line: [document], env: {} }, ['listOrders']);
    expect([code, api.arrived.length]).toEqual([1, calls]);
    expect(err).toContain('127.0.0.1 is not a public address');
  });

  test('of the document are announced, with what to do', async () => {
    const document = write('local.json', shopDocument([{ url: 'http://localhost:9/' }]));
    const note =
      'The document places the API at localhost, which is not public: calls are rejected. To allow them: --allow-private localhost';
    const line = ['openapi', document, '--http', '--port', '0'];
    expect((await whileServing(line, { cwd: folder }, async () => {})).err).toContain(`note ${note}`);
    expect((await run([document, '--dry-run'])).out).toContain(note);
    const allowed = [...line, '--allow-private', 'localhost'];
    expect((await whileServing(allowed, { cwd: folder }, async () => {})).err).not.toContain('not public');
  });

  test('that a public name leads to are not allowed by typing the name', async () => {
    const { findPrivateHosts } = await import('../../../src/cli/openapi/plan/private-hosts.ts');
    expect(
      findPrivateHosts([
        'http://127.0.0.1:80/x',
        'http://[::1]/',
        'http://localhost/',
        'http://api:8080/',
        'https://db.internal',
        'https://printer.local./',
        'https://api.example.com/',
        'https://8.8.8.8/',
        'shop.json',
        '',
      ]),
    ).toEqual(['127.0.0.1', '::1', 'localhost', 'api', 'db.internal', 'printer.local']);
  });

  test('that a redirect leads to are refused, with the flag that allows them', async () => {
    expect(await failed(`${api.origin}/moved.json`, '--dry-run')).toEqual([
      3,
      expect.stringMatching(
        /moved\.json\. 127\.0\.0\.2 is not a public address\. To allow it: --allow-private 127\.0\.0\.2$/,
      ),
    ]);
    expect(await failed(`${api.origin}/moved.json`, '--dry-run', '--allow-private', '127.0.0.2')).toEqual([
      3,
      expect.stringMatching(/it refused the connection\.$/),
    ]);
  });
});

describe('credentials', () => {
  test('for a scheme that is not there are refused, with those that are', async () => {
    expect(await failed('shop.json', '-u', api.origin, '--credential', 'apikey=SECRET')).toEqual([
      3,
      'error --credential: unknown security scheme "apikey". Did you mean "api_key"? Security schemes: api_key, oauth.',
    ]);
  });

  test.each([
    [['--credential', 'SECRET']],
    [['--credential', 'api_key=env:NOT_SET']],
    [['--credential', 'api_key=1', '--credential', 'api_key=SECRET']],
    [['--bearer-env', 'SECRET-token']],
    [['--bearer-env', 'TOKEN', '--headers', 'Authorization: SECRET']],
    [['--headers', 'SECRET']],
    [['--headers', 'SECRET with blanks: x']],
    [['--client-credentials', 'oauth id=1 SECRET']],
    [['--client-credentials', 'oauth id=1']],
    [['--client-credentials', 'oauth id=1 secret=SECRET auth=none']],
    [['--client-credentials', 'id=1 secret=SECRET']],
    [['--base-url', 'https://user:SECRET@api.example.com']],
    [['--base-url', 'ftp://api.example.com/?key=SECRET']],
  ])('that are wrong are a mistake of the command line, and are not shown: %j', async (flags) => {
    const { code, err } = await run(['shop.json', ...flags], { TOKEN: 'x' });
    expect(code).toBe(2);
    expect(err).not.toContain('SECRET');
  });

  test('never appear in what is printed or written', async () => {
    const secrets = [
      '--credential',
      'api_key=SECRET-1',
      '--headers',
      'X-Key: SECRET-2',
      '--document-header',
      'X: SECRET-3',
    ];
    const line = [
      '{api}/openapi.json?key=SECRET-4',
      ...secrets,
      '--dry-run',
      '--report',
      'out.json',
      '--verbose',
    ];
    const { code, out, err } = await run(line);
    expect(code).toBe(0);
    expect(`${out}${err}${readFileSync(join(folder, 'out.json'), 'utf8')}`).not.toContain('SECRET');
    expect(api.arrived[0]).toMatchObject({ url: '/openapi.json?key=SECRET-4', headers: { x: 'SECRET-3' } });
  });

  test('headers are taken apart at commas that a name follows, and at no others', async () => {
    const { splitHeaders } = await import('../../../src/cli/openapi/plan/api-headers.ts');
    expect(splitHeaders('a:1,b:2')).toEqual(['a:1', 'b:2']);
    expect(splitHeaders('X-List: a, b, c')).toEqual(['X-List: a, b, c']);
    expect(splitHeaders('X-Date: Mon, 02 Jan 2026 10:00:00, Authorization: Bearer x')).toEqual([
      'X-Date: Mon, 02 Jan 2026 10:00:00',
      'Authorization: Bearer x',
    ]);
    expect(splitHeaders('Link: <a>,https://b.example,X:1')).toEqual(['Link: <a>,https://b.example', 'X:1']);
    expect(splitHeaders(' a: 1 , ,')).toEqual(['a: 1 , ,']);
  });
});

describe('output at the start', () => {
  const line = (...more: string[]): string[] => [
    'openapi',
    'shop.json',
    '-u',
    api.origin,
    '--http',
    '--port',
    '0',
    ...more,
  ];
  const says = async (...more: string[]): Promise<string[]> =>
    (await whileServing(line(...more), { cwd: folder }, async () => {})).err.split('\n');

  test('is one line about tools, refused operations and tokens, and where it is served', async () => {
    expect(await says()).toEqual([
      'shop 2.1.0: 5 tools of 6 operations, 1 refused, 2 without credentials (listed by --dry-run); tool list: about 390 tokens',
      expect.stringMatching(/^serving shop 2\.1\.0 at http:\/\/127\.0\.0\.1:\d+\/mcp$/),
      expect.stringMatching(/^Try it: npx toolwright list /),
      'Shutting down \u2026',
    ]);
    const [searched] = await says('--exposure', 'search');
    expect(searched).toContain('; listed as 3 tools: about 410 tokens');
  });

  test('has a hint where the list is large', async () => {
    const { paths } = shopDocument() as { paths: Record<string, Record<string, object>> };
    const many = Array.from({ length: 500 }, (_, index) => [
      `/p${index}`,
      { get: { ...paths['/users']?.['get'], operationId: `list${index}` } },
    ]);
    write('shop.json', { ...shopDocument(), paths: Object.fromEntries(many) });
    const hint =
      'note The tool list is large for a model. Use --exposure search to list three tools that find and call all others.';
    expect(await says()).toContain(hint);
    expect(await says('--exposure', 'search')).not.toContain(hint);
  });

  test('has a note for filters that mean nothing, and for certificates that are not checked', async () => {
    expect(await says('--exclude-tag', 'order')).toContain(
      'note --exclude-tag: "order" matches no operation. Did you mean "orders"?',
    );
    const trusting = ['openapi', 'shop.json', '-u', 'https://api.example.com', '--http', '--port', '0'];
    const { err } = await whileServing(
      [...trusting, '--reject-unauthorized', 'false'],
      { cwd: folder },
      async () => {},
    );
    expect(err).toContain('note The certificate of the API is not verified');
  });

  test('with --strict nothing is served when an operation is refused', async () => {
    const { code, err } = await run(['shop.json', '-u', '{api}', '--http', '--port', '0', '--strict']);
    expect([code, err.split('\n').slice(1)]).toEqual([
      1,
      [
        'error 1 operation is refused (--strict).',
        'refused GET /broken: a parameter cannot be read: "#/nowhere" cannot be resolved',
      ],
    ]);
  });
});

describe('contradicting flags are rejected', () => {
  test.each([
    [
      ['--basurl', 'x'],
      'error Unknown option "--basurl". Did you mean "--base-url"? See toolwright openapi --help.',
    ],
    [['--base-url', ''], 'error --base-url must not be empty.'],
    [
      ['-u', 'https://a.example', '--base-url', 'https://b.example'],
      'error Duplicate base URL: a document can have only one. Remove the others.',
    ],
    [
      ['--exposure', 'serch'],
      'error --exposure must be grouped, flat, search or auto; received "serch". Did you mean "search"?',
    ],
    [
      ['--pin', 'listOrders'],
      'error --pin requires --exposure search or --exposure auto: other exposures list all tools.',
    ],
    [
      ['--exposure', 'search', '--pin', 'listOrder'],
      'error Unknown tool in --pin: "listOrder". Did you mean "listOrders"?',
    ],
    [['--tools', 'explicit'], 'error --tools explicit requires --tool. Name at least one: --tool getPet'],
    [
      ['--tools', 'dynamic', '--exposure', 'search'],
      'error Use either --tools dynamic or --exposure search, not both.',
    ],
    [['--transport', 'http', '--stdio'], 'error Use either --transport http or --stdio, not both.'],
    [['--port', '3000'], 'error --port applies only to HTTP. Add --http.'],
    [['--timeout', '3600000'], 'error --timeout must be at most 590000 (milliseconds); received "3600000".'],
    [['--max-response-chars', '0'], 'error --max-response-chars must be at least 1; received "0".'],
    [
      ['--server-variable', 'eu'],
      'error Invalid --server-variable "eu": expected name=value, such as region=eu.',
    ],
    [
      ['--namespace', 'a b'],
      'error --namespace must have 1 to 32 letters, digits, "_" and "-", and must begin with a letter.',
    ],
    [
      ['--prompts', 'a.json', '--prompts-inline', '[]'],
      'error Use either --prompts or --prompts-inline, not both.',
    ],
    [
      ['--client-cert', 'shop.json'],
      'error --client-cert and --client-key must be used together: --client-key is missing.',
    ],
    [
      ['--ca-cert', 'shop.json', '-u', 'http://api.example.com'],
      'error Certificates require https:, but the API is at http://api.example.com. Remove the certificates, or set another --base-url.',
    ],
    [
      ['--ca-cert', 'shop.json'],
      'error The origin for the client certificate is unknown. The document names no server, and it was not loaded from a URL. Set the base URL of the API with --base-url (API_BASE_URL).',
    ],
  ])('%j', async (flags, message) => {
    const at =
      flags.includes('--prompts') || flags.includes('--pin') ? ['-u', 'https://api.example.com'] : [];
    expect(await failed('shop.json', ...at, ...flags)).toEqual([2, expect.stringContaining(message)]);
  });

  test('lists that are none, and local files in lists from elsewhere', async () => {
    const at = ['shop.json', '-u', api.origin];
    expect((await failed(...at, '--prompts-inline', '{"a": 1}'))[1]).toBe(
      'error --prompts-inline has a mistake:\n  --prompts-inline must be an array of prompts',
    );
    expect((await failed(...at, '--prompts', write('p.json', [{ name: 'a', templat: 'x' }])))[1]).toContain(
      'prompts[0].templat is unknown. Did you mean "template"?',
    );
    await whileServing(
      ['openapi', ...at, '--http', '--port', '0', '--prompts', `${api.origin}/prompts.json`],
      { cwd: folder },
      async (url) => expect((await runCli(['list', url.href], { cwd: folder })).out).toContain('from_url'),
    );
    expect((await failed(...at, '--resources', `${api.origin}/files.json`))[1]).toContain(
      'resources[0].file is not allowed in a list at a URL, only in a local file',
    );
  });

  test('an address that others can reach without their names', async () => {
    const { code, err } = await run(['shop.json', '-u', '{api}', '--http'], { HTTP_HOST: '0.0.0.0' });
    expect([code, err.split('\n')[1]]).toEqual([
      3,
      'error The host "0.0.0.0" is reachable from other machines. Name the allowed Host headers: --allow-host api.example.com.',
    ]);
  });
});

test('the table fits a terminal', async () => {
  const { out } = await runCli(['openapi', 'shop.json', '-u', api.origin, '--dry-run'], {
    cwd: folder,
    columns: 60,
  });
  const rows = out.split('\n').slice(1, 8);
  expect(rows).toEqual([
    '  operation            outcome  name              tokens  n\u2026',
    '  GET /orders          tool     listOrders            77',
    '  POST /orders         tool     createOrder          113',
    '  GET /users           tool     listUsers             65',
    '  GET /users/slow      tool     waitForUsers          67',
    '  DELETE /admin/reset  tool     resetConfigurat\u2026      66',
    '  GET /broken          refused  -                      -  a\u2026',
  ]);
});

test('an official client lists and calls what is served over HTTP', async () => {
  const line = [
    'openapi',
    'shop.json',
    '-u',
    api.origin,
    '--http',
    '--port',
    '0',
    '--credential',
    'api_key=k',
  ];
  await whileServing(line, { cwd: folder }, async (url) => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(url));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'listOrders',
      'createOrder',
      'listUsers',
      'waitForUsers',
      'resetConfiguration',
    ]);
    const result = await client.callTool({ name: 'createOrder', arguments: { item: 'tea' } });
    expect(result.isError).toBeFalsy();
    await client.close();
  });
  expect(api.last()).toMatchObject({ method: 'POST', url: '/orders', body: '{"item":"tea"}' });
});

test('on standard input and output nothing but messages is on standard output', async () => {
  const [incoming, outlet] = [new PassThrough(), new PassThrough()];
  const ran = runCli(['openapi', 'shop.json', '-u', api.origin, '--verbose'], {
    cwd: folder,
    incoming,
    outlet,
  });
  incoming.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
  incoming.end();
  const { code, out, err } = await ran;
  expect([code, out, err.split('\n').length]).toEqual([0, '', 2]);
  const lines = String(outlet.read()).trim().split('\n');
  expect(lines.map((each) => (JSON.parse(each) as { id: number }).id)).toEqual([1]);
});

test('docs/cli.md shows a report as it is written', async () => {
  const page = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8');
  const shown = JSON.parse(/```json\n(\{[^`]*)```/.exec(page)?.[1] ?? '') as Report;
  const at = ['shop.json', '-u', '{api}', '--dry-run', '--report', 'shown.json'];
  expect((await run(at)).code).toBe(0);
  const written = JSON.parse(readFileSync(join(folder, 'shown.json'), 'utf8')) as Report;
  const tool = ({ documents }: Report): object => documents[0]?.operations.at(0) ?? {};
  const refused = ({ documents }: Report): object => documents[0]?.operations.at(-1) ?? {};
  const keys = (part: (report: Report) => object, report: Report): string[] =>
    Object.keys(part(report)).toSorted();
  const parts = [
    (report: Report) => report,
    (report: Report) => report.documents[0] ?? {},
    tool,
    // The example in the documentation has no operationId, which is optional.
    (report: Report) => ({ operationId: '', ...refused(report) }),
    (report: Report) => report.totals,
    (report: Report) => report.totals.tokens,
  ];
  for (const part of parts) expect(keys(part, shown)).toEqual(keys(part, written));
});

interface Report {
  readonly documents: readonly { readonly operations: readonly object[] }[];
  readonly totals: { readonly tokens: object };
}
