import { describe, expect, test } from 'vitest';
import { convert, nodeOf } from './converting.ts';

describe('type', () => {
  test.each([
    [{ type: 'string' }, { type: 'string' }],
    [{ type: ['string', 'null'] }, { type: ['string', 'null'] }],
    [{ type: ['string'] }, { type: 'string' }],
    [{ type: ['string', 'string'] }, { type: 'string' }],
    [{ type: 'null' }, { type: 'null' }],
    [{ type: 'any' }, {}],
    [{ type: 'Integer' }, { type: 'integer' }],
    [{ type: 'int64' }, { type: 'integer' }],
    [{ type: 'float' }, { type: 'number' }],
    [{ type: 'bool' }, { type: 'boolean' }],
    [{ type: 'DateTime' }, { type: 'string' }],
    [{ type: 'file' }, { type: 'string' }],
    [{}, {}],
    [true, true],
    [false, false],
  ])('%j is %j', async (schema, expected) => {
    expect(await nodeOf(schema, { version: '3.1.0' })).toEqual(expected);
  });

  test.each([
    ['toString', 'the type "toString" is unknown; any value is accepted there'],
    ['__proto__', 'the type "__proto__" is unknown; any value is accepted there'],
    [5, 'the type 5 is unknown; any value is accepted there'],
    [null, 'the type null is unknown; any value is accepted there'],
    [['string', {}], 'the type {} is unknown; any value is accepted there'],
  ])('%j is anything, with a note', async (type, note) => {
    expect(await convert({ type })).toEqual({ node: {}, definitions: {}, notes: [note] });
  });

  test('no type at all in a list of them is anything', async () => {
    expect(await nodeOf({ type: [] })).toEqual({});
  });

  test.each([[null], [5], ['text'], [[{ type: 'string' }]]])('%j is no schema', async (schema) => {
    expect(await convert(schema)).toMatchObject({
      node: {},
      notes: ['a schema is not an object; any value is accepted there'],
    });
  });
});

