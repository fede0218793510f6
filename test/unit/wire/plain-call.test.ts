import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeMessage } from '../../../src/wire/messages/decode.ts';
import { readPlainCall } from '../../../src/wire/messages/plain-call.ts';
import { findJsonProblem } from '../../../src/wire/messages/scan-json.ts';

const LIMITS = { maxDepth: 8, maxNodes: 1000 };

const PARAMS = '{"name":"add","arguments":{"a":1,"b":[2]}}';
const CALL = {
  kind: 'request',
  id: 7,
  method: 'tools/call',
  params: { name: 'add', arguments: { a: 1, b: [2] } },
};

describe('a call as clients write it is read at once', () => {
  test.each([
    ['id first', `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${PARAMS}}`],
    ['method first', `{"method":"tools/call","params":${PARAMS},"jsonrpc":"2.0","id":7}`],
    [
      'with space in what the client chose',
      `{"method":"tools/call","params":{ "name": "add", "arguments": {"a":1,"b":[2]} },"jsonrpc":"2.0","id":7}`,
    ],
  ])('%s', (_, text) => {
    expect(readPlainCall(text, LIMITS)).toEqual({ ...CALL, weight: text.length * 12 });
  });

  test('with an id of fifteen digits', () => {
    const text = `{"jsonrpc":"2.0","id":999999999999999,"method":"tools/call","params":{}}`;
    expect(readPlainCall(text, LIMITS)?.id).toBe(999_999_999_999_999);
  });
});

const idFirst = (id: string, params: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;
const methodFirst = (id: string, params: string): string =>
  `{"method":"tools/call","params":${params},"jsonrpc":"2.0","id":${id}}`;

describe.each([
  ['id first', idFirst],
  ['method first', methodFirst],
])('what is doubtful is left to the full reading, %s', (_, write) => {
  test.each([
    ['an id with a leading zero', write('07', '{}')],
    ['an id of sixteen digits', write('9999999999999999', '{}')],
    ['a negative id', write('-1', '{}')],
    ['an id with an exponent', write('1e2', '{}')],
    ['no id', write('', '{}')],
    ['an id that is text', write('"7"', '{}')],
    ['params that are a list', write('7', '[]')],
    ['params that are no JSON', write('7', '{"a":}')],
    ['params that end early', write('7', '{"a":1},"id":8')],
    ['a second id', write('7', '{},"id":8,"x":{}')],
    ['an escape', write('7', String.raw`{"\u005f_proto__":1}`)],
    ['a key that leads to the prototype', write('7', '{"__proto__":1}')],
    ['a constructor', write('7', '{"constructor":{"prototype":1}}')],
    ['more levels than allowed', write('7', `{"a":${'['.repeat(8)}${']'.repeat(8)}}`)],
    ['more text than values are allowed', write('7', `{"a":"${'x'.repeat(1000)}"}`)],
    ['something behind it', `${write('7', '{}')} `],
    ['something before it', ` ${write('7', '{}')}`],
    ['no end', write('7', '{}').slice(0, -1)],
  ])('%s', (__, text) => {
    expect(readPlainCall(text, LIMITS)).toBeUndefined();
  });
});

test('other methods are', () => {
  expect(readPlainCall('{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}}', LIMITS)).toBeUndefined();
});

/** Fragments of which something close to a call is put together, often enough a real one. */
const FRAGMENTS = [
  '{"jsonrpc":"2.0","id":',
  '{"method":"tools/call","params":',
  ',"method":"tools/call","params":',
  ',"jsonrpc":"2.0","id":',
  '{"a":[1,{"b":"c"}]}',
  '{"__proto__":1}',
  '{"constructor":{"prototype":1}}',
  '{',
  '}',
  '[',
  ']',
  '"',
  '\\',
  ',',
  '"id":3',
  '7',
  '0',
  '12',
  ' ',
  '{}',
  'null',
];

test('what is read at once is read in full the same way', () => {
  let atOnce = 0;
  const message = fc.oneof(
    fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 9 }).map((parts) => parts.join('')),
    fc
      .tuple(fc.nat(), fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), fc.boolean())
      .map(([id, params, isFirst]) => (isFirst ? idFirst : methodFirst)(String(id), JSON.stringify(params))),
  );
  fc.assert(
    fc.property(message, (text) => {
      const limits = { maxDepth: 4, maxNodes: 200 };
      const read = readPlainCall(text, limits);
      if (read === undefined) return;
      atOnce += 1;
      expect(findJsonProblem(new TextEncoder().encode(text), limits)).toBeTypeOf('number');
      const { jsonrpc, ...rest } = JSON.parse(text) as Record<string, unknown>;
      const { weight: _weight, ...same } = read;
      expect({ jsonrpc, kind: 'request', ...rest }).toEqual({ jsonrpc: '2.0', ...same });
    }),
    { numRuns: 5000 },
  );
  // Otherwise nothing was compared.
  expect(atOnce).toBeGreaterThan(100);
});

test('both readings refuse in the same words', () => {
  const deep = idFirst('7', `{"a":${'['.repeat(8)}${']'.repeat(8)}}`);
  expect(decodeMessage(deep, LIMITS)).toEqual({
    kind: 'invalid',
    id: 7,
    error: {
      code: -32600,
      message: 'The message is refused: it is nested deeper than 8 levels.',
      status: 400,
    },
  });
});
