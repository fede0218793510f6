import { createServer } from 'node:http';
import * as fc from 'fast-check';
import { dump } from 'js-yaml';
import { expect } from 'vitest';
import { listenHere } from './support/asking.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { draw, SEED } from './support/draw.ts';
import { Importer } from './support/importing.ts';
import { openLegacy, writeModern } from './support/messages.ts';
import type { Writer, Written } from './support/messages.ts';
import { Poster } from './support/poster.ts';
import { promise } from './support/promise.ts';
import { readMessages, StdioPeer } from './support/stdio-peer.ts';

/** A key in all spellings that JSON allows. */
const spelt = (key: string): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom('plain', 'plain', 'small', 'large'), {
      minLength: key.length,
      maxLength: key.length,
    })
    .map((ways) => {
      const letters = ways.map((way, index) => {
        const letter = key.charAt(index);
        const code = letter.charCodeAt(0).toString(16).padStart(4, '0');
        if (way === 'plain') return letter;
        return String.raw`\u${way === 'small' ? code : code.toUpperCase()}`;
      });
      return `"${letters.join('')}"`;
    });

const POISON = '{"polluted":"yes","toString":"no"}';

/** Expected outcome of a payload. */
type Fate = 'refused' | 'answered';

const poisons: fc.Arbitrary<{ readonly fate: Fate; readonly json: string }> = fc.oneof(
  spelt('__proto__').map((key) => ({ fate: 'refused' as const, json: `{${key}:${POISON}}` })),
  fc.tuple(spelt('constructor'), spelt('prototype')).map(([outer, inner]) => ({
    fate: 'refused' as const,
    json: `{"more":1,${outer}:{${inner}:${POISON}}}`,
  })),
  // Keys that are harmless by themselves.
  fc.tuple(spelt('constructor'), spelt('prototype')).map(([outer, inner]) => ({
    fate: 'answered' as const,
    json: `{${outer}:"Ada","car":{${inner}:${POISON}}}`,
  })),
  fc.constantFrom(
    { fate: 'answered' as const, json: '{"text":"__proto__","list":["constructor",{"prototype":1}]}' },
    {
      fate: 'answered' as const,
      json: '{"_proto_":1,"__proto":1,"__PROTO__":1,"Constructor":{"prototype":1}}',
    },
  ),
);

interface Payload {
  readonly fate: Fate;
  readonly tool: string;
  readonly place: string;
  readonly json: string;
}

const payloads: fc.Arbitrary<Payload> = fc
  .record({
    poison: poisons,
    around: fc.array(fc.constantFrom('object', 'list', 'settings'), { maxLength: 50 }),
    tool: fc.constantFrom('assign', 'spread', 'merge', 'defaults'),
    place: fc.constantFrom('arguments', 'arguments', 'inside', '_meta'),
  })
  .map(({ poison, around, tool, place }) => {
    const outer = place === 'arguments' && around.length > 0 ? ['object', ...around] : around;
    const json = outer.reduceRight((inner, kind) => {
      if (kind === 'list') return `[1,${inner}]`;
      return kind === 'object' ? `{"a":${inner},"b":2}` : `{"settings":${inner}}`;
    }, poison.json);
    return { fate: poison.fate, tool, place, json };
  });

const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
const MERGE_CHECK = 'no payload changes a prototype';
const NAME_CHECK = 'a name of a prototype is a name like any other';
const DOCUMENT_CHECK = 'no document changes a prototype';

