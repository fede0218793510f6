import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAjvPath } from '../../../src/schema/ajv/ajv-path.ts';
import { loadAjvCompiler } from '../../../src/schema/ajv/ajv-compiler.ts';

describe('a path of Ajv', () => {
  const value = { a: [{ 'b c': { "d']['e": 1 } }], $: { x: 1 } };
  test.each<[string, (string | number)[]]>([
    ['', []],
    ['.a[0]["b c"]', ['a', 0, 'b c']],
    [".a[0]['b c']['d']['e']", ['a', 0, 'b c', "d']['e"]],
    ["['$']['x']", ['$', 'x']],
    ['.$.x', ['$', 'x']],
    ["['nowhere']", []],
    [".a['nowhere']", ['a']],
  ])('%s is read', (written, path) => {
    expect(parseAjvPath(written, value)).toEqual(path);
  });
});

describe('issues of a JSON Schema', () => {
  const any = { type: 'object', additionalProperties: { $ref: '#' } };

  test('say where they are, whatever the keys are', () => {
    const check = loadAjvCompiler().compile(any);
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), (keys) => {
        const value = keys.reduceRight<unknown>((inner, key) => Object.fromEntries([[key, inner]]), 1);
        expect(check(value).map(({ path }) => path)).toEqual([keys]);
      }),
    );
  });

  test('below a key of megabytes are counted, not written one by one', () => {
    const key = 'k'.repeat(3_000_000);
    const check = loadAjvCompiler().compile({ additionalProperties: { items: { type: 'string' } } });
    const issues = check({ [key]: Array.from({ length: 10 }, () => 1) });
    expect(issues.map(({ path, message }) => [path.length, message])).toEqual([
      [2, 'must be string'],
      [2, 'must be string'],
      [0, 'has 8 more problems, below keys that are too long to be shown'],
    ]);
  });
});
