import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  checkList,
  compareWithDocument,
  formatPart,
  hasAddress,
  readDocument,
  replacePart,
} from '../../scripts/corpus/index.mjs';

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

function problemsOf(...tools: { name: string; inputSchema: object; description?: string }[]): string[] {
  return checkList(tools).map(({ kind, tool = '', text }) => `${kind} ${tool}: ${text}`);
}

describe('problems found in a list', () => {
  test('nothing in a good one', () => {
    const inputSchema = object(
      { pet: { $ref: '#/$defs/a~1b' }, $ref: { type: 'string' }, sign: { const: '\u2600\ufe0f' } },
      { $defs: { 'a/b': object({ parent: { $ref: '#' } }) } },
    );
    expect(problemsOf({ name: 'getPet', inputSchema })).toEqual([]);
  });

  test('names that no vendor takes, and names that are the same', () => {
    const inputSchema = object({});
    expect(problemsOf({ name: 'pets.get', inputSchema }, { name: 'a'.repeat(65), inputSchema })).toEqual([
      'name pets.get: is not 1 to 64 letters, digits, _ or -',
      `name ${'a'.repeat(65)}: is not 1 to 64 letters, digits, _ or -`,
    ]);
    expect(problemsOf({ name: 'getPet', inputSchema }, { name: 'getpet', inputSchema })).toEqual([
      'name getpet: is there twice: getPet',
    ]);
  });

  test('roots that are not objects', () => {
    expect(problemsOf({ name: 'a', inputSchema: { oneOf: [object({})] } })).toEqual([
      'root a: the root of the input schema is no object',
    ]);
  });

  test('schemas that are none', () => {
    expect(problemsOf({ name: 'a', inputSchema: object({ x: { enum: [] } }) })).toEqual([
      'schema a: enum must have non-empty array',
    ]);
    expect(
      problemsOf({ name: 'a', inputSchema: object({ x: { minimum: 1, exclusiveMinimum: true } }) }),
    ).toEqual(['schema a: data/properties/x/exclusiveMinimum must be number']);
    expect(problemsOf({ name: 'a', inputSchema: object({ x: { pattern: '(?i)a' } }) })).toEqual([
      'schema a: Invalid regular expression: /(?i)a/u: Invalid group',
    ]);
    // Valid only outside of Unicode mode, which clients use.
    expect(problemsOf({ name: 'a', inputSchema: object({ x: { pattern: String.raw`\-` } }) })).toEqual([
      String.raw`schema a: Invalid regular expression: /\-/u: Invalid escape`,
    ]);
  });

  test('references that lead nowhere or to other places', () => {
    const problems = problemsOf({
      name: 'a',
      inputSchema: object({
        one: { $ref: '#/$defs/missing' },
        two: { items: { $ref: 'https://example.com/pet.json' } },
      }),
    });
    expect(problems.slice(0, 2)).toEqual([
      'reference a: $ref "#/$defs/missing"',
      'reference a: $ref "https://example.com/pet.json"',
    ]);
    expect(problems).toHaveLength(3);
  });

  test('invisible characters, also in keys', () => {
    const hidden = ['\u200b', '\u202e', '\u001b', '\u00ad', '\ufe0f', '\u{e0041}'];
    for (const character of hidden) {
      expect(problemsOf({ name: 'a', description: `b${character}c`, inputSchema: object({}) })).toHaveLength(
        1,
      );
      expect(problemsOf({ name: 'a', inputSchema: object({ [`b${character}c`]: {} }) })).toHaveLength(1);
    }
  });
});

const DOCUMENT = {
  openapi: '3.0.3',
  paths: {
    '/pets/{id}': {
      parameters: [
        { name: 'id', in: 'path', description: 'Which pet.', schema: { type: 'integer', minimum: 1 } },
      ],
      put: {
        summary: 'Changes a pet',
        parameters: [{ name: 'filter[kind]', in: 'query', schema: { $ref: '#/components/schemas/Kind' } }],
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
      },
    },
  },
  components: {
    schemas: {
      Kind: { type: 'string', enum: ['cat', 'dog'], default: 'cat' },
      Pet: object({
        id: { type: 'integer', readOnly: true },
        name: { type: 'string', description: 'How it is called.', maxLength: 20, pattern: '^\\w+$' },
        born: object({ on: { type: 'string', format: 'date' } }),
      }),
    },
  },
};