promise('prototypes cannot be polluted', {
  checks: { [MERGE_CHECK]: checkPayloads, [NAME_CHECK]: checkNames, [DOCUMENT_CHECK]: checkDocuments },
  switches: [
    {
      defence: 'the check of keys',
      off: [{ module: 'wire/messages/scan-json.js', defence: 'proto-keys' }],
      check: MERGE_CHECK,
      red: /what prototypes have after all payloads/,
    },
    {
      defence: 'the check of constructors',
      off: [{ module: 'wire/messages/scan-json.js', defence: 'keys-of-constructors' }],
      check: MERGE_CHECK,
      red: /what prototypes have after all payloads/,
    },
    {
      defence: 'the check of escaped keys',
      off: [{ module: 'wire/messages/scan-json.js', defence: 'escapes-in-keys', by: 'return arguments[0];' }],
      check: MERGE_CHECK,
      red: /what prototypes have after all payloads/,
    },
    {
      defence: 'a table of tools without a prototype',
      off: [
        {
          module: 'pipeline/route.js',
          defence: 'table-of-tools',
          by: 'return (arguments[0].get(arguments[1].name) ?? {}[arguments[1].name])?.select(arguments[1]) ?? UNKNOWN;',
        },
      ],
      check: NAME_CHECK,
      red: /tools\/call of/,
    },
    {
      defence: 'a table of methods without a prototype',
      off: [
        {
          module: 'wire/methods/dispatch.js',
          defence: 'table-of-methods',
          by: '{}[arguments[0].request.method] ?? $&',
        },
      ],
      check: NAME_CHECK,
      red: /the method/,
    },
    {
      defence: 'the check of keys in overlays',
      off: [
        { module: 'openapi/document/overlay/overlay-edit.js', defence: 'proto-in-overlays' },
        {
          module: 'openapi/document/overlay/overlay-edit.js',
          defence: 'own-keys-in-overlays',
          by: '((Object) => $&)({ hasOwn: (object, name) => name in object })',
        },
        {
          module: 'openapi/document/overlay/overlay-edit.js',
          defence: 'copies-in-overlays',
          by: 'return arguments[0][arguments[1]];',
        },
      ],
      check: DOCUMENT_CHECK,
      red: /what prototypes have after all documents/,
    },
  ],
});

async function checkPayloads(without: readonly Weakness[]): Promise<void> {
  const drawn = draw(payloads, 1000);
  const [http, stdio] = [drawn.slice(0, 500), drawn.slice(500)];
  await overHttp(http, without);
  await overStdio(stdio, without);
}

async function overHttp(given: readonly Payload[], without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen('merging.mjs', { without });
  const before = await prototypesOf(server);
  const poster = new Poster(server.port, 4);
  const writers = [writeModern, await openLegacy(poster)];
  const codes = await Promise.all(
    given.map(async (payload, index) => {
      const { headers, body } = write(payload, writers[index % 2] ?? writeModern);
      const { text } = await poster.send({ headers, body });
      expect(text, 'an answer over HTTP, with the id of its request').toContain(/"id":\d+/.exec(body)?.[0]);
      return codeOf(text);
    }),
  );
  expectClean(await prototypesOf(server), before);
  expectFates(given, codes);
}

async function overStdio(given: readonly Payload[], without: readonly Weakness[]): Promise<void> {
  const peer = await StdioPeer.start('merging.mjs', { without, args: ['stdio'] });
  const before = await prototypesOf(peer.server);
  for (const [index, payload] of given.entries())
    await peer.write(`${write(payload, writeModern).body.replace('"id":1,', `"id":${index},`)}\n`);
  await peer.untilLines(given.length);
  expectClean(await prototypesOf(peer.server), before);
  const { messages } = readMessages(peer.output);
  const answered = new Map(messages.map(({ id, error }) => [id, error?.code ?? 0]));
  const unanswered = given.filter((_, index) => !answered.has(index));
  expect(unanswered, 'requests that were not answered with their id').toEqual([]);
  expectFates(
    given,
    given.map((_, index) => answered.get(index) ?? 0),
  );
}

function write({ tool, place, json }: Payload, writer: Writer): Written {
  if (place === '_meta') {
    const { headers, body } = writer('tools/call', { name: tool, _meta: { payload: 'PAYLOAD' } });
    return { headers, body: body.replace('"PAYLOAD"', () => json) };
  }
  const args = place === 'inside' ? { inside: 'PAYLOAD' } : 'PAYLOAD';
  const { headers, body } = writer('tools/call', { name: tool, arguments: args });
  return { headers, body: body.replace('"PAYLOAD"', () => json) };
}

function expectFates(given: readonly Payload[], codes: readonly number[]): void {
  const ended = given.map(({ fate, json }, index) => ({ fate, json, code: codes[index] }));
  const harmful = ended.filter(({ fate }) => fate === 'refused');
  const harmless = ended.filter(({ fate }) => fate === 'answered');
  expect(Math.min(harmful.length, harmless.length), 'payloads of each kind').toBeGreaterThan(50);
  // Keys are checked before a message is parsed, so the whole message is rejected.
  const taken = harmful.filter(({ code }) => code !== -32_600 && code !== -32_602);
  expect(taken, `payloads that were not refused (seed ${SEED})`).toEqual([]);
  const lost = harmless.filter(({ code }) => code !== 0);
  expect(lost, `harmless payloads that were refused (seed ${SEED})`).toEqual([]);
}

