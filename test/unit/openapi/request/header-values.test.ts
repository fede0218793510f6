import { describe, expect, test } from 'vitest';
import { ValidationError } from '../../../../src/errors/errors.ts';
import type { Parameter } from '../../../../src/openapi/model/operation.ts';
import { headerOf, parameter, planOf, useRecorder } from './recorder.ts';

const recorder = useRecorder();

async function headerWith(members: Partial<Parameter>, value: unknown): Promise<string | undefined> {
  const plan = planOf('/x', [parameter('header', 'X-Color', members)]);
  return headerOf(await recorder.send(plan, { 'X-Color': value }), 'x-color');
}

describe('the table of the specification', () => {
  test.each([
    [false, '', ''],
    [false, 'blue', 'blue'],
    [false, ['blue', 'black', 'brown'], 'blue,black,brown'],
    [false, { R: 100, G: 200, B: 150 }, 'R,100,G,200,B,150'],
    [true, '', ''],
    [true, 'blue', 'blue'],
    [true, ['blue', 'black', 'brown'], 'blue,black,brown'],
    [true, { R: 100, G: 200, B: 150 }, 'R=100,G=200,B=150'],
  ])('explode %s: %o is %s', async (explode, value, header) => {
    expect(await headerWith({ explode }, value)).toBe(header);
  });
});

test.each([
  [12345678, '12345678'],
  [true, 'true'],
  // Nothing is encoded in a header.
  ['a b/c?"d"%20', 'a b/c?"d"%20'],
  ['W/"x"', 'W/"x"'],
  ['\u00E4', '\u00E4'],
  [[{ a: 1 }, null, 2], '{"a":1},2'],
])('%j is sent as %s', async (value, header) => {
  expect(await headerWith({}, value)).toBe(header);
});

test.each([[null], [undefined], [[]], [{}], [[null]]])('%j is not sent', async (value) => {
  expect(await headerWith({}, value)).toBeUndefined();
});

test('a document is JSON in ASCII, or text', async () => {
  const contentType = 'application/json';
  expect(await headerWith({ contentType }, { a: 'b', '\u00E4': '\u{1F600}' })).toBe(
    String.raw`{"a":"b","\u00e4":"\ud83d\ude00"}`,
  );
  expect(JSON.parse((await headerWith({ contentType }, '\u00E4\n')) ?? '')).toBe('\u00E4\n');
  expect(await headerWith({ contentType: 'text/plain' }, 'a')).toBe('a');
});

test.each(['a\r\nx-evil: 1', 'a\n', '\0', '\u007F', '\u0100', '\u{1F600}'])(
  '%j is refused',
  async (value) => {
    const before = recorder.count();
    const plan = planOf('/x', [{ ...parameter('header', 'X-Color'), argument: 'color' }]);
    for (const color of [value, ['a', value], { a: value }, { [value]: 'a' }]) {
      const sent = recorder.send(plan, { color });
      await expect(sent).rejects.toThrow('The argument "color" cannot be sent in the header "X-Color": ');
      await expect(sent).rejects.toBeInstanceOf(ValidationError);
    }
    expect(recorder.count()).toBe(before);
  },
);

test('one that is required and missing is named', async () => {
  const plan = planOf('/x', [{ ...parameter('header', 'X-A', { required: true }), argument: 'a' }]);
  await expect(recorder.send(plan, {})).rejects.toThrow(
    'The argument "a" is missing: it is sent as the header "X-A".',
  );
});

test('without a body there is no content type', async () => {
  expect(headerOf(await recorder.send(planOf('/x', [], 'POST'), {}), 'content-type')).toBeUndefined();
});