const PROPERTIES = {
  id: { type: 'integer', description: 'Which pet.', minimum: 1 },
  filter_kind: { enum: ['dog', 'cat'], default: 'cat' },
  name: { description: 'How it is called.', maxLength: 20, pattern: '^\\w+$' },
  born: object({ on: { format: 'date' } }),
};

function compare(
  properties: object,
  { description = 'Changes a pet', notes = [] as string[] } = {},
): string[] {
  const { lost } = compareWithDocument(
    DOCUMENT,
    [{ key: 'PUT /pets/{id}', name: 'putPet', outcome: 'tool', notes }],
    [{ name: 'putPet', description, inputSchema: object(properties) }],
  );
  return [...lost];
}

describe('missing parts', () => {
  test('nothing, where everything is there', () => {
    expect(compare(PROPERTIES)).toEqual([]);
    expect(compare({ ...PROPERTIES, born: { anyOf: [PROPERTIES.born, { type: 'null' }] } })).toEqual([]);
  });

  test('a body as one argument has the same properties', () => {
    const { name, born, ...parameters } = PROPERTIES;
    expect(compare({ ...parameters, body: object({ name, born }) })).toEqual([]);
    expect(compare({ ...parameters, body: object({ name }) })).toEqual([
      'body properties: PUT /pets/{id} body.born',
    ]);
  });

  test('arguments', () => {
    const { filter_kind: _kind, ...others } = PROPERTIES;
    expect(compare(others)).toEqual(['parameters: PUT /pets/{id} query filter[kind]']);
    const { name: _name, ...rest } = PROPERTIES;
    expect(compare(rest)).toEqual(['body properties: PUT /pets/{id} body name']);
  });

  test('properties of arguments', () => {
    expect(compare({ ...PROPERTIES, born: object({}) })).toEqual([
      'nested properties: PUT /pets/{id} born.on',
    ]);
  });

  test('notes on arguments', () => {
    expect(compare({ id: {}, filter_kind: { enum: ['cat'] }, name: {}, born: object({ on: {} }) })).toEqual([
      'descriptions: PUT /pets/{id} id: Which pet.',
      'bounds: PUT /pets/{id} id: minimum: 1',
      'defaults: PUT /pets/{id} filter_kind: default: cat',
      'enums: PUT /pets/{id} filter_kind: enum: cat, dog',
      'descriptions: PUT /pets/{id} name: How it is called.',
      'bounds: PUT /pets/{id} name: maxLength: 20',
      'bounds: PUT /pets/{id} name: pattern: ^\\w+$',
      'formats: PUT /pets/{id} born.on: format: date',
    ]);
  });

  test('notes on the operation', () => {
    expect(compare(PROPERTIES, { description: 'Something else' })).toEqual([
      'operation texts: PUT /pets/{id} Changes a pet',
    ]);
  });

  test('but not a pattern that the report says is left out', () => {
    const { name, ...others } = PROPERTIES;
    const { pattern: _pattern, ...rest } = name;
    const notes = ['the pattern "^\\\\w+$" can take very long; it is left out'];
    expect(compare({ ...others, name: rest }, { notes })).toEqual([]);
  });
});

