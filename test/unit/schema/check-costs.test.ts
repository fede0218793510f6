import { describe, expect, test } from 'vitest';
import { ToolRegistry } from '../../../src/index.ts';
import { compileInput, run, validate } from './compile.ts';

type Json = Record<string, unknown>;

const TOO_EXPENSIVE =
  'takes too many steps to validate, because its schema nests alternatives. Nest it less deeply, or send fewer elements';

/** Counts the reads of a value. Too many end the test, because a check in exponential time would never end. */
function counted(leaf: object, most: number): { value: object; reads: () => number } {
  let reads = 0;
  const count = (): void => {
    reads += 1;
    if (reads > most) throw new Error('read too often');
  };
  const value = new Proxy(leaf, {
    get: (target, key): unknown => {
      count();
      return Reflect.get(target, key);
    },
    has: (target, key) => {
      count();
      return Reflect.has(target, key);
    },
    getOwnPropertyDescriptor: (target, key) => {
      count();
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
    ownKeys: (target) => {
      count();
      return Reflect.ownKeys(target);
    },
  });
  return { value, reads: () => reads };
}

const deep = (leaf: unknown, depth = 60): unknown => {
  let value = leaf;
  for (let level = 0; level < depth; level += 1) value = { next: value };
  return value;
};

const REF = { $ref: '#/$defs/node' };
const step = { type: 'object', properties: { next: REF }, required: ['next'] };
const end = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const withNode = (node: Json): Json => ({
  type: 'object',
  properties: { root: REF, mode: { const: 'safe' } },
  $defs: { node },
});

/** Each of them validates every lower level more than once. */
const RECURSIONS: Readonly<Record<string, Json>> = {
  anyOf: { anyOf: [step, { ...step, title: 'other' }, end] },
  allOf: {
    allOf: [{ properties: { next: REF } }, { properties: { next: REF } }],
    properties: end.properties,
  },
  'if, then and else': {
    if: { properties: { next: REF } },
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema.
    then: { properties: { next: REF } },
    else: { properties: { next: REF } },
    properties: end.properties,
  },
  not: { not: { required: ['x'], properties: { next: REF } }, properties: { next: REF, ...end.properties } },
  patternProperties: { patternProperties: { ne: REF, xt: REF }, properties: end.properties },
  dependentSchemas: {
    dependentSchemas: { next: { properties: { next: REF } } },
    properties: { next: REF, ...end.properties },
  },
};

describe('a schema that refers to itself more than once', () => {
  test.each(Object.entries(RECURSIONS))('by %s is checked in linear time', (_, node) => {
    const schema = compileInput(withNode(node), { unknownArguments: 'keep' });
    const good = counted({ n: 1 }, 20_000);
    expect(validate(schema, { root: deep(good.value), mode: 'safe' }).ok).toBe(true);
    const bad = counted({ n: 'x' }, 20_000);
    expect(validate(schema, { root: deep(bad.value), mode: 'safe' }).ok).toBe(false);
    expect(good.reads() + bad.reads()).toBeGreaterThan(0);
  });

  test('by oneOf is checked in linear time', () => {
    const { value } = counted({ n: 1 }, 20_000);
    const one = withNode({ oneOf: [step, end] });
    expect(run(one, { root: deep(value), mode: 'safe' }).ok).toBe(true);
    const two = withNode({ oneOf: [step, { ...step, title: 'other' }, end] });
    expect(run(two, { root: deep(value), mode: 'safe' }).ok).toBe(false);
  });

  test('by contains is checked in linear time', () => {
    const list = { type: ['array', 'integer'], items: REF, contains: REF };
    let value: unknown = counted([1], 20_000).value;
    for (let level = 0; level < 60; level += 1) value = [value];
    expect(run(withNode(list), { root: value, mode: 'safe' })).toMatchObject({ ok: true });
  });

  test('from anywhere, also from a keyword that holds no schemas, is checked in linear time', () => {
    const ref = { $ref: '#/x-parts/node' };
    const part = { type: 'object', properties: { next: ref }, required: ['next'] };
    const schema = {
      type: 'object',
      properties: { root: ref },
      'x-parts': { node: { anyOf: [part, { ...part, title: 'other' }, end] } },
    };
    const { value } = counted({ n: 'x' }, 20_000);
    expect(run(schema, { root: deep(value) }).ok).toBe(false);
  });

  test('with a pattern whose texts are bounded is looked through in linear time as well', () => {
    const named = { type: 'object', properties: { n: { type: 'string', pattern: '^\\d*\\.?\\d*$' } } };
    const { value } = counted({ n: 'x'.repeat(5000) }, 20_000);
    const schema = withNode({ anyOf: [step, { ...step, title: 'other' }, named] });
    expect(run(schema, { root: deep(value), mode: 'safe' }).ok).toBe(false);
  });

  test('complains of each thing once', () => {
    const result = run(withNode(RECURSIONS['anyOf'] ?? {}), { root: deep({ n: 'x' }, 12), mode: 'safe' });
    const issues = result.ok ? [] : result.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    expect(issues).toContain(`root.${'next.'.repeat(12)}n must be integer`);
    expect(new Set(issues).size).toBe(issues.length);
  });
});

/** These checks depend on the path to a value, so results cannot be cached. */
const BOUNDED: Readonly<Record<string, Json>> = {
  $dynamicRef: {
    $dynamicAnchor: 'node',
    type: 'object',
    properties: { mode: { const: 'safe' } },
    anyOf: ['a', 'b'].map((title) => ({
      title,
      properties: { next: { $dynamicRef: '#node' } },
      required: ['next'],
    })),
  },
  unevaluatedProperties: {
    type: 'object',
    anyOf: ['a', 'b'].map((title) => ({
      title,
      properties: { next: { $ref: '#' }, mode: { const: 'safe' } },
      required: ['next'],
    })),
    unevaluatedProperties: false,
  },
};

describe('a check that would take for ever', () => {
  test.each(Object.entries(BOUNDED))('by %s is given up, and the value refused', (_, schema) => {
    const { value } = counted({}, 150_000);
    const result = run(schema, { ...(deep(value) as object), mode: 'danger' }, { unknownArguments: 'keep' });
    expect(result.ok ? [] : result.issues).toMatchObject([{ path: [], message: TOO_EXPENSIVE }]);
  });

  test('is an invalid output where a handler returned the value', async () => {
    const registry = new ToolRegistry();
    registry.register({
      name: 'make',
      description: 'Makes a deep value',
      inputSchema: { type: 'object' },
      outputSchema: BOUNDED['$dynamicRef'] as never,
      handler: () => deep({}) as never,
    });
    const { _meta, isError } = await registry.executeTool({ name: 'make', arguments: {} });
    expect(isError).toBe(true);
    expect(_meta).toMatchObject({ 'toolwright/error': { code: 'INVALID_OUTPUT' } });
  });

  test('a long value is checked however long it is', () => {
    const schema = {
      type: 'object',
      properties: { list: { type: 'array', items: { $ref: '#/$defs/item' } } },
      $defs: {
        item: { anyOf: Array.from({ length: 8 }, (_, n) => ({ const: n })), unevaluatedItems: false },
      },
    };
    const list = Array.from({ length: 40_000 }, () => 7);
    expect(run(schema, { list }).ok).toBe(true);
    expect(run(schema, { list: [...list, 8] }).ok).toBe(false);
  });
});

describe('equal values', () => {
  const unique = { type: 'object', properties: { list: { type: 'array', uniqueItems: true } } };
  const isUnique = (...list: unknown[]): boolean => run(unique, { list }).ok;

  test('are found whatever the order of their keys', () => {
    expect(isUnique({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(false);
    expect(isUnique(1, 1.0)).toBe(false);
    expect(isUnique('a', 'a')).toBe(false);
    expect(isUnique(null, null)).toBe(false);
  });

  test('are distinguished by type and by structure', () => {
    expect(isUnique(1, '1', true, 'true', null, 'null', [], {}, '', 0, false)).toBe(true);
    expect(isUnique(['a,b'], ['a', 'b'], ['a"', 'b'], ['a', '"b'])).toBe(true);
    expect(isUnique({ a: { b: 1 } }, { 'a:{b': 1 }, { a: '{"b":1}' })).toBe(true);
    expect(isUnique({ __proto__: 1 }, {})).toBe(false);
    expect(isUnique(JSON.parse('{"__proto__":1}'), {})).toBe(true);
  });

  test('are looked for by reading each element a few times', () => {
    const elements = Array.from({ length: 300 }, (_, id) => counted({ id, name: 'n' }, 50));
    const result = run(unique, { list: elements.map(({ value }) => value) }, { unknownArguments: 'keep' });
    expect(result.ok).toBe(true);
  });

  test('are looked for in long enumerations by reading a value a few times', () => {
    const values = Array.from({ length: 3000 }, (_, id) => ({ id, list: [id] }));
    const schema = { type: 'object', properties: { v: { enum: values } } };
    const { value } = counted({ list: [2999], id: 2999 }, 50);
    expect(run(schema, { v: value }, { unknownArguments: 'keep' }).ok).toBe(true);
    const { value: other } = counted({ list: [2998], id: 2999 }, 50);
    expect(run(schema, { v: other }, { unknownArguments: 'keep' }).ok).toBe(false);
  });
  test.each(['anyOf', 'oneOf'])('are looked for among constants with titles, by %s, as well', (keyword) => {
    const values = Array.from({ length: 3000 }, (_, id) => ({ const: { id }, title: `No. ${id}` }));
    const schema = { type: 'object', properties: { v: { [keyword]: values } } };
    const { value } = counted({ id: 2999 }, 50);
    expect(run(schema, { v: value }, { unknownArguments: 'keep' }).ok).toBe(true);
    const { value: other } = counted({ id: 3000 }, 50);
    expect(run(schema, { v: other }, { unknownArguments: 'keep' }).ok).toBe(false);
  });

  test('that occur twice in oneOf match neither', () => {
    const schema = {
      type: 'object',
      properties: { v: { oneOf: [{ const: 1 }, { const: 1 }, { const: 2 }] } },
    };
    expect([run(schema, { v: 1 }).ok, run(schema, { v: 2 }).ok]).toEqual([false, true]);
  });
});
