import { describe, expect, test } from 'vitest';
import { cloneJson, isEqualJson } from '../../../../src/model/converters/mcp/json.ts';

describe('equality', () => {
  test.each([
    ['the same members in another order', { a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 }],
    [
      'equal members called __proto__',
      JSON.parse('{"__proto__":{"a":1}}'),
      JSON.parse('{"__proto__":{"a":1}}'),
    ],
    ['two empty lists', [], []],
  ])('holds for %s', (_, left, right) => {
    expect(isEqualJson(left, right)).toBe(true);
    expect(isEqualJson(right, left)).toBe(true);
  });

  test.each([
    ['a list and a longer one', [1], [1, 2]],
    ['a list in another order', [1, 2], [2, 1]],
    ['an object and one with a member more', { a: 1 }, { a: 1, b: 2 }],
    ['an undefined member and another one', { a: undefined }, { b: undefined }],
    ['a list and an object', [], {}],
    ['null and an object', null, {}],
    ['a number and its text', 1, '1'],
    ['zero and minus zero', 0, -0],
    ['an own member and an inherited one', JSON.parse('{"__proto__":{}}'), { a: {} }],
  ])('does not hold for %s', (_, left, right) => {
    expect(isEqualJson(left, right)).toBe(false);
    expect(isEqualJson(right, left)).toBe(false);
  });
});

describe('copying', () => {
  test('reaches every list and every plain object', () => {
    const original = { list: [{ deep: [1] }] };
    const copy = cloneJson(original);
    original.list[0]?.deep.push(2);
    original.list.push({ deep: [] });
    expect(copy).toEqual({ list: [{ deep: [1] }] });
  });

  test('shares what is not JSON', () => {
    const when = new Date(0);
    expect(cloneJson({ when }).when).toBe(when);
  });
});
