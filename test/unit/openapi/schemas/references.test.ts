import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyToolDefinition } from '../../../../src/index.ts';
import { loadDocument } from '../../../../src/openapi/document/load-document.ts';
import { References } from '../../../../src/openapi/document/references.ts';
import { check, importOf, inputOf, reportOf, schemaOf, toolOf, withBody } from '../import/support.ts';
import { convert, nodeOf, ref } from './converting.ts';

const Pet = { type: 'object', properties: { name: { type: 'string' } } };

describe('a reference', () => {
  test('leads to a definition; to something small it is written out', async () => {
    const schemas = { Pet, Name: { type: 'string', maxLength: 9 }, All: true, None: false };
    expect(await convert(ref('Pet'), { schemas })).toEqual({
      node: { $ref: '#/$defs/Pet' },
      definitions: { Pet },
      notes: [],
    });
    expect(await nodeOf(ref('Name'), { schemas })).toEqual({ type: 'string', maxLength: 9 });
    expect(await nodeOf(ref('All'), { schemas })).toEqual({});
    expect(await nodeOf(ref('None'), { schemas })).toBe(false);
    expect(await nodeOf({ ...ref('None'), description: 'D' }, { schemas })).toEqual({
      not: {},
      description: 'D',
    });
  });

  test('to something that is no schema is anything', async () => {
    expect(await convert(ref('Pet'), { schemas: { Pet: null } })).toEqual({
      node: {},
      definitions: {},
      notes: ['a schema is not an object; any value is accepted there'],
    });
  });

  test('with long lists of values and long texts is written once', async () => {
    const values = Array.from({ length: 25 }, (_, index) => `v${index}`);
    const { node, definitions } = await convert(ref('Code'), { schemas: { Code: { enum: values } } });
    expect([node, definitions]).toEqual([{ $ref: '#/$defs/Code' }, { Code: { enum: values } }]);
  });

  test('before 3.1, only descriptions and nullable count beside it', async () => {
    const beside = { ...ref('Pet'), description: 'D', nullable: true, required: ['name'], type: 'string' };
    expect(await convert(beside, { schemas: { Pet } })).toMatchObject({
      node: { description: 'D', anyOf: [{ $ref: '#/$defs/Pet' }, { type: 'null' }] },
    });
  });

  test('from 3.1 on, everything counts beside it', async () => {
    const beside = { ...ref('Pet'), description: 'D', required: ['name'] };
    expect(await convert(beside, { schemas: { Pet }, version: '3.1.0' })).toMatchObject({
      node: { $ref: '#/$defs/Pet', description: 'D', required: ['name'] },
    });
  });

  test('that cannot be resolved accepts anything, with the keywords beside it', async () => {
    expect(await convert({ ...ref('Nobody'), description: 'D' })).toEqual({
      node: { description: 'D' },
      definitions: {},
      notes: [
        'a schema has an unresolved reference: "#/components/schemas/Nobody" leads nowhere; any value is accepted there',
      ],
    });
    expect((await convert({ $ref: '//[' })).notes).toEqual([
      'a schema has an unresolved reference: "//[" is not a reference; any value is accepted there',
    ]);
  });

  test('that leads outside is fatal', async () => {
    const { notes } = await convert({ $ref: 'https://elsewhere.example/pet.json' });
    expect(notes).toEqual([expect.stringMatching(/^!a schema cannot be read: /)]);
  });

  test('is none if it is no text, and none as a property', async () => {
    expect(await nodeOf({ $ref: 5, type: 'string' })).toEqual({ type: 'string' });
    expect(await nodeOf({ properties: { $ref: { type: 'string' } } })).toEqual({
      type: 'object',
      properties: { $ref: { type: 'string' } },
    });
  });

  test('can lead anywhere in the document, however it is written', async () => {
    const schemas = { 'A B/c~d': { properties: { x: { enum: ['x'] } } } };
    const pointer = '#/components/schemas/A%20B~1c~0d';
    expect((await convert({ $ref: pointer }, { schemas })).definitions).toEqual({
      A_B_c_d: { type: 'object', properties: { x: { enum: ['x'] } } },
    });
    expect(await nodeOf({ $ref: `${pointer}/properties/x` }, { schemas })).toEqual({ enum: ['x'] });
  });

  test('equal names get different suffixes; none is an inherited member name', async () => {
    const schemas = JSON.parse(
      JSON.stringify({ 'a b': Pet, a_b: Pet, constructor: Pet, toString: Pet }).replace(
        'toString',
        '__proto__',
      ),
    ) as Record<string, unknown>;
    const properties = { a: ref('a b'), b: ref('a_b'), c: ref('constructor'), d: ref('__proto__') };
    const { node, definitions } = await convert({ properties }, { schemas });
    expect(node).toMatchObject({
      properties: {
        a: { $ref: '#/$defs/a_b' },
        b: { $ref: '#/$defs/a_b_2' },
        c: { $ref: '#/$defs/constructor_2' },
        d: { $ref: '#/$defs/__proto___2' },
      },
    });
    expect(Object.keys(definitions)).toEqual(['a_b', 'a_b_2', 'constructor_2', '__proto___2']);
  });
});

