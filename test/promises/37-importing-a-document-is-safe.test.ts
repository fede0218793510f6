import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { expect, onTestFinished } from 'vitest';
import type { Weakness } from './support/weaken.ts';
import { connected, CROWDS, CYCLES, large, operations, SHARED } from './support/hostile-documents.ts';
import { BOMBS } from './support/hostile-texts.ts';
import { Importer } from './support/importing.ts';
import type { Imported, ToImport } from './support/importing.ts';
import { isLong, promise } from './support/promise.ts';

const MB = 1024 * 1024;
const MAX_MS = 10_000;
const MAX_BYTES = 512 * MB;
/** No request is sent there: it is not allowed. */
const OPTIONS = { baseUrl: 'http://127.0.0.1:9' };

/** Rejected or imported, and in time. Only CPU time counts, because the machine may be busy. */
function expectCheap(imported: Imported, what: string): void {
  expect(imported.isOurs ?? true, `${what} is refused properly: ${imported.error}`).toBe(true);
  expect(isLong ? imported.ms : imported.cpuMs, `${what}: ms`).toBeLessThanOrEqual(MAX_MS);
  expect(imported.peakBytes, `${what}: memory`).toBeLessThanOrEqual(MAX_BYTES);
  expect(new Set(imported.names).size, `${what}: names that are unique`).toBe(imported.names.length);
}

/** Parts that are read on a call must not cost more than the whole import. */
async function expectCheapCall(importer: Importer, name: string | undefined, what: string): Promise<void> {
  if (name === undefined) return;
  const before = await importer.server.usage();
  const [answer] = await importer.call([{ name, args: '{}' }]);
  const { cpuMicros, peakBytes } = await importer.server.usage();
  expect(answer?.text, `${what}: what a call is answered with`).not.toContain('unexpectedly');
  expect((cpuMicros - before.cpuMicros) / 1000, `${what}: ms of a call`).toBeLessThanOrEqual(MAX_MS);
  expect(peakBytes - before.peakBytes, `${what}: memory of a call`).toBeLessThanOrEqual(MAX_BYTES);
}

/** One document after the other in one process, so that leftovers of one affect the next. */
async function importAll(
  documents: Readonly<Record<string, () => string | object>>,
  without: readonly Weakness[],
): Promise<ReadonlyMap<string, Imported>> {
  const importer = await Importer.start(without);
  const outcomes = new Map<string, Imported>();
  for (const [what, write] of Object.entries(documents)) {
    const given: ToImport = { document: write(), options: OPTIONS };
    const imported = await importer.import(given).catch((error: unknown) => {
      throw new Error(`${what}: ${String(error)}`);
    });
    expectCheap(imported, what);
    await expectCheapCall(importer, imported.names[0], what);
    outcomes.set(what, imported);
  }
  expect(importer.server.isAlive, 'the process is alive').toBe(true);
  return outcomes;
}

async function checkBombs(without: readonly Weakness[]): Promise<void> {
  const outcomes = await importAll(BOMBS, without);
  const taken = [...outcomes].filter(([, { error }]) => error === undefined).map(([what]) => what);
  expect(taken, 'what is only large, and harmless').toEqual(['anchors in YAML']);
  expect(outcomes.get('a billion laughs')?.error).toContain('maxDocumentNodes');
  expect(outcomes.get('what contains itself')?.error).toContain('contains itself');
  expect(outcomes.get('merges of merges')?.error).toContain('merges more than');
  for (const what of ['brackets in YAML', 'dashes in YAML', 'steps in YAML', 'brackets in JSON'])
    expect(outcomes.get(what)?.error, what).toContain('maxDocumentDepth');
  expect(outcomes.get('too many bytes')?.error).toContain('maxDocumentBytes');
}

async function checkCycles(without: readonly Weakness[]): Promise<void> {
  const outcomes = await importAll(CYCLES, without);
  for (const what of ['a schema with itself everywhere', 'members that double', 'a chain of references'])
    expect(outcomes.get(what)?.names, `${what} is imported`).toEqual(['take']);
  for (const what of ['a body that is itself', 'parameters that are each other', 'paths that are each other'])
    expect(outcomes.get(what)?.error, what).toContain('refers to itself');
}

