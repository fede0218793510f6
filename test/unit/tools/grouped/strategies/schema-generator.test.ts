import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { assertServable } from '../../../../../src/schema/view/check-json-schema.ts';
import { joinSchemas } from '../../../../../src/schema/nodes/joined-schema.ts';
import type { SchemaNode } from '../../../../../src/schema/nodes/json-node.ts';
import type { InternalAction } from '../../../../../src/tools/grouped/action/internal-action.ts';
import {
  generateInputSchema,
  generateOutputSchema,
} from '../../../../../src/tools/grouped/strategies/schema-generator.ts';
import { fieldNames } from '../../../../../src/schema/view/root-keys.ts';
import { createAcceptance } from '../../../schema/acceptance.ts';
import { compileInput } from '../../../schema/compile.ts';
import { createAction, objectOf } from './actions.ts';

const text = { type: 'string' };
const number = { type: 'number' };

function generate(
  schemas: Readonly<Record<string, SchemaNode>>,
  commonFields: readonly string[] = [],
): SchemaNode {
  const actions = Object.entries(schemas).map(([key, inputSchema]) =>
    createAction(key, { inputSchema, commonFields }),
  );
  return generateInputSchema({ actions, discriminator: 'action' });
}

function propertiesOf(schema: SchemaNode): Record<string, unknown> {
  const { action: _action, ...fields } = schema['properties'] as Record<string, unknown>;
  return fields;
}

