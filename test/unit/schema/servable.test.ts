import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { SchemaError } from '../../../src/errors/errors.ts';
import { compileInput, run } from './compile.ts';

const OWNER = 'Tool "t": the input schema';

function refusal(schema: unknown, options: Parameters<typeof compileInput>[1] = {}): string {
  try {
    compileInput(schema, options);
  } catch (error) {
    if (error instanceof SchemaError) return error.message;
    throw error;
  }
  throw new Error('the schema was not refused');
}

const object = (properties: Record<string, unknown>, more: object = {}): object => ({
  type: 'object',
  properties,
  ...more,
});

describe('the root', () => {
  test('a union of objects gets a type, after the dialect and before the rest', () => {
    const { jsonSchema } = compileInput(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]));
    expect(Object.keys(jsonSchema)).toEqual(['$schema', 'type', 'anyOf']);
    expect(jsonSchema['type']).toBe('object');
  });

  test('a reference to an object gets a type', () => {
    const { jsonSchema } = compileInput({ $ref: '#/$defs/A', $defs: { A: object({}) } });
    expect(jsonSchema['type']).toBe('object');
  });

  test.each([
    ['a string', z.string(), 'it accepts string.'],
    ['a list', type('number[]'), 'it accepts array.'],
    ['an object or null', z.object({}).nullable(), 'it accepts object or null.'],
    ['anything', { $comment: 'x', $defs: {} }, 'it accepts anything.'],
    ['an object only under a condition', { if: {}, then: { type: 'object' } }, 'it accepts anything.'],
    ['an object or anything', { anyOf: [object({}), true] }, 'it accepts anything.'],
    ['nothing', { allOf: [{ type: 'object' }, { type: 'string' }] }, 'it accepts nothing.'],
    ['a list of types', { type: ['object', 'null'] }, 'it accepts object or null.'],
  ])('%s is refused, with what it accepts', (_, schema, found) => {
    expect(refusal(schema)).toBe(
      `${OWNER} must describe an object, because the arguments of a tool are an object; ${found} Wrap it, for example: z.object({ value: … }).`,
    );
  });

  test('an output may be anything', () => {
    expect(compileInput(z.string(), { side: 'output' }).jsonSchema['type']).toBe('string');
  });
});

describe('values that are not schemas', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'object'],
    ['a list', [object({})]],
    ['some object', { name: 'x' }],
    ['a class instance of another library', { _def: {}, type: 'object' }],
  ])('%s is refused', (_, schema) => {
    expect(refusal(schema)).toBe(
      `${OWNER} is neither a Standard Schema (Zod ≥ 4.2, ArkType, Valibot through toStandardJsonSchema) nor a JSON Schema object.`,
    );
  });

  test('a raw shape is recognised, also when a field is called like a keyword', () => {
    expect(compileInput({ type: z.string(), name: z.string() }).jsonSchema).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { type: { type: 'string' }, name: { type: 'string' } },
      required: ['type', 'name'],
    });
  });

  test('a Valibot schema without its bridge is refused with the name of the bridge', () => {
    expect(refusal(v.object({ a: v.string() }))).toBe(
      `${OWNER} cannot be converted to JSON Schema. Wrap it: toStandardJsonSchema(schema) from "@valibot/to-json-schema".`,
    );
  });

  test('an old Zod is asked to be updated', () => {
    const old = { '~standard': { version: 1, vendor: 'zod', validate: () => ({ value: 1 }) } };
    expect(refusal(old)).toContain('This needs Zod 4.2 or newer.');
  });

  test('an unknown library is named', () => {
    const other = { '~standard': { version: 1, vendor: 'other', validate: () => ({ value: 1 }) } };
    expect(refusal(other)).toContain('Use a version of "other" that implements Standard JSON Schema');
  });

  test.each([
    ['a Date', z.object({ at: z.date() })],
    ['a BigInt', z.object({ id: z.bigint() })],
    ['a Map', z.object({ map: z.map(z.string(), z.string()) })],
    ["ArkType's Date", type({ at: 'Date' })],
  ])('%s cannot be advertised, and the message says what to do', (_, schema) => {
    expect(refusal(schema)).toMatch(
      /cannot be converted to JSON Schema: .+ or set metadata\.inputJsonSchema\.$/s,
    );
  });

  test('a document that contains itself is refused', () => {
    const cyclic: Record<string, unknown> = { type: 'object' };
    cyclic['properties'] = { self: cyclic };
    expect(refusal(cyclic)).toBe(
      `${OWNER} cannot be serialized as JSON: it is circular or contains a BigInt.`,
    );
  });

  test('a value nested too deeply for JSON is refused', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(refusal({ type: 'object', default: deep })).toBe(
      `${OWNER} cannot be serialized as JSON: it is nested too deeply.`,
    );
  });

  test('schemas that Ajv rejects are rejected at registration', () => {
    expect(refusal(object({ a: { type: 'strin' } }))).toMatch(
      /^Tool "t": the input schema is not valid JSON Schema: data/,
    );
    expect(refusal({ type: 'object', required: 'a' })).toMatch(
      /^Tool "t": the input schema is not valid JSON Schema: data/,
    );
  });
});