function expectClean(after: Prototypes, before: Prototypes): void {
  expect(after.prototypes.length, 'what prototypes have after all payloads').toBe(before.prototypes.length);
  expect(after.prototypes, 'what prototypes have after all payloads').toEqual(before.prototypes);
  expect(after.inherited, 'what every object has after all payloads').toEqual([]);
  // Harmless payloads reach a tool; otherwise the check would prove nothing.
  expect(after.handled, 'tools that ran').toBeGreaterThan(50);
}

interface Prototypes {
  readonly prototypes: readonly string[];
  readonly inherited: readonly string[];
  readonly handled: number;
}

function prototypesOf(server: ChildServer): Promise<Prototypes> {
  const answer = server.hear<Prototypes>('prototypes');
  server.process.send('prototypes');
  return answer;
}

function codeOf(text: string): number {
  return (JSON.parse(text) as { error?: { code: number } }).error?.code ?? 0;
}

/** Every position of a name in a request, by its kind. */
const NAMED: Readonly<Record<string, (name: string, write: Writer) => Written>> = {
  'tools/call of': (name, writer) => writer('tools/call', { name, arguments: {} }),
  'prompts/get of': (name, writer) => writer('prompts/get', { name, arguments: {} }),
  'resources/read of': (name, writer) => writer('resources/read', { uri: name }),
  'resources/read under docs of': (name, writer) => writer('resources/read', { uri: `docs://${name}` }),
  'resources/subscribe to': (name, writer) => writer('resources/subscribe', { uri: name }),
  'a completion for the prompt': (name, writer) =>
    writer('completion/complete', {
      ref: { type: 'ref/prompt', name },
      argument: { name: 'who', value: '' },
    }),
  'a completion for the argument': (name, writer) =>
    writer('completion/complete', {
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name, value: '' },
    }),
  'a completion for the resource': (name, writer) =>
    writer('completion/complete', {
      ref: { type: 'ref/resource', uri: name },
      argument: { name: 'id', value: '' },
    }),
  'a reference of the type': (name, writer) =>
    writer('completion/complete', { ref: { type: name, name }, argument: { name, value: '' } }),
  'the task': (name, writer) => {
    const { headers, body } = writer('tasks/get', { taskId: name });
    return { headers: { ...headers, 'Mcp-Name': name }, body };
  },
  'the level': (name, writer) => writer('logging/setLevel', { level: name }),
  'the cursor': (name, writer) => writer('tools/list', { cursor: name }),
  'the method': (name, writer) => writer(name, {}),
  'the session': (name, writer) => {
    const { headers, body } = writer('tools/list', {});
    return { headers: { ...headers, 'Mcp-Session-Id': name }, body };
  },
};

async function checkNames(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen('merging.mjs', { without });
  const poster = new Poster(server.port, 1);
  const writers = { '2026-07-28': writeModern, '2025-11-25': await openLegacy(poster) };
  for (const [revision, writer] of Object.entries(writers)) {
    for (const [what, writeNamed] of Object.entries(NAMED)) {
      for (const name of NAMES) {
        const unknown = name.replaceAll(/[a-z]/gi, 'q');
        const ask = async (said: string): Promise<string> => {
          const { headers, body } = writeNamed(said, writer);
          // Only the name may make a difference.
          const { status, text } = await poster.send({ headers, body: body.replace(/"id":\d+/, '"id":7') });
          return `${status} ${text}`;
        };
        const known = await ask(name);
        expect(known.replaceAll(name, unknown), `${what} ${name} (${revision})`).toBe(await ask(unknown));
      }
    }
  }
}

/** Names that every object inherits. */
const INHERITED = [...NAMES, 'prototype', 'valueOf', '__defineGetter__', '__lookupSetter__'];

