import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { listenHere } from './support/asking.ts';
import type { Weakness } from './support/weaken.ts';
import { Importer } from './support/importing.ts';
import type { Imported } from './support/importing.ts';
import { promise } from './support/promise.ts';

type Json = Readonly<Record<string, unknown>>;

/** Contained in everything that must not be read. */
const CANARY = 'canary-4711';
/** Content at the target of a reference, for every kind of reference. */
const FOUND = {
  openapi: '3.1.0',
  type: 'object',
  name: CANARY,
  in: 'query',
  description: CANARY,
  properties: { [CANARY]: { type: 'string' } },
  content: { 'application/json': { schema: { type: 'string', description: CANARY } } },
  get: { operationId: CANARY, description: CANARY, responses: {} },
  value: CANARY,
};

/** Content of the same kind that may be read. */
const HARMLESS = JSON.parse(JSON.stringify(FOUND).replaceAll(CANARY, 'harmless')) as Json;

/** The address of the canary is allowed for clients, so that only the rule for references blocks it. */
const OPTIONS = { baseUrl: 'https://api.example.com', outbound: { allowPrivate: true }, outputSchemas: true };

const body = (schema: Json): Json => ({ requestBody: { content: { 'application/json': { schema } } } });
const answer = (response: Json): Json => ({ responses: { 200: response } });
const query = (schema: Json): Json => ({ parameters: [{ name: 'q', in: 'query', schema }] });

/** Operations that cannot be called without the referenced part. */
const needing = (ref: string): Readonly<Record<string, Json>> => ({
  item: { $ref: ref },
  parameter: { post: { parameters: [{ $ref: ref }] } },
  'a parameter of the path': { parameters: [{ $ref: ref }], post: {} },
  'a schema of a parameter': { post: query({ $ref: ref }) },
  'a part of a schema': { post: query({ allOf: [{ type: 'object' }, { $ref: ref }] }) },
  'an alternative': { post: query({ oneOf: [{ type: 'string' }, { $ref: ref }] }) },
  body: { post: { requestBody: { $ref: ref } } },
  'a schema of a body': { post: body({ $ref: ref }) },
  'a property of a body': { post: body({ type: 'object', properties: { a: { $ref: ref } } }) },
  'an item of a list': { post: body({ type: 'array', items: { $ref: ref } }) },
  'something dynamic': { post: query({ $dynamicRef: ref }) },
  'a pointer into it': { post: query({ $ref: `${ref}#/properties` }) },
  'a component that refers on': { post: query({ $ref: '#/components/schemas/Onwards' }) },
});

/** Operations that mention the referenced part, but do not need it. */
const mentioning = (ref: string): Readonly<Record<string, Json>> => ({
  response: { post: answer({ $ref: ref }) },
  'a schema of a response': {
    post: answer({ description: 'ok', content: { 'application/json': { schema: { $ref: ref } } } }),
  },
  'a header of a response': { post: answer({ description: 'ok', headers: { 'x-a': { $ref: ref } } }) },
  link: { post: answer({ description: 'ok', links: { a: { $ref: ref } } }) },
  callback: { post: { callbacks: { a: { $ref: ref } } } },
  example: {
    post: {
      parameters: [{ name: 'q', in: 'query', examples: { a: { $ref: ref }, b: { externalValue: ref } } }],
    },
  },
  'data that looks like one': { post: query({ enum: [{ $ref: ref }], default: { $ref: ref } }) },
  'a discriminator': {
    post: query({
      oneOf: [{ $ref: '#/components/schemas/Cat' }],
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat', dog: ref } },
    }),
  },
  'a name of a schema': { post: query({ $id: `${ref}/id`, type: 'string', $schema: ref, $anchor: 'a' }) },
  documentation: { post: { externalDocs: { url: ref } } },
  extension: { post: { 'x-more': { $ref: ref } } },
});

function toDocument(ref: string): Json {
  const operations = { ...needing(ref), ...mentioning(ref) };
  const paths = Object.entries(operations).map(([what, item]) => [`/${encodeURIComponent(what)}`, item]);
  return {
    openapi: '3.1.0',
    $self: `${ref}/self`,
    jsonSchemaDialect: ref,
    info: { title: 'Referring', version: '1', termsOfService: ref, license: { name: 'a', url: ref } },
    externalDocs: { url: ref },
    paths: { ...Object.fromEntries(paths), '/harmless': { get: { operationId: 'harmless' } } },
    webhooks: { a: { $ref: ref } },
    components: {
      schemas: {
        Cat: { type: 'object', properties: { kind: { type: 'string' } } },
        Onwards: { $ref: `${ref}#/x` },
        Unused: { $ref: ref },
      },
      securitySchemes: { a: { $ref: ref }, b: { type: 'openIdConnect', openIdConnectUrl: ref } },
    },
  };
}