describe('documents', () => {
  function read(name: string, text: string): object {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-corpus-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, name), text);
    return readDocument(join(folder, name));
  }

  test('are read as JSON or YAML', () => {
    expect(read('a.json', '{"swagger":"2.0"}')).toEqual({ root: { swagger: '2.0' } });
    expect(read('a.yaml', 'openapi: 3.1.0')).toEqual({ root: { openapi: '3.1.0' } });
  });

  test('of several files are one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-corpus-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const write = (name: string, content: object): void =>
      writeFileSync(join(folder, name), JSON.stringify(content));
    write('api.json', { openapi: '3.1.0', paths: { '/a': { $ref: 'a.json' } }, b: { $ref: 'none.json#/x' } });
    write('a.json', { get: { $ref: '#/own' }, own: { parameters: [{ $ref: 'api.json#/paths' }] } });
    expect(readDocument(join(folder, 'api.json'))).toEqual({
      root: {
        openapi: '3.1.0',
        paths: { '/a': { $ref: '#/x-files/0' } },
        b: { $ref: 'none.json#/x' },
        'x-files': [{ get: { $ref: '#/x-files/0/own' }, own: { parameters: [{ $ref: '#/paths' }] } }],
      },
    });
  });

  test('others are skipped, with a reason', () => {
    expect(read('a.json', '{"name":"package"}')).toEqual({
      skipped: 'no OpenAPI document: it has neither "openapi" nor "swagger"',
    });
    expect(read('a.json', '{"swagger":"1.2"}')).toEqual({
      skipped: 'written in version 1.2, which nobody promised to read',
    });
  });

  test('say where their API is, or do not', () => {
    const servers = [{ url: 'https://api.example.com' }];
    expect(hasAddress({ openapi: '3.0.0', servers })).toBe(true);
    expect(hasAddress({ openapi: '3.0.0', servers: [{ url: '/v1' }] })).toBe(false);
    expect(hasAddress({ openapi: '3.0.0', paths: { '/a': { get: { servers } } } })).toBe(true);
    expect(hasAddress({ swagger: '2.0', host: 'api.example.com' })).toBe(true);
    expect(hasAddress({ swagger: '2.0' })).toBe(false);
  });
});

describe('the part of a page', () => {
  const lists = { flat: { tokens: 1200 }, grouped: { tokens: 900 }, search: { tokens: 300 } };
  const fidelity = { counts: { parameters: { total: 500, kept: 499 }, enums: { total: 7 } }, lost: ['x'] };
  const counts = { operations: 3, tools: 2, refused: [{}], invalid: [] };
  const read = { name: 'a.json', version: '3.1', ...counts, lists, fidelity };
  const bad = { ...read, name: 'b.yaml', invalid: [{ exposure: 'grouped', kind: 'schema', text: 'x' }] };
  const failed = { name: 'c.json', failed: 'It is no document.\nat line 1' };

  test('has a summary, and a row for each document with its source', () => {
    expect(formatPart([read, bad, failed], { 'a.json': 'github:a/b' }).split('\n')).toEqual([
      '|  |  |',
      '| --- | --- |',
      '| documents | 3 |',
      '| loaded | 2 |',
      '| operations | 6 |',
      '| tools | 4 |',
      '| operations refused, with a reason | 2 |',
      '| schemas that Ajv 2020 does not compile | 1 |',
      '| other invalid things | 0 |',
      '| documents served to the official client | flat 2, grouped 1, search 2 |',
      '| statements on arguments that are compared, and lost | 1,014, 2 |',
      '',
      '| document | OpenAPI | operations | tools | refused | tokens flat | grouped | search | source |',
      '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |',
      '| a.json | 3.1 | 3 | 2 | 1 | 1,200 | 900 | 300 | github:a/b |',
      '| b.yaml | 3.1 | 3 | 2 | 1 | 1,200 | 900 ✗ | 300 |  |',
      '| c.json | failed: It is no document. |  |  |  |  |  |  |  |',
    ]);
  });

  test('is between two marks', () => {
    const page = 'a\n<!-- corpus: begin -->\nold\n<!-- corpus: end -->\nb\n';
    expect(replacePart(page, 'new')).toBe('a\n<!-- corpus: begin -->\n\nnew\n\n<!-- corpus: end -->\nb\n');
    expect(() => replacePart('a', 'new')).toThrow(
      'Missing markers in the page: expected "<!-- corpus: begin -->"',
    );
  });
});
