import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findJsonProblem, findValueProblem } from '../../../src/wire/scan-json.ts';

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

describe('a value that somebody else has parsed', () => {
  test.each([
    ['[[[[[1]]]]]', 'it is nested deeper than 4 levels'],
    ['[1,2,3,4,5,6,7,8,9,10,11]', 'it has more than 10 values'],
    ['{"a":{"__proto__":1}}', 'it has the key "__proto__"'],
    ['{"a":[{"b":[1,2]}]}', undefined],
  ])('%s', (text, problem) => {
    expect(findValueProblem(JSON.parse(text), LIMITS)).toBe(problem);
  });
});