/** The same for Swagger. */
function toSwagger(ref: string): Json {
  return {
    swagger: '2.0',
    info: { title: 'Referring', version: '1' },
    paths: {
      '/item': { $ref: ref },
      '/parameter': { post: { parameters: [{ $ref: ref }] } },
      '/body': { post: { parameters: [{ name: 'b', in: 'body', schema: { $ref: ref } }] } },
      '/definition': {
        post: { parameters: [{ name: 'b', in: 'body', schema: { $ref: '#/definitions/A' } }] },
      },
      '/response': { post: { responses: { 200: { $ref: ref } } } },
      '/harmless': { get: { operationId: 'harmless' } },
    },
    definitions: { A: { type: 'object', properties: { a: { $ref: ref } } } },
  };
}

const NETWORK = 'nothing is fetched that is not where the document is';
const FILES = 'no file is read that is not below the folder of the document';

promise('no reference is fetched', {
  checks: { [NETWORK]: checkNetwork, [FILES]: checkFiles },
  switches: [
    {
      defence: 'the check of the origin of a reference',
      off: [
        {
          module: 'openapi/document/allowed-references.js',
          defence: 'origin-of-a-reference',
          by: 'return undefined;',
        },
      ],
      check: NETWORK,
      red: /requests at the canary/,
    },
    {
      defence: 'the check of the target of a redirect',
      off: [{ module: 'openapi/document/fetch-document.js', defence: 'origin-of-a-redirect' }],
      check: NETWORK,
      red: /requests at the canary/,
    },
    {
      defence: 'the check of paths',
      off: [
        { module: 'openapi/document/allowed-references.js', defence: 'path-of-a-reference' },
        {
          module: 'openapi/document/allowed-references.js',
          defence: 'target-of-a-link',
          by: "return (await import('node:fs/promises')).open(pathOf(arguments[0]));",
        },
      ],
      check: FILES,
      red: /what was read of the canary/,
    },
    {
      defence: 'the check of link targets',
      off: [
        {
          module: 'openapi/document/allowed-references.js',
          defence: 'target-of-a-link',
          by: "return (await import('node:fs/promises')).open(pathOf(arguments[0]));",
        },
      ],
      check: FILES,
      red: /what was read of the canary/,
    },
  ],
});

/** Operations that need the reference are rejected with a reason; the others are imported. */
function expectOutcome(imported: Imported, { what, ref }: { what: string; ref: string }): void {
  expect(imported.error, `${what} is imported without it`).toBeUndefined();
  const outcomes = new Map(imported.operations.map((each) => [decodeURIComponent(each.key), each]));
  for (const name of Object.keys(needing(ref))) {
    const found = outcomes.get(`/${name}`) ?? outcomes.get(`POST /${name}`);
    expect(found?.outcome, `${what}: ${name}`).toBe('refused');
    expect(found?.reason, `${what}: why ${name} is refused`).toMatch(
      /was not read: |not a part of the document|is not allowed|could not be (?:read|fetched)|File not found/,
    );
  }
  for (const name of Object.keys(mentioning(ref)))
    expect(outcomes.get(`POST /${name}`)?.outcome, `${what}: ${name}`).toBe('tool');
  expect(outcomes.get('GET /harmless')?.outcome, `${what}: what has nothing to do with it`).toBe('tool');
}