async function checkCrowds(without: readonly Weakness[]): Promise<void> {
  const count = isLong ? 100_000 : 20_000;
  const documents = Object.entries(CROWDS).map(([what, write]) => [what, () => write(count)]);
  await importAll(Object.fromEntries(documents) as Record<string, () => object>, without);
}

async function checkShared(without: readonly Weakness[]): Promise<void> {
  const count = isLong ? 5000 : 600;
  const documents = Object.entries(SHARED).map(([what, write]) => [what, () => write(count)]);
  await importAll(Object.fromEntries(documents) as Record<string, () => object>, without);
}

/** Each in its own process. */
async function checkSizes(without: readonly Weakness[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'large-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const twenty = large(20 * MB);
  const files = {
    'a JSON of 20 MB': write('large.json', JSON.stringify(twenty)),
    'a YAML of 20 MB': write('large.yaml', dump(twenty, { lineWidth: -1, noRefs: true })),
  };
  for (const [what, document] of Object.entries(files)) {
    expect(statSync(document).size, what).toBeGreaterThan(19 * MB);
    const [imported] = (await importAll({ [what]: () => document }, without)).values();
    expect(imported?.names.length, `${what}: tools`).toBe(Object.keys(twenty['paths'] as object).length);
  }
  const ten = write('operations.json', JSON.stringify(operations(10_000)));
  const [crowded] = (await importAll({ '10,000 operations': () => ten }, without)).values();
  expect(crowded?.names.length, '10,000 operations: tools').toBe(10_000);
  expect(crowded?.names.filter((name) => name.startsWith('same')).length, 'those of one operationId').toBe(
    2000,
  );
  expect(crowded?.names.includes('same'), 'a name that several want').toBe(false);
  const takers = isLong ? 10_000 : 1000;
  const all = { 'connected schemas': () => connected(takers, 2000) };
  const [entwined] = (await importAll(all, without)).values();
  expect(entwined?.names.length, 'connected schemas: tools').toBe(takers);
}

/** Invisible characters, and characters that control terminals: at least one of each kind. */
const HIDDEN = [
  '\u200B\u200C\u200D\u2060\uFEFF', // zero width
  '\u202A\u202E\u2066\u2069\u200E\u200F\u061C', // bidirectional controls
  '\u{E0001}\u{E0041}\u{E007F}', // tags, which spell out ASCII
  '\uFE0F\uFE00\u{E0100}\u180B', // variation selectors
  '\u00AD\u034F\u115F\u3164\u17B4\u180E\u2061\u2064\u206F\uFFA0\u{1D173}', // other ignored characters
  '\uFFF9\uFFFA\uFFFB', // annotations
  '\u0000\u0007\u0008\u000B\u001F\u007F\u0080\u0085\u009F\u2028\u2029', // controls
  '\u001B[31m\u001B]8;;https://evil.example\u0007\u009B2J\u0090q\u009C\u001B(0', // for terminals
  '\uD800', // half of a surrogate pair
];
const EVERYTHING = HIDDEN.join('z');

type Json = Readonly<Record<string, unknown>>;
const hide = (text: string): string => `${text}${EVERYTHING}${text}`;

/** A schema with hidden characters in every text. `short`: long examples are not advertised anyway. */
function hidingSchema(short: string): Json {
  return {
    type: 'object',
    title: hide('title'),
    description: hide('description'),
    properties: {
      [hide('name')]: { type: 'string', title: hide('title') },
      text: {
        type: 'string',
        description: hide('description'),
        format: hide('format'),
        pattern: `^${hide('pattern')}`,
        contentEncoding: hide('encoding'),
        contentMediaType: hide('media'),
        default: hide('default'),
      },
      example: { type: 'string', example: `a${short}b` },
      examples: { type: 'string', examples: [`a${short}b`] },
      choice: { type: 'string', enum: [hide('one'), hide('two'), 'three'] },
      deep: { enum: [{ [hide('key')]: [hide('value')] }] },
      constant: { const: hide('constant') },
      type: { type: hide('string') },
      union: {
        oneOf: [{ $ref: '#/components/schemas/Cat' }],
        discriminator: {
          propertyName: hide('kind'),
          mapping: { [hide('cat')]: '#/components/schemas/Cat', [hide('dog')]: hide('#/nowhere') },
        },
      },
      patterns: {
        type: 'object',
        patternProperties: { [hide('^a')]: { type: 'string' } },
        dependentRequired: { [hide('a')]: [hide('b')] },
        dependentSchemas: { [hide('a')]: { title: hide('title') } },
        additionalProperties: { description: hide('description') },
      },
      missing: { $ref: `#/components/schemas/${hide('missing')}` },
    },
    required: [hide('name'), hide('other')],
    [hide('keyword')]: hide('value'),
  };
}

/** A document with hidden characters in every text. */
function hidingDocument(short: string): Json {
  const parameter = (name: string, place: string): Json => ({
    name: hide(name),
    in: place,
    required: place === 'path',
    description: hide('description'),
    example: `a${short}b`,
    schema: { type: 'string', default: hide('default'), example: `a${short}b`, enum: [hide('one')] },
  });
  const parameters = ['path', 'query', 'header', 'cookie'].map((place) => parameter(place, place));
  const operation = (id: string): Json => ({
    operationId: id,
    summary: hide('summary'),
    description: hide('description'),
    tags: [hide('tag'), hide('other')],
    externalDocs: { description: hide('description'), url: hide('https://example.com/') },
    'x-mcp-title': hide('title'),
    'x-mcp-category': hide('category'),
    parameters,
    responses: {
      [hide('200')]: { description: hide('description') },
      200: {
        description: hide('description'),
        content: { 'application/json': { schema: hidingSchema(short) } },
      },
    },
  });
  const content = {
    'application/json': { schema: hidingSchema(short), example: { [hide('a')]: hide('b') } },
  };
  const form = {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: { [hide('a')]: { type: 'string', format: 'binary', description: hide('d') } },
      },
    },
  };
  const named = { description: hide('description'), deprecated: true };
  return {
    openapi: '3.1.0',
    info: { title: hide('Title'), version: hide('1'), description: hide('description') },
    tags: [{ name: hide('tag'), ...named }],
    servers: [{ url: 'https://api.example.com', description: hide('description') }],
    paths: {
      [`/${hide('a')}/{${hide('path')}}`]: {
        summary: hide('summary'),
        post: { ...operation(hide('post')), requestBody: { content } },
      },
      '/named': {
        post: {
          ...operation('named'),
          ...named,
          parameters: [],
          requestBody: { content, description: hide('d') },
        },
      },
      '/form': {
        post: { ...operation(`form${EVERYTHING}`), parameters: [], requestBody: { content: form } },
      },
      '/described': {
        get: {
          operationId: 'described',
          'x-mcp-name': hide('name'),
          'x-mcp-description': hide('description'),
        },
      },
      '/silent': { get: { tags: [EVERYTHING], operationId: EVERYTHING, summary: EVERYTHING } },
      '/twice': {
        get: { operationId: 'tw\u200Bice' },
        post: { operationId: 'tw ice' },
        put: { operationId: 'tw_ice' },
      },
      [`/${EVERYTHING}`]: { get: {} },
    },
    components: {
      schemas: { Cat: { type: 'object', properties: { [hide('kind')]: { type: 'string' } } } },
    },
  };
}

