import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import type { ConfiguredServer } from '../../../src/config.ts';
import { ROOT } from '../../support/dist.ts';
import { askConfig, call, useScratch } from './support.ts';
import { taken } from '../../support/refused.ts';

const { folder, write, load, complaints, upstream } = useScratch();

describe('a whole server', () => {
  test('repeats what is anchored, and merges it', async () => {
    const { server } = await load(
      'toolwright.config.yaml',
      `
name: demo
tools:
  - &ping { name: ping, description: Pings, http: &http { url: 'https://api.example.com/ping' } }
  - { <<: *ping, name: pong }
  - { name: peng, description: Pengs, http: *http }
`,
    );
    expect(server.tools?.listTools().map(({ name, description }) => [name, description])).toEqual([
      ['ping', 'Pings'],
      ['pong', 'Pings'],
      ['peng', 'Pengs'],
    ]);
  });

  test('comes from YAML', async () => {
    write('docs/start.md', '# Start');
    write('logo.png', 'not really');
    write(
      'tools.mjs',
      'export default [{ name: "add", description: "Adds", inputSchema: { type: "object" }, handler: () => 3 }];',
    );
    const { server, transport } = await load(
      'toolwright.config.yaml',
      `
name: demo
version: 1.2.3
title: Demonstration
instructions: Use it well.
exposure: flat
limits: { timeoutMs: 5000, maxDepth: 10 }
tools:
  - module: ./tools.mjs
extraTools:
  - name: ping
    description: Pings
    http: { url: 'https://api.example.com/ping' }
prompts:
  - name: greet
    description: Greets
    arguments: [{ name: who, required: true }]
    complete: { who: [Ada, Grace] }
    template: Say hello to {{who}}.
  - name: talk
    arguments: [{ name: topic }]
    messages:
      - { role: user, text: 'About {{topic}}?' }
      - { role: assistant, text: 'Yes, {{topic}}.' }
resources:
  - { uri: 'demo://manual', name: manual, text: Read me. }
  - { uri: 'demo://logo', name: logo, file: logo.png }
  - { directory: docs, uri: 'demo://docs/', name: docs }
transport: { type: http, port: 0, path: /demo }
`,
    );
    expect([server.name, server.version, transport]).toEqual([
      'demo',
      '1.2.3',
      { type: 'http', port: 0, path: '/demo' },
    ]);
    expect(server.tools?.listTools().map(({ name }) => name)).toEqual(['add', 'ping']);
    expect(await call({ server } as ConfiguredServer, 'add')).toEqual({
      content: [{ type: 'text', text: '3' }],
    });
    expect(await server.prompts?.getPrompt({ name: 'greet', arguments: { who: 'Ada' } })).toMatchObject({
      value: { messages: [{ role: 'user', content: { text: 'Say hello to Ada.' } }] },
    });
    expect(await server.prompts?.getPrompt({ name: 'talk', arguments: { topic: 'tea' } })).toMatchObject({
      value: {
        messages: [
          { role: 'user', content: { text: 'About tea?' } },
          { role: 'assistant', content: { text: 'Yes, tea.' } },
        ],
      },
    });
    expect(await server.resources?.readResource({ uri: 'demo://logo' })).toMatchObject({
      value: { contents: [{ mimeType: 'image/png', blob: 'bm90IHJlYWxseQ==' }] },
    });
    expect(await server.resources?.readResource({ uri: 'demo://docs/start.md' })).toMatchObject({
      value: { contents: [{ text: '# Start' }] },
    });
  });

  test('comes from JSON, with stdio by default', async () => {
    const { server, transport } = await load('toolwright.config.json', '{ "name": "demo" }');
    expect([server.name, server.version, transport, server.tools]).toEqual([
      'demo',
      '0.0.0',
      { type: 'stdio' },
      undefined,
    ]);
  });

  test('comes from code, with definitions in it', async () => {
    const { server } = await load(
      'toolwright.config.mjs',
      `export default {
        name: 'demo',
        tools: [{ name: 'add', description: 'Adds', inputSchema: { type: 'object' }, handler: () => 3 }],
        prompts: [{ name: 'p', handler: () => 'hello' }],
        resources: [{ uri: 'a://b', name: 'b', contentProvider: () => 'B' }],
      };`,
    );
    expect([server.tools?.size, server.prompts?.size, server.resources?.size]).toEqual([1, 1, 1]);
  });

  test('comes from TypeScript, which jiti compiles on every version of Node', async () => {
    const file = write('toolwright.config.ts', 'const name: string = "demo"; export default { name };');
    await expect(loadConfig(file)).rejects.toThrow(
      'Loading toolwright.config.ts needs "jiti". Install with: npm install jiti',
    );
    // As after `npm install jiti`.
    mkdirSync(join(folder(), 'node_modules'));
    symlinkSync(join(ROOT, 'node_modules/jiti'), join(folder(), 'node_modules/jiti'));
    await using configured = await loadConfig(file);
    expect(configured.server.name).toBe('demo');
  });
});