async function checkNetwork(without: readonly Weakness[]): Promise<void> {
  const hits: string[] = [];
  const canary = await listenHere(
    createServer((request, response) => {
      hits.push(request.url ?? '');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(FOUND));
    }),
  );
  // Files of the document may be read; some of them refer to other origins.
  const pages = new Map<string, string | Json>();
  const own: string[] = [];
  const origin = await listenHere(
    createServer((request, response) => {
      const page = pages.get(request.url ?? '');
      own.push(request.url ?? '');
      response.statusCode = page === undefined ? 404 : typeof page === 'string' ? 302 : 200;
      if (typeof page === 'string') response.setHeader('location', page);
      response.end(typeof page === 'object' ? JSON.stringify(page) : '');
    }),
  );
  const address = `${canary}/found.json`;
  const others = [
    address,
    `${canary.replace('http:', '')}/found.json`,
    `http://${CANARY}.invalid/found.json`,
  ];
  const importer = await Importer.start(without);
  const load = async (document: string | object, options: object = {}): Promise<Imported> => {
    const imported = await importer.import({ document, options: { ...OPTIONS, ...options } });
    expect(hits, 'requests at the canary').toEqual([]);
    return imported;
  };

  for (const ref of [address, `${address}?a=b`, `HTTP${address.slice(4)}`]) {
    expectOutcome(await load(toDocument(ref)), { what: `an object that refers to ${ref}`, ref });
    expectOutcome(await load({ text: JSON.stringify(toDocument(ref)) }), { what: `a text with ${ref}`, ref });
  }
  const placed = { text: JSON.stringify(toDocument('found.json')), uri: `${canary}/openapi.json` };
  expectOutcome(await load(placed), { what: 'a text that is said to be from there', ref: 'found.json' });
  const update = { parameters: [{ $ref: address }] };
  const actions = [{ target: '$.paths["/harmless"].get', update }];
  const overlaid = await load(toDocument(address), {
    overlays: [{ overlay: '1.0.0', info: { title: 'o', version: '1' }, extends: address, actions }],
  });
  expect(overlaid.operations.at(-1), 'what an overlay refers to').toMatchObject({ outcome: 'refused' });
  const swagger = await load(toSwagger(address));
  expect(swagger.operations.map(({ outcome }) => outcome)).toEqual([
    'refused',
    'refused',
    'refused',
    'refused',
    'tool',
    'tool',
  ]);

  // Through files that may be read.
  pages.set('/away', address);
  pages.set('/twice', '/away');
  pages.set('/nested.json', { ...HARMLESS, properties: { a: { $ref: address } } });
  for (const ref of [...others, `${origin}/away`, 'away', './twice', '//127.0.0.1/away']) {
    pages.set('/openapi.json', toDocument(ref));
    expectOutcome(await load(`${origin}/openapi.json`), { what: `a document at a URL with ${ref}`, ref });
  }
  pages.set('/openapi.json', toDocument('nested.json'));
  const nested = await load(`${origin}/openapi.json`);
  const reasons = nested.operations.flatMap(({ reason = [] }) => reason);
  expect(nested.error, 'a document with a file that refers on').toBeUndefined();
  expect(reasons.join('\n'), 'why operations are refused whose file refers on').toContain(
    `${address} was not read`,
  );
  expect(nested.list, 'what was read of the file in between').toContain('harmless');

  // Without this part nothing is left, so the whole import is rejected.
  for (const ref of others) {
    const { '/harmless': _harmless, ...paths } = toDocument(ref)['paths'] as Json;
    const only = Object.fromEntries(Object.entries(paths).slice(0, Object.keys(needing(ref)).length));
    const { error, isOurs } = await load({ text: JSON.stringify({ ...toDocument(ref), paths: only }) });
    expect({ isOurs, error }, 'what needs it altogether').toMatchObject({
      isOurs: true,
      error: expect.stringMatching(
        /^No operation of "Referring" can be imported\..*(?:was not read|no address)/,
      ) as string,
    });
  }
  expect(own, 'requests to the origin of the document').toContain('/nested.json');
  expect(importer.server.isAlive, 'the process is alive').toBe(true);
}

async function checkFiles(without: readonly Weakness[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'references-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const root = join(folder, 'root');
  mkdirSync(join(root, 'below'), { recursive: true });
  mkdirSync(join(folder, 'root-of-another'));
  const secret = join(folder, 'secret.json');
  for (const path of [secret, join(folder, 'root-of-another', 'secret.json')])
    writeFileSync(path, JSON.stringify(FOUND));
  symlinkSync(secret, join(root, 'link.json'));
  symlinkSync(folder, join(root, 'folder'));
  symlinkSync('/proc/self/environ', join(root, 'environ.json'));
  const nested = { ...HARMLESS, properties: { a: { $ref: '../../secret.json' } } };
  writeFileSync(join(root, 'below', 'nested.json'), JSON.stringify(nested));
  writeFileSync(join(root, 'own.json'), JSON.stringify(HARMLESS));
  const importer = await Importer.start(without);
  const load = async (ref: string, options: object = {}): Promise<Imported> => {
    const path = join(root, 'openapi.json');
    writeFileSync(path, JSON.stringify({ ...toDocument(ref), $self: undefined }));
    return importer.import({ document: path, options: { ...OPTIONS, ...options } });
  };

  const ways = [
    '../secret.json',
    'below/../../secret.json',
    '%2e%2e/secret.json',
    'below/%2E%2E/%2e./secret.json',
    String.raw`..\secret.json`,
    secret,
    pathToFileURL(secret).href,
    `file://localhost${secret}`,
    `file:${secret}`,
    `FILE://${secret}`,
    '../root-of-another/secret.json',
    'link.json',
    'folder/secret.json',
    'environ.json',
    '/proc/self/environ',
    '/etc/passwd',
    '//127.0.0.1/secret.json',
  ];
  for (const ref of ways) {
    const imported = await load(ref);
    expect(JSON.stringify(imported), `what was read of the canary by ${ref}`).not.toContain(CANARY);
    expectOutcome(imported, { what: `a file that refers to ${ref}`, ref });
  }
  const onwards = await load('below/nested.json');
  expect(onwards.list, 'what was read of the canary by a file that refers on').not.toContain(CANARY);
  expect(onwards.list, 'what was read of the file in between').toContain('harmless');
  // Documents from a URL may not refer to files at all.
  for (const ref of [pathToFileURL(join(root, 'own.json')).href, join(root, 'own.json'), 'own.json']) {
    const { list, operations } = await importer.import({ document: toDocument(ref), options: OPTIONS });
    expect(list, `what an object reads by ${ref}`).not.toContain('"harmless":');
    expect(operations.filter(({ outcome }) => outcome === 'tool').length).toBe(12);
  }
  // The check can fail: allowed references are read.
  expect((await load('own.json')).list, 'its own file').toContain('"harmless":');
  expect(
    (await load('../secret.json', { references: { roots: [folder] } })).list,
    'an allowed folder',
  ).toContain(CANARY);
  expect(importer.server.isAlive, 'the process is alive').toBe(true);
}