function describe(paths: Json): Json {
  return { openapi: '3.1.0', info: { title: hide('title'), version: '1' }, paths };
}

async function checkHidden(without: readonly Weakness[]): Promise<void> {
  const importer = await Importer.start(without);
  const ways: readonly Omit<ToImport, 'document'>[] = [
    {},
    { options: { outputSchemas: true } },
    { options: { argumentNames: 'exact' } },
    { options: { stripHtml: true, maxDescription: 30, maxArgumentDescription: 30 } },
    { options: { groupBy: 'tag' } },
    { options: { mode: 'dynamic' } },
    { exposure: 'grouped' },
    { exposure: 'search' },
  ];
  for (const way of ways) {
    for (const short of HIDDEN) {
      const document = { text: JSON.stringify(hidingDocument(short)) };
      const imported = await importer.import({ document, ...way });
      const what = JSON.stringify(way);
      expect(imported.error, what).toBeUndefined();
      expect(imported.hidden, `invisible characters in tools/list with ${what}`).toEqual([]);
      expect(imported.hiddenWords, `invisible characters in what is said of it with ${what}`).toEqual([]);
      expect(imported.title, 'the title').toMatch(/^[\n -~]+$/);
      for (const name of imported.names) expect(name, 'the name of a tool').toMatch(/^[A-Za-z0-9_-]{1,128}$/);
      expect(new Set(imported.names).size, 'names that are unique').toBe(imported.names.length);
    }
  }
  // Nor in the message of a failed import: it is printed on terminals.
  const refused = {
    'a version': { ...hidingDocument(''), openapi: hide('4') },
    'no version': { [hide('a')]: 1 },
    'no operation': describe({ [`/${hide('a')}`]: { get: { parameters: [{ $ref: `#/${hide('b')}` }] } } }),
    'no text of YAML': { text: `a: [${hide('b')}` },
    'no text of JSON': { text: `{"a": ${hide('b')}}` },
    'no overlay': describe({ '/a': { get: {} } }),
  };
  const overlays = [{ overlay: '1.0.0', actions: [{ target: hide('$.a') }] }];
  for (const [what, document] of Object.entries(refused)) {
    const options = what === 'no overlay' ? { ...OPTIONS, overlays } : OPTIONS;
    const { error, isOurs } = await importer.import({ document, options });
    expect(isOurs, `${what} is refused`).toBe(true);
    expect(error, `invisible characters in what is said of ${what}`).toMatch(
      /^[\n -~\u00A0-\u00AC\u00AE-\u02FF\u2026]+$/,
    );
  }
  // The visible text is kept.
  const { list, names } = await importer.import({ document: hidingDocument('') });
  expect(names.length, 'tools').toBe(9);
  expect(list, 'what can be seen of a text').toContain('descriptionz');
}