describe('mistakes are reported all at once, with their places', () => {
  test('in YAML', async () => {
    expect(
      await complaints(
        'toolwright.config.yaml',
        `nam: demo
tools:
  - name: my tool
    description: Asks
    http: { url: 'https://api.example.com', metod: GET }
  - modul: ./x.js
prompts:
  - name: p
    arguments:
      - required: yes please
exposure: flaty
transport: { type: http, port: 99999 }
`,
      ),
    ).toEqual([
      'toolwright.config.yaml has 9 mistakes:',
      'toolwright.config.yaml:1:1 must have "name"',
      expect.stringContaining(
        'toolwright.config.yaml:1:1 nam is unknown. Did you mean "name"? Expected one of: $schema, name,',
      ),
      'toolwright.config.yaml:3:5 tools[0].name must match ^[A-Za-z0-9_.-]{1,128}$',
      expect.stringContaining(
        'toolwright.config.yaml:5:45 tools[0].http.metod is unknown. Did you mean "method"?',
      ),
      'toolwright.config.yaml:6:5 tools[1] must be an HTTP tool ({ "name", "description", "http" }) or a module ({ "module": "./file.js" })',
      'toolwright.config.yaml:10:9 prompts[0].arguments[0] must have "name"',
      'toolwright.config.yaml:10:9 prompts[0].arguments[0].required must be true or false; received a string',
      'toolwright.config.yaml:11:1 exposure must be one of: grouped, flat, search, auto. Did you mean "flat"?',
      'toolwright.config.yaml:12:26 transport.port must be at most 65535',
    ]);
  });

  test('of pinned tools, by name', async () => {
    const ping = '[{ name: ping, description: Pings, http: { url: "https://api.example.com/ping" } }]';
    const start = `name: demo\nexposure: search\ntools: ${ping}\npinned: `;
    const { server } = await load('good.yaml', `${start}[ping]`);
    const names = server.tools?.listTools().map((tool) => tool.name);
    expect(names).toEqual(['search_tools', 'describe_tool', 'call_tool', 'ping']);
    expect(await complaints('c.yaml', `${start}[ping, pink]`)).toEqual([
      'c.yaml has a mistake:',
      'c.yaml:4:16 pinned[1] is an unknown tool: "pink". Did you mean "ping"?',
    ]);
  });

  test('in JSON', async () => {
    expect(await complaints('toolwright.config.json', '{\n  "name": 5,\n  "tools": {}\n}')).toEqual([
      'toolwright.config.json has 2 mistakes:',
      'toolwright.config.json:2:3 name must be a string; received the number 5',
      'toolwright.config.json:3:3 tools must be an array; received an object',
    ]);
    expect(await complaints('broken.json', '{\n  "name": "x",\n}')).toEqual([
      'broken.json has a mistake:',
      expect.stringMatching(/^broken\.json:3:1 is not valid JSON: /),
    ]);
  });

  test('in code, without lines', async () => {
    expect(await complaints('c.mjs', 'export default { name: "x", limits: { maxDeth: 1 } };')).toEqual([
      'c.mjs has a mistake:',
      expect.stringContaining('c.mjs limits.maxDeth is unknown. Did you mean "maxDepth"?'),
    ]);
  });

  test('in what YAML itself does not take', async () => {
    expect(await complaints('a.yaml', 'name: a\nname: b\n')).toEqual([
      'a.yaml has a mistake:',
      'a.yaml:2:1 duplicated mapping key',
    ]);
    expect((await complaints('b.yaml', 'name: a\ntools:\n  - {\n'))[1]).toBe(
      'b.yaml:4:1 unexpected end of the stream within a flow collection',
    );
    expect((await complaints('c.yaml', 'name: a\n---\nname: b\n'))[1]).toBe(
      'c.yaml:3:1 starts a second YAML document; a configuration must have only one',
    );
    expect((await complaints('loop.yaml', 'name: &a [*a]\n'))[1]).toBe(
      'loop.yaml:1:1 The file contains itself: a YAML alias refers to a node that contains it.',
    );
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
      .split('')
      .map(
        (name, index) =>
          `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[index]}`).join(',')}]`,
      )
      .join('\n')}\n`;
    expect((await complaints('bomb.yaml', bomb))[1]).toMatch(
      /^bomb\.yaml:1:1 The file has more than 3000000 values/,
    );
  });

  test('in what definitions themselves refuse', async () => {
    write('taken.mjs', 'export const one = { name: "greet", template: "hi" }; export default 5;');
    expect(
      await complaints(
        'toolwright.config.yaml',
        `name: demo
tools:
  - { name: t, description: T, http: { url: 'https://a.example/{topic}/{other}' }, arguments: { topics: { type: string }, other: { type: array } } }
  - { name: u, description: U, http: { url: 'https://{host}.example/' } }
  - { name: v, description: V, http: { url: 'ftp://a.example/' } }
  - { name: w, description: W, http: { url: 'https://a.example/' }, arguments: { x: { in: body } } }
  - { name: t2, description: T, http: { url: 'https://a.example/' } }
  - { name: t2, description: T, http: { url: 'https://a.example/' } }
prompts:
  - { name: greet, template: 'Hello {{who}}' }
  - { name: greet, template: Hello }
  - { module: ./taken.mjs, export: one }
  - { module: ./taken.mjs }
  - { module: ./nowhere.mjs }
resources:
  - { uri: nowhere, name: n, text: x }
  - { directory: nowhere, uri: 'a://b/', name: d }
`,
      ),
    ).toEqual([
      'toolwright.config.yaml has 12 mistakes:',
      'toolwright.config.yaml:3:40 tools[0].http.url has the unknown argument {topic}. Did you mean "topics"?',
      'toolwright.config.yaml:3:132 tools[0].arguments.other.type must not be array or object for a path argument',
      'toolwright.config.yaml:4:40 tools[1].http.url must not have braces in its host: arguments are allowed only in the path',
      'toolwright.config.yaml:5:40 tools[2].http.url must be a URL such as https://api.example.com/users/{id}',
      'toolwright.config.yaml:6:87 tools[3].arguments.x.in is "body", but GET requests have no body',
      `toolwright.config.yaml:8:5 tools[5] is invalid: ${taken('Tool', 't2', ['"T" in registry "demo"', '"T" in registry "demo"'])}`,
      expect.stringContaining(
        'toolwright.config.yaml:10:5 prompts[0] is invalid: Prompt "greet": the template uses {{who}}',
      ),
      `toolwright.config.yaml:12:5 prompts[2] is invalid: ${taken('Prompt', 'greet')}`,
      'toolwright.config.yaml:13:7 prompts[3].module cannot be loaded: it exports no definitions as "default". Exports: one, default.',
      expect.stringContaining('toolwright.config.yaml:14:7 prompts[4].module cannot be loaded: '),
      expect.stringContaining('toolwright.config.yaml:16:5 resources[0] is invalid: Resource "nowhere"'),
      expect.stringContaining(
        'toolwright.config.yaml:17:5 resources[1] is invalid: directoryResources: root must be the path of a folder that exists',
      ),
    ]);
  });

  test('of files that are none', async () => {
    await expect(loadConfig(join(folder(), 'none.yaml'))).rejects.toThrow('File not found');
    await expect(loadConfig(write('a.txt', ''))).rejects.toThrow(
      /^Invalid configuration file .*: its name must end with/,
    );
    await expect(loadConfig(write('d.mjs', 'export const x = 1;'))).rejects.toThrow(
      'd.mjs has no default export.',
    );
  });
});

