import { describe, expect, test } from 'vitest';
import { compileInput, run, validate } from './compile.ts';
import { NOTE_SCHEMAS } from './libraries.ts';

const VALID = {
  title: 'Milk',
  limit: 3,
  author: { name: 'Ada', age: 36 },
  tags: [{ label: 'shop' }, { label: 'food' }],
};

/** Valid except for one unknown key at every depth. */
const STRANGERS = {
  title: 'Milk',
  colour: 'red',
  limit: 3,
  author: { name: 'Ada', agge: 36 },
  tags: [{ label: 'shop' }, { label: 'food', size: 1 }],
};

describe.each(Object.entries(NOTE_SCHEMAS))('the same schema in %s', (_, schema) => {
  test('valid input passes unchanged', () => {
    expect(run(schema, VALID)).toEqual({ ok: true, value: VALID });
  });

  test('a field with a default is advertised as optional and may be left out', () => {
    const compiled = compileInput(schema);
    expect(new Set(compiled.jsonSchema['required'] as string[])).toEqual(new Set(['title', 'author']));
    expect(validate(compiled, { title: 'Milk', author: { name: 'Ada' } }).ok).toBe(true);
  });

  test('the advertised root is an object of the 2020-12 dialect', () => {
    const { jsonSchema } = compileInput(schema);
    expect(jsonSchema['type']).toBe('object');
    expect([undefined, 'https://json-schema.org/draft/2020-12/schema']).toContain(jsonSchema['$schema']);
  });

  test('the advertised document is frozen at every depth', () => {
    const { jsonSchema } = compileInput(schema);
    const { properties } = jsonSchema as { properties: { title: object } };
    expect([jsonSchema, properties, properties.title].map((part) => Object.isFrozen(part))).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('a missing field is reported at its path, with what was expected', () => {
    const result = run(schema, { author: { name: 'Ada' } });
    expect(result).toMatchObject({
      ok: false,
      issues: [{ path: ['title'], expected: 'string', received: 'nothing' }],
    });
  });

  test('a wrong type is reported with what was expected and what came', () => {
    const result = run(schema, { ...VALID, limit: 'many' });
    expect(result).toMatchObject({
      ok: false,
      issues: [{ path: ['limit'], expected: 'number', received: '"many" (string)' }],
    });
  });

  test('an error in an object in a list is reported at its nested path', () => {
    const result = run(schema, { ...VALID, tags: [{ label: 'shop' }, { label: 7 }] });
    expect(result).toMatchObject({
      ok: false,
      issues: [{ path: ['tags', 1, 'label'], expected: 'string', received: '7 (number)' }],
    });
  });

  test('every problem is reported, not only the first', () => {
    const result = run(schema, { title: 1, limit: 'x', author: {}, tags: [{}] });
    const paths = result.ok ? [] : result.issues.map((issue) => issue.path.join('.'));
    expect(paths.toSorted()).toEqual(['author.name', 'limit', 'tags.0.label', 'title']);
  });

  test('unknown keys are stripped by default, at every depth', () => {
    expect(run(schema, STRANGERS)).toEqual({
      ok: true,
      value: {
        title: 'Milk',
        limit: 3,
        author: { name: 'Ada' },
        tags: [{ label: 'shop' }, { label: 'food' }],
      },
    });
  });

  test('stripping does not change what the caller sent', () => {
    const sent = structuredClone(STRANGERS);
    run(schema, sent);
    expect(sent).toEqual(STRANGERS);
  });

  test('in reject mode an unknown key is named together with the allowed ones, at every depth', () => {
    const result = run(schema, STRANGERS, { unknownArguments: 'reject' });
    const issues = result.ok ? [] : result.issues.map(({ path, message }) => ({ path, message }));
    expect(issues).toHaveLength(3);
    expect(issues).toContainEqual({
      path: ['tags', 1, 'size'],
      message: 'is not a known argument. Allowed: label.',
    });
    expect(issues).toContainEqual({
      path: ['author', 'agge'],
      message: 'is not a known argument. Did you mean "age"? Allowed: name, age.',
    });
    const root = issues.find((issue) => issue.path.length === 1);
    expect(root?.path).toEqual(['colour']);
    expect(root?.message).toMatch(/^is not a known argument\. Allowed: \w+, \w+, \w+, \w+\.$/);
    for (const name of ['title', 'limit', 'author', 'tags']) expect(root?.message).toContain(name);
  });

  test('in reject mode an unknown key does not hide other problems', () => {
    const result = run(schema, { ...VALID, limit: 'x', z: 1 }, { unknownArguments: 'reject' });
    expect(result.ok ? [] : result.issues.map((issue) => issue.path)).toEqual([['z'], ['limit']]);
  });

  test('reject mode advertises additionalProperties: false at every depth', () => {
    const { jsonSchema } = compileInput(schema, { unknownArguments: 'reject' });
    expect(jsonSchema).toMatchObject({
      additionalProperties: false,
      properties: {
        author: { additionalProperties: false },
        tags: { items: { additionalProperties: false } },
      },
    });
  });

  test('strip mode advertises no additionalProperties', () => {
    expect(JSON.stringify(compileInput(schema).jsonSchema)).not.toContain('additionalProperties');
  });

  test('a list in place of an object is refused', () => {
    const result = run(schema, { ...VALID, author: [] });
    expect(result).toMatchObject({ ok: false });
    expect(run(schema, []).ok).toBe(false);
    expect(run(schema, 'text').ok).toBe(false);
    expect(run(schema, null).ok).toBe(false);
  });

  test('a member called __proto__ is an unknown key like any other', () => {
    const sent: unknown = JSON.parse(
      '{"title":"Milk","author":{"name":"Ada","__proto__":{"admin":true}},"__proto__":{"admin":true}}',
    );
    const stripped = run(schema, sent);
    expect(stripped.ok).toBe(true);
    const value = stripped.ok ? (stripped.value as { author: object }) : { author: {} };
    expect(Object.keys(value.author)).toEqual(['name']);
    expect(Object.getPrototypeOf(value.author)).toBe(Object.prototype);
    expect('admin' in value || 'admin' in value.author).toBe(false);
    const rejected = run(schema, sent, { unknownArguments: 'reject' });
    const paths = rejected.ok ? [] : rejected.issues.map((issue) => issue.path);
    expect(paths).toContainEqual(['__proto__']);
    expect(paths).toContainEqual(['author', '__proto__']);
  });

  test('hasArgument knows the names at the root and no others', () => {
    const compiled = compileInput(schema);
    const names = ['title', 'limit', 'author', 'tags', 'name', 'minify', 'toString', '__proto__'];
    expect(names.filter((name) => compiled.hasArgument(name))).toEqual(['title', 'limit', 'author', 'tags']);
  });
});

describe('defaults', () => {
  test.each([
    ['zod', 10],
    ['arktype', 10],
    ['valibot', 10],
    // In JSON Schema a default is an annotation; it is not filled in.
    ['json-schema', undefined],
  ])('%s hands the handler a default of %s', (library, expected) => {
    const result = run(NOTE_SCHEMAS[library], { title: 'Milk', author: { name: 'Ada' } });
    expect(result.ok ? (result.value as { limit?: number }).limit : 'invalid').toBe(expected);
  });
});