describe('nullable', () => {
  test.each([
    [{ type: 'string' }, { type: ['string', 'null'] }],
    [{ type: ['string', 'null'] }, { type: ['string', 'null'] }],
    [
      { type: 'string', enum: ['a'] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [
      { type: 'string', enum: ['a', null] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [{ enum: ['a'] }, { enum: ['a', null] }],
    [{ format: 'date' }, { format: 'date' }],
    [{ const: 5 }, { anyOf: [{ const: 5 }, { type: 'null' }] }],
    [
      { type: 'object', properties: { a: { type: 'string' } } },
      { type: ['object', 'null'], properties: { a: { type: 'string' } } },
    ],
    [
      { type: 'array', items: { type: 'string' } },
      { type: ['array', 'null'], items: { type: 'string' } },
    ],
    [{ anyOf: [{ type: 'string' }] }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    [
      { description: 'D', oneOf: [{ type: 'string' }, { type: 'number' }] },
      { description: 'D', anyOf: [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, { type: 'null' }] },
    ],
    [{ not: { type: 'string' } }, { anyOf: [{ not: { type: 'string' } }, { type: 'null' }] }],
  ])('of %j', async (schema, expected) => {
    expect(await nodeOf({ ...schema, nullable: true })).toEqual(expected);
    expect(await nodeOf({ ...schema, 'x-nullable': true }, { version: '2.0' })).toEqual(expected);
    expect(await nodeOf({ ...schema, nullable: 'true' })).toEqual(expected);
  });

  test('of anything else than true says nothing', async () => {
    expect(await nodeOf({ type: 'string', nullable: false })).toEqual({ type: 'string' });
    expect(await nodeOf({ type: 'string', nullable: 'no' })).toEqual({ type: 'string' });
  });
});

describe('enum and const', () => {
  test.each([
    [
      { type: 'string', enum: [1, 1.5, true, 'a'] },
      { type: 'string', enum: ['1', '1.5', 'true', 'a'] },
    ],
    [
      { type: 'integer', enum: ['1', 2] },
      { type: 'integer', enum: [1, 2] },
    ],
    [
      { type: 'boolean', enum: ['true', 'false'] },
      { type: 'boolean', enum: [true, false] },
    ],
    [
      { type: 'string', enum: ['a', 'a', 'b'] },
      { type: 'string', enum: ['a', 'b'] },
    ],
    [{ enum: [1, '1', null, { a: 1 }, { a: 1 }] }, { enum: [1, '1', null, { a: 1 }] }],
    [
      { type: 'array', items: { type: 'string' }, enum: ['a', 'b'] },
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    ],
    [
      { type: 'array', items: { type: 'string' }, enum: [['a'], ['b']] },
      { type: 'array', items: { type: 'string' }, enum: [['a'], ['b']] },
    ],
    [{ const: null }, { const: null }],
    [{ const: 'a' }, { const: 'a' }],
  ])('%j is %j', async (schema, expected) => {
    expect(await nodeOf(schema, { version: '3.1.0' })).toEqual(expected);
  });

  test.each([[[]], [null], ['a'], [{}]])('%j lists nothing', async (values) => {
    expect(await convert({ type: 'string', enum: values })).toMatchObject({
      node: { type: 'string' },
      notes: ['an enum has no values; any value is accepted there'],
    });
  });

  test('values that are all of another type win over the type', async () => {
    expect(await convert({ type: 'integer', enum: ['low', 'high'] })).toMatchObject({
      node: { enum: ['low', 'high'] },
      notes: ['no value of an enum has the type beside it; the type is left out'],
    });
  });
});

describe('bounds', () => {
  test.each([
    [
      { minimum: 1, maximum: 2 },
      { minimum: 1, maximum: 2 },
    ],
    [{ minimum: '1' }, { minimum: 1 }],
    [{ minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
    [{ minimum: 1, exclusiveMinimum: false }, { minimum: 1 }],
    [{ exclusiveMinimum: true }, {}],
    [{ maximum: 9, exclusiveMaximum: true }, { exclusiveMaximum: 9 }],
    [
      { exclusiveMinimum: 1, exclusiveMaximum: 9 },
      { exclusiveMinimum: 1, exclusiveMaximum: 9 },
    ],
    [
      { minimum: 0, exclusiveMinimum: 1 },
      { minimum: 0, exclusiveMinimum: 1 },
    ],
    [{ multipleOf: 0.01 }, { multipleOf: 0.01 }],
    [
      { minLength: 1, maxLength: '5', minItems: 0, maxProperties: 3 },
      { minLength: 1, maxLength: 5, minItems: 0, maxProperties: 3 },
    ],
    [{ minimum: null }, {}],
  ])('%j is %j', async (schema, expected) => {
    expect(await nodeOf(schema)).toEqual(expected);
  });

  test.each([
    [{ minLength: -1 }, 'minLength -1 is not a non-negative integer and is left out'],
    [{ maxItems: 1.5 }, 'maxItems 1.5 is not a non-negative integer and is left out'],
    [{ minItems: 'few' }, 'minItems is not a number and is left out'],
    [{ maximum: {} }, 'maximum is not a number and is left out'],
    [{ exclusiveMinimum: 'yes' }, 'exclusiveMinimum is not a number and is left out'],
    [{ multipleOf: 0 }, 'multipleOf 0 is not above 0 and is left out'],
    [{ multipleOf: -2 }, 'multipleOf -2 is not above 0 and is left out'],
    [{ maxLength: 1e20 }, 'maxLength 100000000000000000000 is not a non-negative integer and is left out'],
  ])('%j are left out', async (schema, note) => {
    expect(await convert(schema)).toEqual({ node: {}, definitions: {}, notes: [note] });
  });
});

describe('pattern', () => {
  test.each([
    ['^[a-z]+$'],
    ['^\\d{3}$'],
    ['^[\\w\\-:]+$'],
    ['^(?:a|b)*$'],
    ['^\\p{L}+$'],
    ['^\\\\A$'],
    ['a{2}'],
  ])('%s is kept', async (pattern) => {
    expect(await nodeOf({ type: 'string', pattern })).toEqual({ type: 'string', pattern });
  });

  test.each([
    ['(?i)abc', 'the pattern "(?i)abc" is not a valid JavaScript regular expression; it is left out'],
    ['^[[:alpha:]]+$', 'the pattern "^[[:alpha:]]+$" means something else in JavaScript; it is left out'],
    ['\\Aa\\z', String.raw`the pattern "\\Aa\\z" means something else in JavaScript; it is left out`],
    [
      '\\_\\p{IsLatin}',
      String.raw`the pattern "\\_\\p{IsLatin}" means something else in JavaScript; it is left out`,
    ],
    ['^a{,3}$', 'the pattern "^a{,3}$" means something else in JavaScript; it is left out'],
    ['\\x{41}', String.raw`the pattern "\\x{41}" means something else in JavaScript; it is left out`],
    ['(', 'the pattern "(" is not a valid JavaScript regular expression; it is left out'],
    ['^(a+)+$', 'the pattern "^(a+)+$" can take very long; it is left out'],
  ])('%s is left out', async (pattern, note) => {
    expect(await convert({ type: 'string', pattern })).toEqual({
      node: { type: 'string' },
      definitions: {},
      notes: [note],
    });
  });

  test.each([
    [
      String.raw`\-`,
      '-',
      String.raw`the pattern "\\-" is not valid in Unicode mode; it is written as "-", which means the same`,
    ],
    [
      String.raw`^[\w\-\:]{2}\_\p{L}$`,
      String.raw`^[\w\-:]{2}_\p{L}$`,
      String.raw`the pattern "^[\\w\\-\\:]{2}\\_\\p{L}$" is not valid in Unicode mode; it is written as "^[\\w\\-:]{2}_\\p{L}$", which means the same`,
    ],
  ])('%s is written for Unicode mode', async (pattern, written, note) => {
    expect(await convert({ type: 'string', pattern })).toEqual({
      node: { type: 'string', pattern: written },
      definitions: {},
      notes: [note],
    });
  });

  test('a slow one is kept for texts that are short', async () => {
    const schema = { type: 'string', pattern: '^(a+)+$', maxLength: 5 };
    expect(await nodeOf(schema)).toEqual(schema);
  });

  test('values that are not strings are ignored', async () => {
    expect(await nodeOf({ pattern: 5 })).toEqual({});
    expect(await nodeOf({ pattern: '' })).toEqual({});
  });
});

describe('lists', () => {
  test.each([
    [{ type: 'array' }, { type: 'array', items: {} }],
    [{ type: ['array', 'null'] }, { type: ['array', 'null'], items: {} }],
    [
      { type: 'array', items: [] },
      { type: 'array', items: {} },
    ],
    [
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: { type: 'string' } },
    ],
    [
      { type: 'array', items: [{ type: 'string' }, true] },
      { type: 'array', prefixItems: [{ type: 'string' }, true] },
    ],
    [
      { type: 'array', prefixItems: [{ type: 'string' }], items: false },
      { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    ],
    [
      { type: 'array', contains: { type: 'string' }, minContains: 2, uniqueItems: true },
      { type: 'array', items: {}, contains: { type: 'string' }, minContains: 2, uniqueItems: true },
    ],
    [{ items: { type: 'string' } }, { items: { type: 'string' } }],
    [
      { type: 'array', items: {}, unevaluatedItems: false },
      { type: 'array', items: {}, unevaluatedItems: false },
    ],
  ])('%j is %j', async (schema, expected) => {
    expect(await nodeOf(schema, { version: '3.1.0' })).toEqual(expected);
  });

  test('items that are no schema are anything', async () => {
    expect(await convert({ type: 'array', items: 'string' })).toMatchObject({
      node: { type: 'array', items: {} },
      notes: ['a schema is not an object; any value is accepted there'],
    });
  });
});

describe('annotations', () => {
  test.each([
    [{ title: 'T' }, { title: 'T' }],
    [{ title: 'T', description: 'D' }, { description: 'D' }],
    [{ title: 5, description: {} }, {}],
    [{ format: 'date-time' }, { format: 'date-time' }],
    [{ format: 5 }, {}],
    [{ deprecated: true }, { deprecated: true }],
    [{ deprecated: 'yes' }, {}],
    [
      { contentEncoding: 'base64', contentMediaType: 'image/png' },
      { contentEncoding: 'base64', contentMediaType: 'image/png' },
    ],
    [
      { type: 'integer', default: '5' },
      { type: 'integer', default: 5 },
    ],
    [
      { type: 'string', default: 5 },
      { type: 'string', default: '5' },
    ],
    [
      { type: 'boolean', default: 'true' },
      { type: 'boolean', default: true },
    ],
    [{ default: null }, { default: null }],
    [{ example: 'Rex' }, { examples: ['Rex'] }],
    [{ examples: ['Rex', 'Tom'] }, { examples: ['Rex'] }],
    [{ example: 'Rex', default: 'Tom' }, { default: 'Tom' }],
    [{ example: { $id: 'x' } }, {}],
    [{ example: 'x'.repeat(81) }, {}],
    [{ default: { $id: 'x', $ref: '#/nowhere' } }, { default: { $id: 'x', $ref: '#/nowhere' } }],
    [{ $schema: 'http://json-schema.org/draft-04/schema#', $comment: 'x', xml: {}, 'x-y': 1 }, {}],
  ])('%j are %j', async (schema, expected) => {
    expect(await nodeOf(schema)).toEqual(expected);
  });
});
