import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DefinitionPool } from '../../../src/schema/nodes/definition-pool.ts';
import type { SchemaNode } from '../../../src/schema/nodes/json-node.ts';
import { createAcceptance } from './acceptance.ts';

const text = { type: 'string' };
const address = { type: 'object', properties: { street: text } };

describe('definitions of several documents', () => {
  test('referenced definitions are written once under their own name', () => {
    const pool = new DefinitionPool();
    const embedded = pool.embed({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://example.com/person',
      type: 'object',
      properties: { home: { $ref: '#/$defs/Address' }, work: { $ref: '#/$defs/Address' } },
      $defs: { Address: address, Unused: text },
    });
    expect(embedded).toEqual({
      type: 'object',
      properties: { home: { $ref: '#/$defs/Address' }, work: { $ref: '#/$defs/Address' } },
    });
    expect(pool.definitions()).toEqual({ Address: address });
  });

  test('a pool that nothing refers to has no definitions', () => {
    const pool = new DefinitionPool();
    expect(pool.embed({ type: 'object', $defs: { Unused: text } })).toEqual({ type: 'object' });
    expect(pool.definitions()).toBeUndefined();
  });

  test('equal definitions of two documents are one, whatever the order of their keys', () => {
    const pool = new DefinitionPool();
    pool.embed({ $ref: '#/$defs/A', $defs: { A: { type: 'string', minLength: 1 } } });
    const second = pool.embed({
      $ref: '#/definitions/B',
      definitions: { B: { minLength: 1, type: 'string' } },
    });
    expect(second).toEqual({ $ref: '#/$defs/A' });
    expect(pool.definitions()).toEqual({ A: { type: 'string', minLength: 1 } });
  });

  test('different definitions under one name get numbers', () => {
    const pool = new DefinitionPool();
    const roots = [1, 2, 3].map((minLength) =>
      pool.embed({ $ref: '#/$defs/Name', $defs: { Name: { type: 'string', minLength } } }),
    );
    expect(roots).toEqual([{ $ref: '#/$defs/Name' }, { $ref: '#/$defs/Name-2' }, { $ref: '#/$defs/Name-3' }]);
    expect(pool.definitions()).toEqual({
      Name: { type: 'string', minLength: 1 },
      'Name-2': { type: 'string', minLength: 2 },
      'Name-3': { type: 'string', minLength: 3 },
    });
  });

  test('definitions that look alike but refer to different things stay apart', () => {
    const listOf = (item: SchemaNode): SchemaNode => ({
      $ref: '#/$defs/List',
      $defs: { List: { type: 'array', items: { $ref: '#/$defs/Item' } }, Item: item },
    });
    const pool = new DefinitionPool();
    pool.embed(listOf({ type: 'string' }));
    expect(pool.embed(listOf({ type: 'number' }))).toEqual({ $ref: '#/$defs/List-2' });
    expect(pool.definitions()).toEqual({
      List: { type: 'array', items: { $ref: '#/$defs/Item' } },
      Item: { type: 'string' },
      'List-2': { type: 'array', items: { $ref: '#/$defs/Item-2' } },
      'Item-2': { type: 'number' },
    });
  });

  test('equal recursive definitions of one name are one', () => {
    const tree = (name: string): SchemaNode => ({
      $ref: `#/$defs/${name}`,
      $defs: { [name]: { type: 'object', properties: { next: { $ref: `#/$defs/${name}` } } } },
    });
    const pool = new DefinitionPool();
    pool.embed(tree('Node'));
    expect(pool.embed(tree('Node'))).toEqual({ $ref: '#/$defs/Node' });
    expect(pool.definitions()).toEqual({
      Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } },
    });
  });

  test('recursive definitions that differ far inside stay apart', () => {
    const chain = (last: string): SchemaNode => ({
      $ref: '#/$defs/A',
      $defs: {
        A: { properties: { next: { $ref: '#/$defs/B' } } },
        B: { properties: { back: { $ref: '#/$defs/A' }, leaf: { type: last } } },
      },
    });
    const pool = new DefinitionPool();
    pool.embed(chain('string'));
    expect(pool.embed(chain('number'))).toEqual({ $ref: '#/$defs/A-2' });
  });

  test('a reference to the root makes the root a definition', () => {
    const pool = new DefinitionPool();
    const embedded = pool.embed({ type: 'object', properties: { next: { $ref: '#' } } });
    expect(embedded).toEqual({ type: 'object', properties: { next: { $ref: '#/$defs/root' } } });
    expect(pool.definitions()).toEqual({
      root: { type: 'object', properties: { next: { $ref: '#/$defs/root' } } },
    });
  });

  test('pointers, anchors and dynamic references lead to definitions as well', () => {
    const pool = new DefinitionPool();
    const embedded = pool.embed({
      type: 'object',
      properties: {
        name: { type: 'string' },
        alias: { $ref: '#/properties/name' },
        home: { $ref: '#place' },
        work: { $dynamicRef: '#place' },
        both: { $ref: '#place', $dynamicRef: '#place', allOf: [{ minProperties: 1 }] },
      },
      $defs: { Place: { $anchor: 'place', ...address } },
    });
    expect(embedded).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string' },
        alias: { $ref: '#/$defs/name' },
        home: { $ref: '#/$defs/place' },
        work: { $ref: '#/$defs/place' },
        both: { $ref: '#/$defs/place', allOf: [{ minProperties: 1 }, { $ref: '#/$defs/place' }] },
      },
    });
    expect(pool.definitions()).toEqual({ name: { type: 'string' }, place: address });
  });

  test('names that would need escaping in a reference are written plainly', () => {
    const pool = new DefinitionPool();
    expect(pool.embed({ $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': text } })).toEqual({
      $ref: '#/$defs/a_b_c',
    });
    expect(pool.definitions()).toEqual({ a_b_c: text });
  });

  test('data that looks like a reference stays as it is', () => {
    const pool = new DefinitionPool();
    const document = { const: { $ref: '#/$defs/A' }, default: { $ref: '#' }, enum: [{ $defs: 1 }] };
    expect(pool.embed(document)).toEqual(document);
    expect(pool.definitions()).toBeUndefined();
  });

  test('definitions that are booleans become schemas that say the same', () => {
    const pool = new DefinitionPool();
    pool.embed({
      properties: { a: { $ref: '#/$defs/Any' }, b: { $ref: '#/$defs/None' } },
      $defs: { Any: true, None: false },
    });
    expect(pool.definitions()).toEqual({ Any: {}, None: { not: {} } });
  });

  test('an embedded document accepts what it accepted before', () => {
    const item = fc.constantFrom<SchemaNode>(
      { type: 'string' },
      { type: 'number' },
      { $ref: '#/$defs/A' },
      { $ref: '#/$defs/B' },
      { $ref: '#' },
      { type: 'array', items: { $ref: '#/$defs/A' } },
      { type: 'object', properties: { x: { $ref: '#/$defs/B' } } },
    );
    const definition = fc.constantFrom<SchemaNode>(
      { type: 'string', maxLength: 1 },
      { type: 'array', items: { $ref: '#/$defs/A' }, maxItems: 1 },
      { type: 'object', properties: { x: { $ref: '#' } }, required: ['x'] },
    );
    const document = fc
      .record({ x: item, y: item, A: definition, B: definition })
      .map(({ x, y, A, B }): SchemaNode => ({ type: 'object', properties: { x, y }, $defs: { A, B } }));
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('', 'ab', 1),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('x', 'y'), tie('value')),
      ),
    }));
    let accepted = 0;
    fc.assert(
      fc.property(document, document, fc.array(value, { maxLength: 20 }), (first, second, values) => {
        const pool = new DefinitionPool();
        const embedded = [first, second].map((part) => pool.embed(part));
        for (const [index, part] of [first, second].entries()) {
          const before = createAcceptance(part);
          const after = createAcceptance({ ...embedded[index], $defs: pool.definitions() ?? {} });
          for (const candidate of values) {
            expect(after(candidate)).toBe(before(candidate));
            if (before(candidate)) accepted += 1;
          }
        }
      }),
      { numRuns: 80 },
    );
    expect(accepted).toBeGreaterThan(10);
  });
});