describe('dialects', () => {
  test.each([
    'https://json-schema.org/draft/2020-12/schema',
    'https://json-schema.org/draft/2020-12/schema#',
  ])('%s is served', ($schema) => {
    expect(compileInput({ $schema, type: 'object' }).jsonSchema['$schema']).toBe($schema);
  });

  test.each([
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    '',
    7,
  ])('%s is refused', ($schema) => {
    expect(refusal({ $schema, type: 'object' })).toBe(
      `${OWNER} declares the dialect ${JSON.stringify($schema)}; only JSON Schema 2020-12 (https://json-schema.org/draft/2020-12/schema) is supported. Convert the schema, or remove "$schema".`,
    );
  });

  test('another dialect below the root is refused as well', () => {
    expect(refusal(object({ a: { $schema: 'http://json-schema.org/draft-07/schema#' } }))).toContain(
      'draft-07',
    );
  });

  test('an $id at the root is kept, one below it is refused', () => {
    expect(run({ $id: 'https://example.com/x', ...object({ a: { $ref: '#' } }) }, { a: {} }).ok).toBe(true);
    expect(refusal(object({ a: { $id: 'https://example.com/y' } }))).toBe(
      `${OWNER}: "$id" at #/properties/a is not allowed below the root. Remove it, and refer to "#/$defs/…" instead.`,
    );
  });
});

