import { type } from 'arktype';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonSchemaCompiler } from '../../../src/schema/issues/json-schema-compiler.ts';
import { compileInput, run, validate } from './compile.ts';
import { unknownArgument } from '../../support/refused.ts';

const override = {
  type: 'object',
  properties: { a: { type: 'string', maxLength: 3 }, n: { type: 'number' } },
  required: ['a'],
};

describe('an override of what is advertised', () => {
  const schema = z.object({ a: z.string().min(2), n: z.number().default(5), hidden: z.string().optional() });

  test('is advertised in place of what the library says', () => {
    expect(compileInput(schema, { override }).jsonSchema).toEqual(override);
  });

  test('is enforced', () => {
    expect(run(schema, { a: 'long' }, { override })).toMatchObject({
      issues: [{ path: ['a'], expected: 'string of at most 3 characters' }],
    });
  });

  test("leaves the library's own checks and transforms in force", () => {
    expect(run(schema, { a: 'x' }, { override })).toMatchObject({ ok: false, issues: [{ path: ['a'] }] });
    expect(run(schema, { a: 'xy' }, { override })).toEqual({ ok: true, value: { a: 'xy', n: 5 } });
  });

  test('decides which keys are known', () => {
    const sent = { a: 'xy', n: 1, hidden: 'h' };
    expect(run(schema, sent, { override })).toEqual({ ok: true, value: { a: 'xy', n: 1 } });
    expect(run(schema, sent, { override, unknownArguments: 'reject' })).toMatchObject({
      issues: [{ path: ['hidden'], message: unknownArgument('a', 'n') }],
    });
  });

  test('is enforced together with a raw JSON Schema, too', () => {
    const raw = { type: 'object', properties: { a: { type: 'string', minLength: 2 } } };
    expect(run(raw, { a: 'x' }, { override }).ok).toBe(false);
    expect(run(raw, { a: 'long' }, { override }).ok).toBe(false);
    expect(run(raw, { a: 'xy' }, { override }).ok).toBe(true);
  });

  test('makes a library usable that cannot say itself as JSON Schema', () => {
    const silent = {
      '~standard': { version: 1, vendor: 'silent', validate: (value: unknown) => ({ value }) },
    };
    expect(run(silent, { a: 'xy' }, { override })).toEqual({ ok: true, value: { a: 'xy' } });
    expect(run(silent, { a: 7 }, { override }).ok).toBe(false);
  });

  test('does not replace a missing schema', () => {
    expect(() => compileInput({ nonsense: true }, { override })).toThrow('is neither a Standard Schema');
  });

  test('is held to the same rules as any other document', () => {
    expect(() => compileInput(schema, { override: { type: 'string' } })).toThrow('must describe an object');
  });
});

describe('supplied arguments', () => {
  test.each([
    ['zod', z.object({ user: z.string(), a: z.string() })],
    ['arktype', type({ user: 'string', a: 'string' })],
    [
      'json-schema',
      {
        type: 'object',
        properties: { user: { type: 'string' }, a: { type: 'string' } },
        required: ['user', 'a'],
      },
    ],
  ])('are advertised as optional and still enforced (%s)', (_, schema) => {
    const compiled = compileInput(schema, { suppliedArguments: ['user'] });
    expect(compiled.jsonSchema['required']).toEqual(['a']);
    expect(validate(compiled, { a: 's' })).toMatchObject({ ok: false, issues: [{ path: ['user'] }] });
    expect(validate(compiled, { a: 's', user: 'ada' })).toEqual({ ok: true, value: { a: 's', user: 'ada' } });
  });

  test('the list of required arguments goes when nothing is left of it', () => {
    const compiled = compileInput(z.object({ user: z.string() }), { suppliedArguments: ['user'] });
    expect('required' in compiled.jsonSchema).toBe(false);
  });

  test('are optional in every alternative of a union, and only at the root', () => {
    const account = z.object({ user: z.string() });
    const schema = z.union([
      z.object({ user: z.string(), a: account }),
      z.object({ user: z.string(), b: z.string() }),
    ]);
    const { jsonSchema } = compileInput(schema, { suppliedArguments: ['user'] });
    expect(jsonSchema).toMatchObject({
      anyOf: [{ required: ['a'], properties: { a: { required: ['user'] } } }, { required: ['b'] }],
    });
  });

  test('are optional where a condition asks for them', () => {
    const schema = {
      type: 'object',
      properties: { user: { type: 'string' }, kind: { type: 'string' } },
      if: { required: ['kind'] },
      then: { required: ['user', 'kind'] },
      else: { required: ['user'] },
    };
    const { jsonSchema } = compileInput(schema, { suppliedArguments: ['user'] });
    expect(jsonSchema).toMatchObject({ if: { required: ['kind'] }, then: { required: ['kind'] }, else: {} });
    expect(jsonSchema['else']).toEqual({});
  });

  test('are optional where another argument asks for them', () => {
    const schema = {
      type: 'object',
      properties: { user: { type: 'string' }, kind: { type: 'string' } },
      dependentSchemas: { kind: { required: ['user'] } },
    };
    const { jsonSchema } = compileInput(schema, { suppliedArguments: ['user'] });
    expect(jsonSchema['dependentSchemas']).toEqual({ kind: {} });
  });

  test('leave a reference alone that does not ask for them', () => {
    const schema = {
      type: 'object',
      properties: { user: { type: 'string' } },
      required: ['user'],
      allOf: [{ $ref: '#/$defs/Paging' }],
      $defs: { Paging: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] } },
    };
    const { jsonSchema } = compileInput(schema, { suppliedArguments: ['user'] });
    expect(jsonSchema).toEqual({
      type: 'object',
      properties: { user: { type: 'string' } },
      allOf: [{ $ref: '#/$defs/Paging' }],
      $defs: { Paging: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] } },
    });
  });

  test('are optional behind a reference, without changing the definition for others', () => {
    const schema = {
      $ref: '#/$defs/User',
      $defs: {
        User: {
          type: 'object',
          properties: { user: { type: 'string' }, boss: { $ref: '#/$defs/User' } },
          required: ['user'],
        },
      },
    };
    for (const unknownArguments of ['strip', 'reject'] as const) {
      const { jsonSchema } = compileInput(schema, { suppliedArguments: ['user'], unknownArguments });
      expect(jsonSchema).toMatchObject({ $defs: { User: { required: ['user'] } } });
      const [root] = jsonSchema['allOf'] as [object];
      expect('required' in root).toBe(false);
    }
  });
});

