import { parse } from 'node:querystring';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PropertyEncoding, ValueStyle } from '../../../../src/openapi/model/operation.ts';
import { compileRequest } from '../../../../src/openapi/request/compile-request.ts';
import { bodyPlan, headerOf, properties, useRecorder, whole } from './recorder.ts';

const recorder = useRecorder();
const FORM = 'application/x-www-form-urlencoded';

async function formOf(
  names: readonly string[],
  input: Record<string, unknown>,
  encoding: Record<string, Partial<PropertyEncoding>> = {},
): Promise<string> {
  const recorded = await recorder.send(bodyPlan(properties(FORM, names, encoding)), input);
  expect(headerOf(recorded, 'content-type')).toBe('application/x-www-form-urlencoded');
  return recorded.body.toString('latin1');
}

const styled = (
  style: ValueStyle['style'],
  explode: boolean,
  allowReserved = false,
): Partial<PropertyEncoding> => ({
  style: { style, explode, allowReserved },
});

describe('without an encoding', () => {
  test('the example of the specification', async () => {
    const address = { streetAddress: '123 Example Dr.', city: 'Somewhere', state: 'CA', zip: '99999+1234' };
    const id = 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6';
    expect(await formOf(['id', 'address'], { address, id })).toBe(
      'id=f81d4fae-7dec-11d0-a765-00a0c91e6bf6&address=%7B%22streetAddress%22%3A%22123+Example+Dr.%22%2C%22city%22%3A%22Somewhere%22%2C%22state%22%3A%22CA%22%2C%22zip%22%3A%2299999%2B1234%22%7D',
    );
  });

  test.each([
    ['a b+c&d=e\u00E4~*', 'x=a+b%2Bc%26d%3De%C3%A4%7E*'],
    [1.5, 'x=1.5'],
    [true, 'x=true'],
    ['', 'x='],
    [[1, 'b', null], 'x=1&x=b'],
    [[{ a: 1 }], 'x=%7B%22a%22%3A1%7D'],
    [[], ''],
    [null, ''],
    [{}, 'x=%7B%7D'],
  ])('%j is %s', async (x, body) => {
    expect(await formOf(['x'], { x })).toBe(body);
  });

  test('names are encoded too', async () => {
    expect(await formOf(['a[b]', 'c d'], { 'a[b]': 1, 'c d': 2 })).toBe('a%5Bb%5D=1&c+d=2');
  });
});

describe('with a content type', () => {
  test.each([
    ['application/json', 'a', 'x=%22a%22'],
    ['application/json', [1, 'b'], 'x=1&x=%22b%22'],
    ['application/json', { a: 1 }, 'x=%7B%22a%22%3A1%7D'],
    ['text/plain', 'a', 'x=a'],
  ])('%s: %j is %s', async (contentType, x, body) => {
    expect(await formOf(['x'], { x }, { x: { contentType } })).toBe(body);
  });
});

describe('with a style', () => {
  const ARRAY = ['blue', 'black'];
  const OBJECT = { R: 100, G: 'a b' };

  test.each([
    ['form', true, ARRAY, 'color=blue&color=black'],
    ['form', true, OBJECT, 'R=100&G=a+b'],
    ['form', false, ARRAY, 'color=blue,black'],
    ['form', false, OBJECT, 'color=R,100,G,a+b'],
    ['spaceDelimited', false, ARRAY, 'color=blue+black'],
    ['pipeDelimited', false, ARRAY, 'color=blue%7Cblack'],
    ['deepObject', true, OBJECT, 'color%5BR%5D=100&color%5BG%5D=a+b'],
    ['deepObject', true, ARRAY, 'color%5B0%5D=blue&color%5B1%5D=black'],
    ['deepObject', true, 'blue', 'color=blue'],
    ['deepObject', true, { a: { b: [{ c: 1 }] } }, 'color%5Ba%5D%5Bb%5D%5B0%5D%5Bc%5D=1'],
    ['form', true, [], ''],
  ] as const)('%s, explode %s: %o is %s', async (style, explode, color, body) => {
    expect(await formOf(['color'], { color }, { color: styled(style, explode) })).toBe(body);
  });

  test('the style goes before the content type', async () => {
    const encoding = { x: { ...styled('form', true), contentType: 'application/json' } };
    expect(await formOf(['x'], { x: 'a' }, encoding)).toBe('x=a');
  });

  test('reserved characters stay where that is asked for, except for those of forms', async () => {
    const encoding = { x: styled('form', true, true) };
    expect(await formOf(['x'], { x: 'https://a.b/?c=d&e#f+g h%20i' }, encoding)).toBe(
      'x=https://a.b/?c=d%26e%23f%2Bg+h+i',
    );
  });

  test('each property has its own', async () => {
    const body = await formOf(
      ['a', 'b', '__proto__'],
      { a: [1, 2], b: { c: 1 } },
      { a: styled('form', false), b: styled('deepObject', true) },
    );
    expect(body).toBe('a=1,2&b%5Bc%5D=1');
  });
});

test('a form that is one argument is an object, or text that is written already', async () => {
  const plan = bodyPlan(whole(FORM));
  expect((await recorder.send(plan, { body: { a: 'b c', d: [1, 2] } })).body.toString()).toBe(
    'a=b+c&d=1&d=2',
  );
  expect((await recorder.send(plan, { body: 'a=b%20c' })).body.toString()).toBe('a=b%20c');
  for (const body of [7, [1], null])
    await expect(recorder.send(plan, { body })).rejects.toThrow('The argument "body" must be an object');
});

test('a file in a form is base64', async () => {
  expect(await formOf(['f@'], { f: { data: 'YWI' } })).toBe('f=YWI%3D');
});

const text = fc.string({ unit: 'grapheme', maxLength: 6 });

test('whatever the values are, servers get them back', async () => {
  const build = compileRequest(bodyPlan(properties(FORM, ['a', 'b'])), 'https://api.example.com');
  await fc.assert(
    fc.asyncProperty(text, fc.array(text, { minLength: 2, maxLength: 4 }), async (a, b) => {
      const { body } = await build({ a, b });
      const read = new URLSearchParams(String(body));
      expect([read.getAll('a'), read.getAll('b')]).toEqual([[a], b]);
      const other = parse(String(body));
      expect([other['a'], other['b']]).toEqual([a, b]);
    }),
    { numRuns: 500 },
  );
});