/** A document in which every possible member has such a name, as JSON text: an object would not keep all of them. */
function poisonedDocument(name: string, origin: string): string {
  const NAME = 'NAME';
  const poison = { [NAME]: { polluted: 'yes' } };
  const schema = {
    type: 'object',
    properties: { [NAME]: { type: 'object', default: poison, example: poison } },
    required: [NAME],
    patternProperties: { [NAME]: { enum: [poison, NAME] } },
    dependentRequired: { [NAME]: [NAME] },
    dependentSchemas: { [NAME]: { const: poison } },
    discriminator: { propertyName: NAME, mapping: { [NAME]: NAME } },
  };
  const text = { type: 'string' };
  const operation = {
    operationId: NAME,
    tags: [NAME],
    security: [{ [NAME]: [] }],
    callbacks: { [NAME]: poison },
    'x-mcp': { arguments: { [NAME]: { description: NAME } }, [NAME]: poison },
    responses: {
      [NAME]: poison,
      200: { description: NAME, headers: poison, content: { 'application/json': { schema } } },
    },
    parameters: [
      ...['path', 'query', 'header', 'cookie'].map((place) => ({
        name: NAME,
        in: place,
        required: place === 'path',
        schema: text,
        examples: poison,
      })),
      { $ref: `#/components/parameters/${NAME}` },
    ],
  };
  const content = { schema, example: poison, encoding: { [NAME]: { headers: poison } } };
  const document = {
    openapi: '3.2.0',
    info: { title: NAME, version: '1', [NAME]: poison },
    servers: [{ url: `${origin}/{${NAME}}`, variables: { [NAME]: { default: NAME, enum: [NAME] } } }],
    tags: [{ name: NAME, description: NAME }],
    paths: {
      [`/${NAME}/{${NAME}}`]: {
        get: operation,
        post: { ...operation, requestBody: { content: { 'application/json': content } } },
        put: { ...operation, requestBody: { content: { 'multipart/form-data': content, [NAME]: content } } },
        patch: {
          requestBody: {
            content: { 'application/json': { schema: { $ref: `#/components/schemas/${NAME}` } } },
          },
        },
        additionalOperations: { [NAME]: operation },
      },
      [NAME]: { $ref: `#/${NAME}` },
    },
    components: {
      schemas: { [NAME]: { allOf: [schema, { $ref: `#/${NAME}/${NAME}` }] } },
      parameters: { [NAME]: { name: `more${NAME}`, in: 'query', style: 'deepObject', schema } },
      securitySchemes: { [NAME]: { type: 'apiKey', in: 'header', name: 'x-key' } },
      [NAME]: poison,
    },
    [NAME]: poison,
  };
  return JSON.stringify(document).replaceAll(NAME, name);
}

/** The same with a polluted key in each of its objects. */
function poisonAll(json: string): string {
  const poison = '"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}';
  return json.replaceAll('{"', `{${poison},"`).replaceAll('{}', `{${poison}}`);
}

async function checkDocuments(without: readonly Weakness[]): Promise<void> {
  const origin = await listenHere(
    createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(
        '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}},"next":"__proto__"}',
      );
    }),
  );
  const importer = await Importer.start(without);
  const before = await prototypesOf(importer.server);
  const outbound = { allowPrivate: true };
  let calls = 0;
  for (const name of INHERITED) {
    const json = poisonedDocument(name, origin);
    const update = JSON.parse(
      `{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}},"${name}":{"polluted":"yes"}}`,
    ) as object;
    const targets = [
      '$',
      '$.__proto__',
      "$['constructor']['prototype']",
      `$.components.${name}`,
      '$.info',
      '$.paths.*',
    ];
    const overlay = {
      overlay: '1.0.0',
      info: { title: 'o', version: '1' },
      actions: targets.map((target) => ({ target, update })),
    };
    const ways = [
      { document: { text: json }, options: {} },
      { document: JSON.parse(json) as object, options: { argumentNames: 'exact', outputSchemas: true } },
      { document: { text: poisonAll(json) }, options: { groupBy: 'tag' } },
      { document: { text: dump(JSON.parse(json)) }, options: { mode: 'dynamic' } },
      { document: { text: json }, options: { overlays: [overlay], stripHtml: true } },
    ];
    for (const { document, options } of ways) {
      const given = {
        document,
        options: { outbound, credentials: JSON.parse(`{"${name}":"a key"}`) as object, ...options },
      };
      const { error, isOurs = true, list } = await importer.import(given);
      expect(isOurs, `a document with ${name} everywhere is refused properly: ${error}`).toBe(true);
      // Every tool is called with every argument.
      const tools = JSON.parse(list || '[]') as { name: string; inputSchema: { properties: object } }[];
      const called = tools.map((tool) => {
        const args = Object.keys(tool.inputSchema.properties).map(
          (key) => `${JSON.stringify(key)}:{"__proto__":{"polluted":"yes"}}`,
        );
        const texts = Object.keys(tool.inputSchema.properties).map(
          (key) => `${JSON.stringify(key)}:"__proto__"`,
        );
        return [`{${args.join()}}`, `{${texts.join()}}`].map((text) => ({ name: tool.name, args: text }));
      });
      calls += (await importer.call(called.flat())).length;
    }
  }
  const after = await prototypesOf(importer.server);
  expect(after.prototypes, 'what prototypes have after all documents').toEqual(before.prototypes);
  expect(after.inherited, 'what every object has after all documents').toEqual([]);
  expect(calls, 'calls of tools with such names').toBeGreaterThan(100);
}