describe('the input schema of several actions', () => {
  test('names the action first and lists the keys in order', () => {
    const actions = [createAction('list'), createAction('create')];
    expect(generateInputSchema({ actions, discriminator: 'op' })).toEqual({
      type: 'object',
      properties: { op: { type: 'string', enum: ['list', 'create'], description: 'The action to perform.' } },
      required: ['op'],
    });
    expect(
      generateInputSchema({ actions: [createAction('users.list')], discriminator: 'op', hasGroup: true }),
    ).toMatchObject({
      properties: {
        op: { enum: ['users.list'], description: 'The action to perform, written as module.action.' },
      },
    });
  });

  test('says of each field which actions it is for, in four tiers', () => {
    const schema = generate(
      {
        list: objectOf({ tenant: text, 'limit?': number }),
        create: objectOf({ tenant: text, email: { ...text, description: "The user's email" }, id: text }),
        update: objectOf({ tenant: text, email: { ...text, description: "The user's email" }, 'id?': text }),
        search: objectOf({ tenant: text, 'limit?': number }),
      },
      ['tenant'],
    );
    expect(schema).toMatchObject({ required: ['action', 'tenant'] });
    expect(propertiesOf(schema)).toEqual({
      tenant: { type: 'string', description: '(always required)' },
      limit: { type: 'number', description: 'For: list, search' },
      email: { type: 'string', description: "The user's email. Required for: create, update" },
      id: { type: 'string', description: 'Required for: create. For: update' },
    });
  });

  test('asks only for common fields that every action requires', () => {
    const schema = generate(
      {
        a: objectOf({ tenant: { ...text, description: 'Whose.' }, own: text }),
        b: objectOf({ 'tenant?': text, own: text }),
      },
      ['tenant'],
    );
    expect(schema['required']).toEqual(['action']);
    expect(propertiesOf(schema)).toEqual({
      tenant: { type: 'string', description: 'Whose. Required for: a\nFor: b' },
      own: { type: 'string', description: 'Required for: a, b' },
    });
  });

  test('puts common fields first, then the others by first use', () => {
    const actions = [
      createAction('a', { inputSchema: objectOf({ z: text, tenant: text }), commonFields: ['tenant'] }),
      createAction('b', {
        inputSchema: objectOf({ y: text, z: text, tenant: text }),
        commonFields: ['tenant'],
      }),
    ];
    expect(Object.keys(propertiesOf(generateInputSchema({ actions, discriminator: 'action' })))).toEqual([
      'tenant',
      'z',
      'y',
    ]);
  });

  test('keeps a field that actions define differently as alternatives, each for its own actions', () => {
    const schema = generate({
      get: objectOf({ id: { ...number, description: 'A number' } }),
      find: objectOf({ 'id?': text }),
      drop: objectOf({ id: { ...number, description: 'A number' } }),
    });
    expect(propertiesOf(schema)).toEqual({
      id: {
        anyOf: [
          { type: 'number', description: 'A number. Required for: get, drop' },
          { type: 'string', description: 'For: find' },
        ],
      },
    });
  });

  test('takes schemas that differ only in words for one, and keeps the words', () => {
    const schema = generate({
      a: objectOf({
        n: { ...text, description: 'The name', title: 'Name', examples: ['Ada'], default: 'x' },
      }),
      b: objectOf({
        n: { ...text, description: 'The new name.', title: 'Name', examples: ['Ada', 'Bob'], default: 'x' },
      }),
      c: objectOf({ 'n?': { ...text, description: 'The name', title: 'Name', default: 'x' } }),
    });
    expect(propertiesOf(schema)).toEqual({
      n: {
        type: 'string',
        title: 'Name',
        default: 'x',
        examples: ['Ada', 'Bob'],
        description: 'The name. Required for: a. For: c\nThe new name. Required for: b',
      },
    });
  });

  test('drops titles and defaults that differ', () => {
    const schema = generate({
      a: objectOf({ 'n?': { ...text, title: 'A', default: 'x' } }),
      b: objectOf({ 'n?': { ...text, title: 'B' } }),
    });
    expect(propertiesOf(schema)).toEqual({ n: { type: 'string', description: 'For: a, b' } });
  });

  test('has the definitions of all actions, renamed where they clash', () => {
    const withItem = (item: SchemaNode): SchemaNode =>
      objectOf({ item: { $ref: '#/$defs/Item' } }, { $defs: { Item: item } });
    const schema = generate({ a: withItem(text), b: withItem(number), c: withItem(text) });
    expect(schema).toMatchObject({
      properties: {
        item: {
          anyOf: [
            { $ref: '#/$defs/Item', description: 'Required for: a, c' },
            { $ref: '#/$defs/Item-2', description: 'Required for: b' },
          ],
        },
      },
      $defs: { Item: text, 'Item-2': number },
    });
    expect(() => assertServable(schema, 'it')).not.toThrow();
  });

  test('takes the fields of every alternative of an action', () => {
    const union = {
      type: 'object',
      anyOf: [objectOf({ kind: { const: 'a' }, x: text }), objectOf({ kind: { const: 'b' } })],
    };
    const schema = generate({ act: union });
    expect(propertiesOf(schema)).toEqual({
      kind: {
        anyOf: [
          { const: 'a', description: 'Required for: act' },
          { const: 'b', description: 'Required for: act' },
        ],
      },
      x: { type: 'string', description: 'For: act' },
    });
  });

  test('is closed only if every action is', () => {
    const closed = objectOf({ 'a?': text }, { additionalProperties: false });
    const union = { type: 'object', anyOf: [closed, { ...closed }] };
    const evaluated = { type: 'object', allOf: [objectOf({ 'b?': text })], unevaluatedProperties: false };
    expect(generate({ x: closed, y: union, z: evaluated })).toHaveProperty('additionalProperties', false);
    const open: Record<string, SchemaNode> = {
      silent: objectOf({ 'a?': text }),
      'of some schema': objectOf({ 'a?': text }, { additionalProperties: number }),
      'by pattern': { ...closed, patternProperties: { '^x': text } },
      'in one alternative': { type: 'object', anyOf: [closed, objectOf({ 'b?': text })] },
    };
    for (const [name, schema] of Object.entries(open))
      expect([name, generate({ x: closed, y: schema })]).not.toHaveProperty('1.additionalProperties');
  });

  test('never lets a field replace the action', () => {
    const schema = generate({ a: objectOf({ 'action?': number, b: text }) });
    expect(schema).toMatchObject({ properties: { action: { type: 'string', enum: ['a'] } } });
  });

  test('is the same for the same actions', () => {
    const make = (): string =>
      JSON.stringify(generate({ a: objectOf({ x: text, 'y?': number }), b: objectOf({ y: text, x: text }) }));
    expect(make()).toBe(make());
  });
});