describe('validators', () => {
  test('a synchronous library is answered synchronously', () => {
    expect(compileInput(z.object({})).validate({})).toEqual({ ok: true, value: {} });
  });

  test('an asynchronous check is awaited, and its issues are explained', async () => {
    const schema = z.object({ a: z.string().refine(async (text) => text === 'yes', 'must be yes') });
    const compiled = compileInput(schema, { unknownArguments: 'reject' });
    await expect(compiled.validate({ a: 'yes' })).resolves.toEqual({ ok: true, value: { a: 'yes' } });
    const failed = await compiled.validate({ a: 'no', z: 1 });
    expect(failed).toMatchObject({
      issues: [{ path: ['z'] }, { path: ['a'], message: 'must be yes', received: '"no" (string)' }],
    });
  });

  test('transforms and defaults of the library reach the handler', () => {
    const schema = z.object({ day: z.string().transform((text) => text.length) });
    expect(run(schema, { day: 'abc' })).toEqual({ ok: true, value: { day: 3 } });
  });

  test('the output side advertises what comes out, and strips nothing itself', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const compiled = compileInput(schema, { side: 'output' });
    expect(compiled.jsonSchema).toEqual(schema);
    expect(validate(compiled, { a: 's', more: 1 })).toEqual({ ok: true, value: { a: 's', more: 1 } });
    const zod = compileInput(z.object({ n: z.number().default(1) }), { side: 'output' });
    expect(zod.jsonSchema['required']).toEqual(['n']);
  });

  test('a JSON Schema is compiled on the first call and kept', () => {
    let compiled = 0;
    const compiler: JsonSchemaCompiler = {
      findProblem: () => undefined,
      compile: () => {
        compiled += 1;
        return () => [];
      },
    };
    const schema = compileInput({ type: 'object' }, { jsonSchemaCompiler: () => compiler });
    expect(compiled).toBe(0);
    validate(schema, {});
    validate(schema, {});
    expect(compiled).toBe(1);
  });

  test('a library schema needs no JSON Schema compiler', () => {
    const options = {
      unknownArguments: 'reject' as const,
      jsonSchemaCompiler: (): never => {
        throw new Error('not needed');
      },
    };
    expect(run(z.object({ a: z.string() }), { a: 's' }, options).ok).toBe(true);
  });

  test('the document the author holds is neither frozen nor advertised itself', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const { jsonSchema } = compileInput(schema);
    schema.properties.a.type = 'number';
    expect(jsonSchema).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
  });
});

test('complaints of the override and of the schema behind it are reported together, one a place', () => {
  const compiled = compileInput(z.object({ a: z.string().min(3), b: z.number() }), {
    override: { type: 'object', properties: { a: { type: 'string', maxLength: 1 }, b: {} } },
  });
  const result = validate(compiled, { a: 'xx', b: 'two' });
  expect(result.ok ? [] : result.issues.map(({ path, message }) => [path, message])).toEqual([
    [['a'], 'must NOT have more than 1 characters'],
    [['b'], 'Invalid input: expected number, received string'],
  ]);
});