const BOMB_CHECK = 'a short text that stands for a long one is refused';
const CYCLE_CHECK = 'whatever refers to itself comes to an end';
const CROWD_CHECK = 'nothing costs the square of its number';
const SHARED_CHECK = 'what operations share costs once, or is refused';
const SIZE_CHECK = '20 MB and 10,000 operations take 10 s and 512 MB at most';
const HIDDEN_CHECK = 'tools/list has no character that nobody sees';

promise('importing a document is safe', {
  checks: {
    [BOMB_CHECK]: checkBombs,
    [CYCLE_CHECK]: checkCycles,
    [CROWD_CHECK]: checkCrowds,
    [SHARED_CHECK]: checkShared,
    [SIZE_CHECK]: checkSizes,
    [HIDDEN_CHECK]: checkHidden,
  },
  timeoutMs: isLong ? 600_000 : 240_000,
  switches: [
    {
      defence: 'a count of repeated aliases',
      off: [{ module: 'openapi/document/parse/measure-document.js', defence: 'limit-of-nodes' }],
      check: BOMB_CHECK,
      red: /a billion laughs in a schema: Error: an import that has no end/,
    },
    {
      defence: 'the check for cycles',
      off: [{ module: 'openapi/document/parse/measure-document.js', defence: 'no-circles-in-documents' }],
      check: BOMB_CHECK,
      red: /what contains itself|what is only large/,
    },
    {
      defence: 'a depth limit',
      off: [{ module: 'openapi/document/parse/measure-document.js', defence: 'limit-of-levels' }],
      check: BOMB_CHECK,
      red: /brackets in JSON/,
    },
    {
      defence: 'a size limit',
      off: [{ module: 'openapi/document/read-source.js', defence: 'limit-of-bytes' }],
      check: BOMB_CHECK,
      red: /what is only large/,
    },
    {
      defence: 'the check for nested schemas',
      off: [
        {
          module: 'openapi/schemas/model/is-plain.js',
          defence: 'schemas-that-hold-others',
          by: 'return true;',
        },
      ],
      check: CYCLE_CHECK,
      red: /an import that has no end|is refused properly/,
    },
    {
      defence: 'unique names of operations',
      off: [
        {
          module: 'openapi/naming/name-operations.js',
          defence: 'names-of-their-own',
          by: 'return arguments[1].prefix + arguments[0].base;',
        },
      ],
      check: HIDDEN_CHECK,
      red: /Tool with name|names that are unique/,
    },
    {
      defence: 'cleaning of texts',
      off: [
        { module: 'openapi/naming/clean-text.js', defence: 'no-hidden-text', by: 'return arguments[0];' },
      ],
      check: HIDDEN_CHECK,
      red: /invisible characters/,
    },
    {
      defence: 'cleaning of values and names',
      off: [{ module: 'openapi/naming/clean-text.js', defence: 'no-hidden-names', by: 'return false;' }],
      check: HIDDEN_CHECK,
      red: /invisible characters/,
    },
  ],
});