describe('the environment', () => {
  test('is asked for what is written out, and for nothing else', async () => {
    const { origin, seen } = await upstream();
    const configured = await load(
      'c.yaml',
      `name: \${env:NAME}
instructions: Costs $\${env:PRICE} and $HOME.
outbound: { allowPrivate: ['127.0.0.1'], maxRetries: '\${env:RETRIES}' }
tools:
  - name: ask
    description: Asks
    http: { url: '\${env:ORIGIN}/x', headers: { authorization: 'Bearer \${env:TOKEN}' } }
transport: { type: http, port: '\${env:PORT}' }
`,
      { NAME: 'demo', ORIGIN: origin, TOKEN: 'secret', PORT: '4000', RETRIES: '0' },
    );
    expect([configured.server.name, configured.transport]).toEqual(['demo', { type: 'http', port: 4000 }]);
    await call(configured, 'ask');
    expect(seen[0]?.headers.authorization).toBe('Bearer secret');
  });

  test('must have it, all of it; what it has is never shown', async () => {
    const said = await complaints(
      'c.yaml',
      `name: \${env:NAME}
tools:
  - { name: t, description: T, http: { url: '\${env:URL}', headers: { a: '\${env:}', b: '\${env:TOKEN}' } } }
exposure: \${env:SECRET}
transport: { type: http, port: '\${env:SECRET}' }
`,
      { URL: 'hunter2', SECRET: 'hunter2' },
    );
    expect(said).toEqual([
      'c.yaml has 5 mistakes:',
      'c.yaml:1:1 name refers to the environment variable NAME, which is not set. Set it, or write $${env:NAME} for literal text',
      expect.stringContaining('tools[0].http.headers.a has an invalid variable name in ${env:}'),
      expect.stringContaining(
        'tools[0].http.headers.b refers to the environment variable TOKEN, which is not set.',
      ),
      'c.yaml:4:1 exposure must be one of: grouped, flat, search, auto.',
      'c.yaml:5:26 transport.port must be a whole number; the value of ${env:SECRET} is not',
    ]);
    expect(said.join('\n')).not.toContain('hunter2');
  });
});

