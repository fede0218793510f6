import { describe, expect, test } from 'vitest';
import type { SchemaNode } from '../../../../../src/schema/nodes/json-node.ts';
import { getFields, getRequiredFields } from '../../../../../src/tools/grouped/strategies/schema-utils.ts';
import { createAction, objectOf } from './actions.ts';

const text = { type: 'string' };
const number = { type: 'number' };

function required(inputSchema: SchemaNode): string[] {
  return getRequiredFields(createAction('a', { inputSchema }));
}

function variants(inputSchema: SchemaNode): Record<string, readonly SchemaNode[]> {
  const fields = getFields(createAction('a', { inputSchema }));
  return Object.fromEntries([...fields].map(([name, field]) => [name, field.variants]));
}

describe('required fields', () => {
  test('are those of the root, in the order of its properties', () => {
    expect(required({ ...objectOf({ a: text, 'b?': text, c: text }), required: ['c', 'a'] })).toEqual([
      'a',
      'c',
    ]);
  });

  test('are those of all parts that always apply', () => {
    const schema = {
      $ref: '#/$defs/Base',
      ...objectOf({ b: text }),
      allOf: [objectOf({ c: text, 'd?': text })],
      $defs: { Base: objectOf({ a: text }) },
    };
    expect(required(schema).toSorted()).toEqual(['a', 'b', 'c']);
  });

  test('are those that every alternative of a choice asks for', () => {
    const schema = {
      type: 'object',
      anyOf: [objectOf({ kind: text, x: text }), objectOf({ kind: text, y: text })],
    };
    expect(required(schema)).toEqual(['kind']);
  });

  test('are not those that only a condition asks for', () => {
    const schema = {
      ...objectOf({ a: text, 'b?': text }),
      if: objectOf({ a: { const: 'x' } }),
      then: { required: ['b'] },
    };
    expect(required(schema)).toEqual(['a']);
  });

  test('may be named without being described', () => {
    expect(required({ type: 'object', required: ['a'] })).toEqual(['a']);
    expect(variants({ type: 'object', required: ['a'] })).toEqual({ a: [{}] });
  });
});

describe('fields', () => {
  test('of alternatives are taken from each that has them', () => {
    const schema = {
      type: 'object',
      anyOf: [
        objectOf({ kind: { const: 'a' }, x: text }),
        objectOf({ kind: { const: 'b' }, x: number, y: text }),
      ],
    };
    expect(variants(schema)).toEqual({
      kind: [{ const: 'a' }, { const: 'b' }],
      x: [text, number],
      y: [text],
    });
  });

  test('that one alternative takes as they come are open', () => {
    const open = { type: 'object', anyOf: [objectOf({ x: text }), { type: 'object', required: ['y'] }] };
    expect(variants(open)).toEqual({ x: [{}] });
    const welcome = {
      type: 'object',
      anyOf: [objectOf({ x: text }), objectOf({ y: text }, { additionalProperties: number })],
    };
    expect(variants(welcome)).toEqual({ x: [text, number], y: [text] });
  });

  test('that several parts describe must satisfy all of them', () => {
    const schema = {
      ...objectOf({ a: text }),
      allOf: [objectOf({ a: { minLength: 1 } }), objectOf({ a: text })],
    };
    expect(variants(schema)).toEqual({ a: [{ allOf: [text, { minLength: 1 }] }] });
  });

  test('of conditions are open: whether what is said there holds depends on the other arguments', () => {
    const schema = {
      type: 'object',
      properties: {},
      if: objectOf({ kind: { const: 'a' } }),
      then: objectOf({ x: text }),
      else: objectOf({ x: number }),
      dependentSchemas: { x: objectOf({ 'z?': number }) },
    };
    expect(variants(schema)).toEqual({ kind: [{}], x: [{}], z: [{}] });
  });

  test('that are forbidden are none', () => {
    expect(variants({ type: 'object', properties: { a: false, b: true } })).toEqual({ b: [{}] });
    const closed = {
      ...objectOf({ a: text }, { additionalProperties: false }),
      allOf: [objectOf({ 'b?': text })],
    };
    expect(variants(closed)).toEqual({ a: [text] });
  });

  test('of a closed union are those of its alternatives', () => {
    const schema = {
      type: 'object',
      anyOf: [objectOf({ a: text }), objectOf({ b: text })],
      unevaluatedProperties: false,
    };
    expect(variants(schema)).toEqual({ a: [text], b: [text] });
  });
});
