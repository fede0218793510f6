import { describe, expect, test } from 'vitest';
import type { Parameter } from '../../../../src/openapi/model/operation.ts';
import { headerOf, parameter, planOf, useRecorder } from './recorder.ts';

const recorder = useRecorder();
const ARRAY = ['blue', 'black', 'brown'];
const OBJECT = { R: 100, G: 200, B: 150 };

async function cookieWith(
  members: Partial<Parameter>,
  value: unknown,
  name = 'color',
): Promise<string | undefined> {
  const plan = planOf('/x', [parameter('cookie', name, members)]);
  return headerOf(await recorder.send(plan, { [name]: value }), 'cookie');
}

/** From the section "Style Examples"; `form` with the separator of cookies. */
describe('the table of the specification', () => {
  test.each([
    ['form', false, '', 'color='],
    ['form', false, 'blue', 'color=blue'],
    ['form', false, ARRAY, 'color=blue,black,brown'],
    ['form', false, OBJECT, 'color=R,100,G,200,B,150'],
    ['form', true, '', 'color='],
    ['form', true, 'blue', 'color=blue'],
    ['form', true, ARRAY, 'color=blue; color=black; color=brown'],
    ['form', true, OBJECT, 'R=100; G=200; B=150'],
    ['cookie', false, '', 'color='],
    ['cookie', false, 'blue', 'color=blue'],
    ['cookie', true, 'blue', 'color=blue'],
    ['cookie', true, ARRAY, 'color=blue; color=black; color=brown'],
    ['cookie', true, OBJECT, 'R=100; G=200; B=150'],
  ] as const)('%s, explode %s: %o is %s', async (style, explode, value, cookie) => {
    expect(await cookieWith({ style, explode }, value)).toBe(cookie);
  });
});

test('several are one header', async () => {
  const plan = planOf('/x', [
    parameter('cookie', 'foo'),
    parameter('cookie', 'none'),
    parameter('cookie', 'bar'),
  ]);
  expect(headerOf(await recorder.send(plan, { foo: 1, bar: 'b' }), 'cookie')).toBe('foo=1; bar=b');
});

test('none are no header', async () => {
  for (const value of [null, undefined, [], {}]) expect(await cookieWith({}, value)).toBeUndefined();
});

test('the example of the specification is encoded', async () => {
  expect(await cookieWith({}, 'Hello, world!')).toBe('color=Hello%2C%20world%21');
});

test.each([
  ['a; admin=1', 'color=a%3B%20admin%3D1'],
  ['a\r\nx: y', 'color=a%0D%0Ax%3A%20y'],
  ['\u00E4"\\', 'color=%C3%A4%22%5C'],
])('%j cannot be more than one value: %s', async (value, cookie) => {
  expect(await cookieWith({}, value)).toBe(cookie);
  expect(await cookieWith({ explode: false }, [value])).toBe(cookie);
});

test('names keep what names of cookies may have', async () => {
  expect(await cookieWith({}, 1, '__Host-a.b$c!')).toBe('__Host-a.b$c!=1');
  expect(await cookieWith({}, 1, 'a b;c=d')).toBe('a%20b%3Bc%3Dd=1');
});

test('reserved characters stay where that is asked for, except for those that cookies do not have', async () => {
  expect(await cookieWith({ allowReserved: true }, "a:/?#[]@!$&'()*+=,;%20 ")).toBe(
    "color=a:/?#[]@!$&'()*+=%2C%3B%20%20",
  );
});

test('the style of cookies encodes nothing, and refuses what would need it', async () => {
  expect(await cookieWith({ style: 'cookie' }, 'Hello%2C%20world! "x"')).toBe('color=Hello%2C%20world! "x"');
  for (const value of ['a; b=1', 'a\r\nb', '\u00E4', ['a;']])
    await expect(cookieWith({ style: 'cookie' }, value)).rejects.toThrow(
      'The argument "color" cannot be sent in a cookie',
    );
});

test('a document is JSON, encoded', async () => {
  expect(await cookieWith({ contentType: 'application/json' }, { a: [1] })).toBe(
    'color=%7B%22a%22%3A%5B1%5D%7D',
  );
});

test('one that is required and missing is named', async () => {
  const plan = planOf('/x', [parameter('cookie', 'sid', { required: true })]);
  await expect(recorder.send(plan, {})).rejects.toThrow(
    'The argument "sid" is missing: it is sent as the cookie "sid".',
  );
});