describe('an HTTP tool', () => {
  test('puts its arguments where they belong', async () => {
    const { origin, seen } = await upstream();
    const configured = await load(
      'c.yaml',
      askConfig(
        origin,
        "/users/{id}?fixed=1 method: PUT, query: { more: '2' }, headers: { x-own: author }, body: { kind: note }",
        '{ id: { type: integer }, q: { in: query, type: array, items: { type: string } }, trace: { in: header, as: x-trace }, text: {}, flag: { type: boolean, default: true }, x-own: { in: header } }',
      ),
    );
    const args = { id: 7, q: ['a b', 'c&d'], trace: 't-1', text: 'hi', 'x-own': 'model' };
    expect(await call(configured, 'ask', args)).toMatchObject({
      content: [{ type: 'text', text: '{"ok":true}' }],
    });
    expect(seen[0]).toMatchObject({
      method: 'PUT',
      url: '/users/7?fixed=1&more=2&q=a+b&q=c%26d',
      headers: { 'x-trace': 't-1', 'x-own': 'author', 'content-type': 'application/json' },
      body: '{"kind":"note","text":"hi","flag":true}',
    });
  });

  test('writes forms', async () => {
    const { origin, seen } = await upstream();
    const configured = await load(
      'c.yaml',
      askConfig(origin, '/ method: POST, bodyType: form', '{ a: {}, n: { type: number } }'),
    );
    await call(configured, 'ask', { a: 'x y&z', n: 1.5 });
    expect(seen[0]).toMatchObject({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'a=x+y%26z&n=1.5',
    });
  });

  test('advertises and enforces its arguments, and what its method does', async () => {
    const { origin, seen } = await upstream();
    const configured = await load(
      'c.yaml',
      askConfig(
        origin,
        '/{id} method: DELETE',
        "{ id: { pattern: '^[a-z]+$' }, n: { type: integer, minimum: 1, required: true, description: How many } }",
      ),
    );
    expect(configured.server.tools?.listTools()[0]).toMatchObject({
      inputSchema: {
        type: 'object',
        properties: {
          id: { type: 'string', pattern: '^[a-z]+$' },
          n: { type: 'integer', minimum: 1, description: 'How many' },
        },
        required: ['id', 'n'],
      },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    });
    for (const args of [{}, { id: 'A', n: 1 }, { id: 'a', n: 0 }, { id: 'a', n: 1.5 }, { id: 5, n: 1 }])
      expect(await call(configured, 'ask', args)).toMatchObject({ isError: true });
    expect(seen).toEqual([]);
  });

  test.each(['..', '.', '', 'a/b', '..%2f', '%2e%2e', 'a\\b', 'a\r\nb'])(
    'never sends %j as a part of the path',
    async (id) => {
      const { origin, seen } = await upstream();
      const configured = await load('c.yaml', askConfig(origin, '/users/{id}/x', '{ id: {} }'));
      expect(await call(configured, 'ask', { id })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('- id: cannot be part of the path: it ') as string }],
        _meta: { 'toolwright/error': { code: 'INVALID_ARGUMENTS' } },
      });
      expect(seen).toEqual([]);
    },
  );

  test('never sends a header with a line break', async () => {
    const { origin, seen } = await upstream();
    const configured = await load('c.yaml', askConfig(origin, '/users', '{ x-a: { in: header } }'));
    expect(await call(configured, 'ask', { 'x-a': 'a\r\nx-evil: 1' })).toMatchObject({
      isError: true,
      _meta: { 'toolwright/error': { code: 'INVALID_ARGUMENTS', issues: [{ path: ['x-a'] }] } },
    });
    expect(seen).toEqual([]);
  });

  test('gives the part of the answer that is wanted', async () => {
    const { origin } = await upstream({ body: '{"data":{"items":[{"a/b":1},{"a/b":2}]}}' });
    const configured = await load('c.yaml', askConfig(origin, '/ response: { select: /data/items/1/a~1b }'));
    expect(await call(configured, 'ask')).toMatchObject({ content: [{ text: '2' }] });
    const other = await load('d.yaml', askConfig(origin, '/ response: { select: /data/rows }'));
    expect(await call(other, 'ask')).toMatchObject({
      isError: true,
      content: [
        {
          text: expect.stringContaining(
            'returned a response without /data/rows. Available: items.',
          ) as string,
        },
      ],
    });
  });

  test.each([
    [{ type: 'text/plain', body: 'hi' }, { content: [{ type: 'text', text: 'hi' }] }],
    [
      { type: 'image/png', body: Buffer.from([1, 2]) },
      { content: [{ type: 'image', data: 'AQI=', mimeType: 'image/png' }] },
    ],
    [
      { status: 204, body: '' },
      { content: [{ type: 'text', text: 'Done: the server returned 204 without content.' }] },
    ],
    [
      { type: 'application/pdf', body: Buffer.from([1, 2]) },
      { content: [{ type: 'resource', resource: { mimeType: 'application/pdf', blob: 'AQI=' } }] },
    ],
  ])('understands %o', async (answer, result) => {
    const { origin } = await upstream(answer);
    expect(await call(await load('c.yaml', askConfig(origin, '/')), 'ask')).toMatchObject(result);
  });

  test.each([
    [{ status: 404, body: '{"message":"no such user"}' }, 'returned 404: {"message":"no such user"}'],
    [{ status: 500, body: '', type: '' }, 'returned 500.'],
    [{ body: 'not json' }, 'returned invalid JSON.'],
    [
      { status: 302, headers: { location: 'http://169.254.169.254/' } },
      'returned 302: it has moved to http://169.254.169.254/. Redirects are not followed; correct the URL.',
    ],
  ])('reports %o', async (answer, message) => {
    const { origin } = await upstream(answer);
    expect(await call(await load('c.yaml', askConfig(origin, '/a')), 'ask')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(`GET ${origin}/a ${message}`) as string }],
    });
  });

  test('sends no request to this machine, unless it is allowed', async () => {
    const { origin, seen } = await upstream();
    const configured = await load(
      'c.yaml',
      `name: demo\ntools: [{ name: ask, description: A, http: { url: '${origin}/' } }]\n`,
    );
    expect(await call(configured, 'ask')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('127.0.0.1 is not a public address') as string }],
    });
    expect(seen).toEqual([]);
  });
});