describe('a cycle', () => {
  test('through members and items stays', async () => {
    const Node = {
      type: 'object',
      properties: { next: ref('Node'), list: { type: 'array', items: ref('Node') } },
      additionalProperties: ref('Node'),
    };
    const own = { $ref: '#/$defs/Node' };
    expect(await convert(ref('Node'), { schemas: { Node } })).toEqual({
      node: own,
      definitions: {
        Node: {
          type: 'object',
          properties: { next: own, list: { type: 'array', items: own } },
          additionalProperties: own,
        },
      },
      notes: [],
    });
  });

  test.each([
    ['a reference to itself', { A: ref('A') }],
    ['references to each other', { A: ref('B'), B: ref('C'), C: ref('A') }],
    ['a part of itself', { A: { allOf: [ref('A')] } }],
  ])('of %s says nothing', async (_name, schemas) => {
    expect(await convert({ properties: { a: ref('A') } }, { schemas })).toMatchObject({
      definitions: { A: {} },
      notes: ['a schema is a part of itself (allOf), which adds nothing; it is left out there'],
    });
  });

  test('of choices is all other choices', async () => {
    const schemas = {
      A: { oneOf: [ref('B'), { type: 'string' }, ref('A')] },
      B: { anyOf: [ref('A'), { type: 'number' }] },
    };
    expect(await convert({ properties: { a: ref('A') } }, { schemas })).toMatchObject({
      definitions: { A: { oneOf: [{ anyOf: [{ type: 'number' }] }, { type: 'string' }] } },
      notes: [],
    });
    expect(
      await convert({ properties: { a: ref('A') } }, { schemas: { A: { oneOf: [ref('A')] } } }),
    ).toMatchObject({
      definitions: { A: {} },
      notes: ['the only alternative of a schema is the schema itself; any value is accepted there'],
    });
  });

  test('of conditions is left out', async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    const A = { not: ref('A'), if: ref('A'), then: {}, dependentSchemas: { x: ref('A') }, minimum: 1 };
    expect(await convert({ properties: { a: ref('A') } }, { schemas: { A } })).toMatchObject({
      definitions: { A: { minimum: 1 } },
      notes: [],
    });
  });

  test('of a base and those that are built on it: each of them has what the base says beside its choices', async () => {
    const Base = {
      type: 'object',
      properties: { kind: { type: 'string' } },
      required: ['kind'],
      oneOf: [ref('Cat'), ref('Dog')],
      discriminator: { propertyName: 'kind' },
    };
    const schemas = {
      Base,
      Cat: { allOf: [ref('Base'), { properties: { lives: { type: 'integer' } } }] },
      Dog: { allOf: [ref('Base'), { properties: { bark: { type: 'string' } } }] },
    };
    const plain = { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] };
    const { definitions, notes } = await convert({ properties: { pet: ref('Base') } }, { schemas });
    expect(notes).toEqual([]);
    expect(definitions).toEqual({
      Base: {
        ...plain,
        oneOf: ['Cat', 'Dog'].map((name) => ({
          $ref: `#/$defs/${name}`,
          type: 'object',
          properties: { kind: { const: name } },
          required: ['kind'],
        })),
      },
      Cat: { allOf: [plain, { type: 'object', properties: { lives: { type: 'integer' } } }] },
      Dog: { allOf: [plain, { type: 'object', properties: { bark: { type: 'string' } } }] },
    });
    const tool = await toolOf(withBody({ properties: { pet: ref('Base') } }, schemas));
    expect(await check(tool, { pet: { kind: 'Cat', lives: 9 } })).toEqual([]);
    expect(await check(tool, { pet: { kind: 'Cat', lives: 'nine' } })).not.toEqual([]);
  });

  test('of very many schemas that are parts of each other comes to an end', async () => {
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const names = Array.from({ length: 40 }, (_, index) => `S${index}`);
      const schemas = Object.fromEntries(
        names.map((name) => [
          name,
          { [keyword]: names.map(ref), properties: { [name]: { type: 'string' } } },
        ]),
      );
      const tool = await toolOf(withBody({ properties: { a: ref('S0') } }, schemas));
      expect(JSON.stringify(inputOf(tool)).length).toBeLessThan(50_000);
      expect(await check(tool, { a: {} })).toEqual([]);
    }
  });

  test('choices of choices of choices: from where they are too many, any value is accepted', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `S${index}`,
        index === 29 ? { type: 'string' } : { anyOf: [ref(`S${index + 1}`), ref(`S${index + 1}`)] },
      ]),
    );
    // At any distance.
    const pads = Array.from({ length: 200 }, (_, index) => [
      `p${index}`,
      { type: 'string', description: 'x'.repeat(40) },
    ]);
    const Far = { type: 'object', properties: { ...Object.fromEntries(pads), far: ref('S0') } };
    const document = withBody({ properties: { near: ref('S0'), a: ref('Far') } }, { ...chain, Far });
    const tool = await toolOf(document);
    expect(await check(tool, { near: 5, a: { far: 5 } })).toEqual([]);
    expect((await reportOf(document)).notes).toEqual([
      'the schema S5 describes one value by more than 10000 parts and alternatives; any value is accepted there',
    ]);
  });

  test('of thousands, one after the other, comes to an end', async () => {
    const chain = (make: (next: number) => object): Record<string, unknown> =>
      Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`S${index}`, make((index + 1) % 2000)]));
    for (const make of [
      (next: number) => ({ allOf: [ref(`S${next}`), { properties: { [`p${next}`]: {} } }] }),
      (next: number) => ref(`S${next}`),
      (next: number) => ({ type: 'object', properties: { next: ref(`S${next}`) } }),
      (next: number) => ({ unevaluatedProperties: ref(`S${next}`), unevaluatedItems: ref(`S${next}`) }),
    ]) {
      const tool = await toolOf(withBody({ properties: { a: ref('S0') } }, chain(make)));
      expect(await check(tool, { a: {} })).toEqual([]);
    }
  });
});