describe('references', () => {
  test.each(['https://example.com/x.json', 'other.json', '//example.com/x', 'file:///etc/passwd', ''])(
    '%s points outside and is refused',
    ($ref) => {
      expect(refusal(object({ a: { $ref } }))).toBe(
        `${OWNER}: $ref ${JSON.stringify($ref)} at #/properties/a points outside the document. References are never fetched; copy the target under "$defs" and refer to "#/$defs/…".`,
      );
    },
  );

  test('a network reference is never fetched', async () => {
    let hits = 0;
    const canary = createServer((_, response) => {
      hits += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => {
      canary.listen(0, '127.0.0.1', resolve);
    });
    const { port } = canary.address() as AddressInfo;
    const $ref = `http://127.0.0.1:${port}/schema.json`;
    const documents = [
      { type: 'object', $ref },
      object({ a: { $dynamicRef: $ref } }),
      object(
        { a: { $ref: '#/components/schemas/A' } },
        { components: { schemas: { A: { items: { $ref } } } } },
      ),
      object({ a: { not: { items: { $ref } } } }),
    ];
    for (const document of documents) {
      expect(refusal(document)).toContain('points outside the document');
      expect(refusal(z.object({}), { override: document as never })).toContain('points outside the document');
    }
    await new Promise((resolve) => {
      canary.close(resolve);
    });
    expect(hits).toBe(0);
  });

  test.each([
    '#/$defs/missing',
    '#missing',
    '#/properties/a/required/0',
    '#/allOf/',
    '#/allOf/00',
    '#/allOf/7',
    '#/toString',
    '#/description',
  ])('%s leads nowhere', ($ref) => {
    expect(refusal(object({ a: { $ref } }, { allOf: [{}], description: 'text' }))).toBe(
      `${OWNER}: $ref ${JSON.stringify($ref)} at #/properties/a cannot be resolved.`,
    );
  });

  test('a reference must be a string', () => {
    expect(refusal(object({ a: { $ref: 7 } }))).toBe(`${OWNER}: $ref at #/properties/a must be a string.`);
  });

  test.each([
    ['percent signs and escapes', '#/$defs/a~1b%20c', { 'a/b c': { type: 'string' } }],
    ['a broken percent sign', '#/$defs/100%', { '100%': { type: 'string' } }],
    ['a boolean', '#/$defs/any', { any: true }],
  ])('%s in a reference is understood', (_, $ref, $defs) => {
    const schema = object({ a: { $ref } }, { $defs });
    expect(compileInput(schema).jsonSchema).toEqual(schema);
  });

  test.each([
    ['itself', { type: 'object', $ref: '#' }],
    [
      'an alternative',
      { type: 'object', anyOf: [{ $ref: '#/$defs/A' }], $defs: { A: { oneOf: [{ $ref: '#' }] } } },
    ],
    [
      'two definitions in turn',
      object(
        { a: { $ref: '#/$defs/A' } },
        { $defs: { A: { $ref: '#/$defs/B' }, B: { allOf: [{ $ref: '#/$defs/A' }] } } },
      ),
    ],
    ['a condition', { type: 'object', if: { $ref: '#' } }],
    ['a negation', { type: 'object', not: { $ref: '#' } }],
    ['a dependent schema', { type: 'object', dependentSchemas: { a: { $ref: '#' } } }],
  ])('a loop through %s is refused', (_, schema) => {
    expect(refusal(schema)).toBe(
      `${OWNER} refers to itself without describing any member, so no value can be checked.`,
    );
  });

  test.each([
    ['a member', object({ next: { $ref: '#' } }), { next: { next: {} } }],
    [
      'a member of a part',
      { type: 'object', allOf: [object({ next: { $ref: '#' } })] },
      { next: { next: {} } },
    ],
    ['a member of an alternative', { anyOf: [object({ next: { $ref: '#' } })] }, { next: { next: {} } }],
    ['an element', object({ list: { type: 'array', items: { $ref: '#' } } }), { list: [{ list: [] }] }],
  ])('a loop through %s ends with the value, and is served', (_, schema, value) => {
    expect(run(schema, value)).toEqual({ ok: true, value });
    expect(run(schema, value, { unknownArguments: 'reject' })).toEqual({ ok: true, value });
  });

  test('definitions that double at every level are refused before they are unfolded', () => {
    const doubling = (levels: number): unknown => {
      const $defs: Record<string, unknown> = { [`d${levels}`]: object({ a: { type: 'string' } }) };
      for (let level = 0; level < levels; level += 1) {
        const next = { $ref: `#/$defs/d${level + 1}` };
        $defs[`d${level}`] = { anyOf: [next, next] };
      }
      return { $ref: '#/$defs/d0', $defs };
    };
    expect(refusal(doubling(60))).toBe(
      `${OWNER} describes one value by more than 10000 parts and alternatives.`,
    );
    const served = compileInput(doubling(5), { unknownArguments: 'reject' });
    expect([served.hasArgument('a'), served.hasArgument('b')]).toEqual([true, false]);
    expect(run(doubling(5), { a: 's', b: 1 })).toEqual({ ok: true, value: { a: 's' } });
  });
});

describe('bounds and patterns', () => {
  const nested = (depth: number): unknown => {
    let schema: unknown = { type: 'string' };
    for (let level = 0; level < depth; level += 1) schema = object({ a: schema });
    return schema;
  };

  test('128 levels are served, more are refused', () => {
    expect(compileInput(nested(128)).jsonSchema['type']).toBe('object');
    expect(refusal(nested(129))).toMatch(/is nested deeper than 128 levels at #\/properties\/a/);
    expect(refusal(nested(300))).toMatch(/is nested deeper than 128 levels/);
  });

  test('more than 50,000 subschemas are refused', () => {
    const properties = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, {}]));
    expect(refusal(object(properties))).toBe(`${OWNER} has more than 50000 subschemas.`);
  });

  test.each([{ pattern: '(' }, { patternProperties: { '[': {} } }])('%j is refused', (keyword) => {
    expect(refusal(object({ a: keyword }))).toMatch(
      /the pattern "[([]" at #\/properties\/a is not a valid regular expression\.$/,
    );
  });

  test('a pattern that only works outside Unicode mode is served', () => {
    const schema = object({ a: { type: 'string', pattern: '^[\\w-.]+$' } });
    expect(run(schema, { a: 'x-y.z' }).ok).toBe(true);
    expect(run(schema, { a: 'x y' }).ok).toBe(false);
  });

  test.each([
    ['properties', { a: 'string' }],
    ['items', 7],
    ['anyOf', ['x']],
  ])('a member of %s that is no schema is refused', (keyword, value) => {
    expect(refusal({ type: 'object', properties: { p: { [keyword]: value } } })).toContain(
      'must be a schema (an object or a boolean).',
    );
  });
});
