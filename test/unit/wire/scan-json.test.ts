import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findJsonProblem, findValueProblem } from '../../../src/wire/messages/scan-json.ts';

const LIMITS = { maxDepth: 4, maxNodes: 10 };
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const scan = (text: string): string | undefined => {
  const found = findJsonProblem(encode(text), LIMITS);
  return typeof found === 'string' ? found : undefined;
};

describe('a message', () => {
  test('without a problem has its values counted', () => {
    expect(findJsonProblem(encode('{"a":[1,2,{}],"b":"x,y"}'), LIMITS)).toBe(7);
  });

  test('within its bounds has no problem', () => {
    expect(scan('{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[1,2]}}')).toBeUndefined();
  });

  test.each([
    ['[[[[[1]]]]]', 'it is nested deeper than 4 levels'],
    ['{"a":{"b":{"c":{"d":{}}}}}', 'it is nested deeper than 4 levels'],
    ['[1,2,3,4,5,6,7,8,9,10]', 'it has more than 10 values'],
    ['{"id":1,"id":2}', 'it has the key "id" twice'],
    ['{"id":1,"\\u0069d":2}', 'it has the key "id" twice'],
    ['{"a":0,"b":0,"c":0,"method":1,"d":0,"method":2}', 'it has the key "method" twice'],
    ['[{"id":1},{"id":1,"id":2}]', 'it has the key "id" twice'],
    ['{"a":{"__proto__":1}}', 'it has the key "__proto__"'],
    ['{"a":{"\\u005f_proto__" : 1}}', 'it has the key "__proto__"'],
  ])('%s is refused', (text, problem) => {
    expect(scan(text)).toBe(problem);
  });

  test.each([
    ['{"ä":"€[[[[[[","😀":[[1]]}', 'other letters are letters'],
    ['{"a":"__proto__"}', 'a value may be called anything'],
    ['{"a":"[[[[[[[[[["}', 'brackets in a text are no depth'],
    ['{"a":"\\"[[[[[[[["}', 'an escaped quote does not end a text'],
    ['{"a":"\\\\","b":[[1]]}', 'an escaped backslash does not escape the quote behind it'],
    ['[{"id":1},{"id":2}]', 'each message of a batch has its own id'],
    ['{"a":{"x":1},"b":{"x":2}}', 'the same key may stand in two objects'],
    ['{"a":[{"x":1,"x":2}]}', 'only the message itself is looked at for doubles'],
    ['{"a":"unfinished', 'what is no JSON is left to the parser'],
  ])('%s passes: %s', (text) => {
    expect(scan(text)).toBeUndefined();
  });
});

test('depth is exactly that of the value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!text.includes('__proto__'));
      const problem = findJsonProblem(encode(text), { maxDepth: 3, maxNodes: 1_000_000 });
      expect(typeof problem === 'number').toBe(depthOf(value) <= 3);
    }),
  );
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('a value that the application has parsed', () => {
  test.each([
    ['[[[[[1]]]]]', 'it is nested deeper than 4 levels'],
    ['[1,2,3,4,5,6,7,8,9,10,11]', 'it has more than 10 values'],
    ['{"a":{"__proto__":1}}', 'it has the key "__proto__"'],
    ['{"a":[{"b":[1,2]}]}', undefined],
  ])('%s', (text, problem) => {
    expect(findValueProblem(JSON.parse(text), LIMITS)).toBe(problem);
  });
});

describe('empty places between whole-number keys count as values', () => {
  const limits = { maxDepth: 8, maxNodes: 50_000 };
  const many = (text: string, count: number): string =>
    `{"list":[${Array.from({ length: count }, () => text).join(',')}]}`;
  const record = (keys: readonly number[]): string =>
    JSON.stringify(Object.fromEntries(keys.map((key) => [key, 1])));
  const range = (from: number, to: number, step = 1): number[] =>
    Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

  test.each<[string, string]>([
    ['one key', '{"1023":1}'],
    ['two keys that bridge a longer list', '{"1023":1,"2575":1}'],
    ['keys that are written from the largest down', '{"2500":1,"1030":1,"1":1}'],
    ['a key that is written with an escape', '{"\\u0031023":1}'],
    ['a key within such an object', '{"1000":{"1000":1}}'],
    ['other keys before it', '{"name":"x","900":1}'],
  ])('%s', (_, text) => {
    const message = many(text, 1000);
    expect(findJsonProblem(encode(message), limits)).toBe('it has more than 50000 values');
    expect(findValueProblem(JSON.parse(message), limits)).toBe('it has more than 50000 values');
  });

  test.each<[string, string]>([
    ['a record of 5,000 ids', record(range(46_000, 50_999))],
    ['a record of the ids 1 to 1,000', record(range(1, 1000))],
    ['a record of few small ids', record(range(1, 1000, 37))],
    ['40 dense records of 1,000 ids', many(record(range(1, 1000)), 40)],
    ['1,000 records of years', many(record(range(1999, 2026)), 1000)],
    ['1,000 records of ids that are far apart', many(record([7, 48_213]), 1000)],
    ['1,000 records of two ids that are far apart', many(record([12, 1850]), 1000)],
    ['10,000 rows with numbered columns', many(record(range(0, 2)), 10_000)],
    ['texts that are numbers', many('"1023"', 40_000)],
    ['a key with leading zeros', many('{"0999":1}', 10_000)],
  ])('%s passes', (_, text) => {
    expect(typeof findJsonProblem(encode(text), limits)).toBe('number');
    expect(findValueProblem(JSON.parse(text), limits)).toBeUndefined();
  });

  test('as much as they take in memory', () => {
    // 1,552 slots, of which the value has ten, and so has each other one.
    expect(findJsonProblem(encode('{"1023":1}'), limits)).toBe(2 + 154);
  });
});