describe('names within documents', () => {
  const options = { version: '3.1.0' };

  test('an anchor, and an address', async () => {
    const schemas = {
      Pet: { ...Pet, $anchor: 'pet', $id: 'https://schemas.example/pet' },
      Tag: { $anchor: 'tag', type: 'object', properties: { name: { type: 'string' } } },
    };
    const expected = { node: { $ref: '#/$defs/tag' }, definitions: { tag: Pet }, notes: [] };
    expect(await convert({ $ref: '#tag' }, { ...options, schemas })).toEqual(expected);
    expect(await convert({ $dynamicRef: '#tag' }, { ...options, schemas })).toEqual(expected);
    expect(await convert({ $ref: 'https://schemas.example/pet' }, { ...options, schemas })).toMatchObject({
      node: { $ref: '#/$defs/pet' },
      notes: [],
    });
    expect(await convert({ $ref: 'https://schemas.example/pet#pet' }, { ...options, schemas })).toMatchObject(
      {
        definitions: { pet: Pet },
        notes: [],
      },
    );
    expect(
      await nodeOf({ $ref: 'https://schemas.example/pet#/properties/name' }, { ...options, schemas }),
    ).toEqual({ type: 'string' });
  });

  test('references within a schema with an address start there, or else in the file', async () => {
    const schemas = {
      Tree: {
        $id: 'https://schemas.example/tree',
        type: 'object',
        properties: { leaf: { $ref: '#/$defs/leaf' }, pet: ref('Pet'), self: { $ref: '#' } },
        $defs: { leaf: { type: 'string' } },
      },
      Pet,
    };
    expect(await convert(ref('Tree'), { ...options, schemas })).toMatchObject({
      definitions: {
        Tree: {
          type: 'object',
          properties: {
            leaf: { type: 'string' },
            pet: { $ref: '#/$defs/Pet' },
            self: { $ref: '#/$defs/tree' },
          },
        },
        Pet,
      },
      notes: [],
    });
  });

  test('a dynamic anchor that is there several times depends on who asks', async () => {
    const schemas = {
      Page: {
        $id: 'https://schemas.example/page',
        type: 'object',
        properties: { items: { type: 'array', items: { $dynamicRef: '#item' } } },
        $defs: { item: { $dynamicAnchor: 'item', not: {} } },
      },
      Pets: { $defs: { item: { $dynamicAnchor: 'item', ...Pet } }, $ref: 'https://schemas.example/page' },
    };
    expect(await convert(ref('Page'), { ...options, schemas })).toMatchObject({
      definitions: { Page: { properties: { items: { items: {} } } } },
      notes: ['the target of "#item" depends on the referring schema; any value is accepted there'],
    });
  });

  test('identifiers in data are ignored', async () => {
    const schemas = {
      Pet: {
        ...Pet,
        example: { $id: 'https://schemas.example/x' },
        default: { $anchor: 'x' },
        enum: [{ $id: 'y' }],
      },
    };
    expect((await convert({ $ref: '#x' }, { ...options, schemas })).notes).toEqual([
      'a schema has an unresolved reference: "#x" leads nowhere; any value is accepted there',
    ]);
  });
});