describe('whatever an action takes, the schema of all actions takes', () => {
  const leaf = fc.constantFrom<SchemaNode>(
    { type: 'string' },
    { type: 'string', minLength: 2, description: 'Two letters' },
    { type: 'number' },
    { enum: ['a', 1] },
    { $ref: '#/$defs/D' },
    { type: 'array', items: { $ref: '#/$defs/D' } },
    { type: 'object', properties: { x: { $ref: '#' } }, additionalProperties: false },
  );
  const fields = fc.dictionary(fc.constantFrom('x', 'y', 'z', 'x?', 'y?', 'z?'), leaf, { maxKeys: 3 });
  const object = fc
    .tuple(
      fields,
      fc.constantFrom<SchemaNode>(
        {},
        { additionalProperties: false },
        { additionalProperties: { type: 'number' } },
      ),
    )
    .map(([own, rest]) => objectOf(own, rest));
  const definition = fc.constantFrom<SchemaNode>({ type: 'string', maxLength: 1 }, { type: 'number' });
  const document = fc.oneof(
    fc.tuple(object, definition).map(([own, D]) => ({ ...own, $defs: { D } })),
    fc
      .tuple(object, object, definition)
      .map(([a, b, D]) => ({ type: 'object', anyOf: [a, b], $defs: { D } })),
    fc
      .tuple(object, object, object, definition)
      .map(([a, b, c, D]) => ({ ...a, allOf: [b, { oneOf: [c, { required: ['y'] }] }], $defs: { D } })),
    fc
      .tuple(object, object, definition)
      .map(([a, b, D]) => ({ ...a, if: { required: ['z'] }, then: b, $defs: { D } })),
    fc.tuple(object, definition).map(([E, D]) => ({ type: 'object', $ref: '#/$defs/E', $defs: { D, E } })),
  );
  const members: readonly unknown[] = [undefined, 'a', 'ab', 1, ['a'], [1], { x: { x: 'a' } }];
  const values = members.flatMap((x) => members.flatMap((y) => members.map((z) => withoutGaps({ x, y, z }))));

  test('with its own keys', () => {
    let accepted = 0;
    fc.assert(
      fc.property(document, document, (first, second) => {
        const documents: Record<string, SchemaNode> = { first, second };
        const schema = generate(documents);
        assertServable(schema, 'the schema');
        const takes = createAcceptance(schema);
        for (const [action, own] of Object.entries(documents)) {
          const takesOwn = createAcceptance(own);
          const names = fieldNames(own);
          // The server strips a key that an alternative does not list, whatever its value.
          const compiled = compileInput(own);
          for (const candidate of values) {
            if (!takesOwn(candidate) || !Object.keys(candidate).every((key) => names.includes(key))) continue;
            const kept = compiled.validate(candidate) as { ok: boolean; value?: object };
            if (!kept.ok) continue;
            accepted += 1;
            expect([action, kept.value, takes({ action, ...kept.value })]).toEqual([
              action,
              kept.value,
              true,
            ]);
          }
        }
      }),
      { numRuns: 100 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  test('also where schemas of libraries are joined', () => {
    const common = z.object({ tenant: z.string(), dryRun: z.boolean().default(false) });
    const inputs = {
      create: joinSchemas([common, z.strictObject({ email: z.email(), role: z.enum(['admin', 'guest']) })]),
      remove: joinSchemas([common, z.union([z.object({ id: z.number() }), z.object({ email: z.string() })])]),
    };
    const actions = Object.entries(inputs).map(([key, input]): InternalAction => {
      const { jsonSchema } = compileInput(input);
      return createAction(key, { inputSchema: jsonSchema, commonFields: ['tenant', 'dryRun'] });
    });
    const schema = generateInputSchema({ actions, discriminator: 'action' });
    expect(schema['required']).toEqual(['action', 'tenant']);
    expect(propertiesOf(schema)).toMatchObject({
      tenant: { type: 'string', description: '(always required)' },
      dryRun: { type: 'boolean', default: false, description: 'For: create, remove' },
      role: { enum: ['admin', 'guest'], description: 'Required for: create' },
      email: {
        anyOf: [{ format: 'email', description: 'Required for: create' }, { description: 'For: remove' }],
      },
      id: { type: 'number', description: 'For: remove' },
    });
  });
});

describe('the output schema of several actions', () => {
  const output = (key: string, outputSchema: SchemaNode | undefined): InternalAction =>
    createAction(key, { outputSchema });

  test('is missing unless every action answers with an object', () => {
    expect(generateOutputSchema([])).toBeUndefined();
    expect(
      generateOutputSchema([output('a', objectOf({ x: text })), output('b', undefined)]),
    ).toBeUndefined();
    expect(
      generateOutputSchema([output('a', objectOf({ x: text })), output('b', { type: 'array' })]),
    ).toBeUndefined();
  });

  test('is the schema itself when all say the same', () => {
    const schema = objectOf({ x: { $ref: '#/$defs/X' } }, { $defs: { X: text } });
    expect(generateOutputSchema([output('a', schema), output('b', { ...schema })])).toBe(schema);
  });

  test('is the choice between the different ones', () => {
    const withX = (item: SchemaNode): SchemaNode =>
      objectOf({ x: { $ref: '#/$defs/X' } }, { $defs: { X: item } });
    const schema = generateOutputSchema([
      output('a', withX(text)),
      output('b', withX(number)),
      output('c', withX(text)),
    ]);
    expect(schema).toEqual({
      type: 'object',
      anyOf: [objectOf({ x: { $ref: '#/$defs/X' } }), objectOf({ x: { $ref: '#/$defs/X-2' } })],
      $defs: { X: text, 'X-2': number },
    });
  });
});

function withoutGaps(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}