describe('several files', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolwright-openapi-'));
    const files = {
      'api.json': {
        openapi: '3.0.3',
        info: { title: 't', version: '1' },
        servers: [{ url: 'https://api.example' }],
        paths: {
          '/pets': { $ref: 'paths/pets.json', parameters: [{ $ref: 'parameters.json#/limit' }] },
          '/secret': {
            post: {
              requestBody: { content: { 'application/json': { schema: { $ref: '../outside.json' } } } },
            },
          },
          '/lost': {
            post: { requestBody: { content: { 'application/json': { schema: { $ref: 'lost.json' } } } } },
          },
          '/shared': { $ref: 'paths/nowhere.json' },
        },
      },
      'parameters.json': { limit: { name: 'limit', in: 'query', schema: { type: 'integer' } } },
      'pet.json': {
        type: 'object',
        properties: { name: { type: 'string' }, friend: { $ref: '#' }, tag: { $ref: 'tag.json#/Tag' } },
      },
      'tag.json': { Tag: { type: 'object', properties: { pet: { $ref: 'pet.json' } } } },
      'pets.json': {
        post: {
          parameters: [{ $ref: 'query.json' }],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '../pet.json' } } },
          },
        },
      },
      'query.json': { name: 'dryRun', in: 'query', schema: { type: 'boolean' } },
    };
    await mkdir(join(folder, 'paths'));
    for (const [name, value] of Object.entries(files)) {
      const isPath = name === 'pets.json' || name === 'query.json';
      await writeFile(join(folder, isPath ? 'paths' : '', name), JSON.stringify(value));
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('are one document; each reference starts from its own file', async () => {
    const { tools, report } = await importOf(join(folder, 'api.json'));
    expect(tools.map((tool) => (tool as { name: string }).name)).toEqual(['post_pets']);
    expect(inputOf(tools[0] as AnyToolDefinition)).toEqual({
      type: 'object',
      properties: {
        limit: { type: 'integer' },
        dryRun: { type: 'boolean' },
        name: { type: 'string' },
        friend: { $ref: '#/$defs/pet' },
        tag: { $ref: '#/$defs/Tag' },
      },
      $defs: {
        pet: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            friend: { $ref: '#/$defs/pet' },
            tag: { $ref: '#/$defs/Tag' },
          },
        },
        Tag: { type: 'object', properties: { pet: { $ref: '#/$defs/pet' } } },
      },
    });
    const reasons = Object.fromEntries(report.operations.map(({ key, reason }) => [key, reason]));
    expect(reasons['POST /secret']).toContain('outside.json was not read');
    expect(reasons['POST /lost']).toContain('lost.json');
    expect(reasons['/shared']).toContain('the reference of the path cannot be resolved');
  });

  test('a document that is an object has no files around it', async () => {
    const { outcome, reason } = await reportOf(
      {
        ...withBody({ $ref: 'pet.json' }),
        paths: {
          ...(withBody({ $ref: 'pet.json' })['paths'] as object),
          '/ok': { get: {} },
        },
      },
      {},
    );
    expect([outcome, reason]).toEqual(['refused', expect.stringContaining('pet.json')]);
  });
});

describe('references that are followed', () => {
  test('lead to the end, wherever that is', async () => {
    const document = await loadDocument({
      openapi: '3.0.3',
      info: { title: 't', version: '1' },
      paths: {},
      components: {
        parameters: {
          a: { $ref: '#/components/parameters/b' },
          b: { name: 'b' },
          c: { $ref: '#/components/parameters/c' },
        },
      },
    });
    const references = new References(document);
    const follow = (name: string): unknown =>
      references.follow({ value: { $ref: `#/components/parameters/${name}` }, base: document.uri });
    expect(follow('a')).toMatchObject({
      value: { name: 'b' },
      id: 'inline:/document#/components/parameters/b',
    });
    expect(follow('c')).toEqual({
      problem: '"#/components/parameters/c" refers to itself',
      isOutside: false,
    });
    expect(follow('__proto__')).toEqual({
      problem: '"#/components/parameters/__proto__" cannot be resolved',
      isOutside: false,
    });
    expect(follow('toString')).toMatchObject({
      problem: '"#/components/parameters/toString" cannot be resolved',
    });
  });

  test('a schema may refer to a part of an operation', async () => {
    const schema = { $ref: '#/paths/~1pets/post/requestBody/content/application~1json/schema/properties/x' };
    expect(await schemaOf(withBody({ properties: { x: { enum: ['a'] }, y: schema } }))).toMatchObject({
      properties: { y: { enum: ['a'] } },
    });
  });
});
