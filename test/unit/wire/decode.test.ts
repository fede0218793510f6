import { describe, expect, test } from 'vitest';
import { decodeMessage, decodeValue } from '../../../src/wire/messages/decode.ts';

const LIMITS = { maxDepth: 8, maxNodes: 20 };
const idOf = (text: string): unknown => (decodeMessage(text, LIMITS) as { id?: unknown }).id;
const REFUSED = '"params":{"__proto__":1}';

describe('a request that is refused before it is parsed', () => {
  test.each<[string, string, unknown]>([
    ['a forbidden key', `{"jsonrpc":"2.0","id":7,"method":"m",${REFUSED}}`, 7],
    ['the id behind it', `{"method":"m",${REFUSED},"id":"a\\u0062","jsonrpc":"2.0"}`, 'ab'],
    ['spaces', ` { "id" : -7 , "method" : "m" , ${REFUSED} } `, -7],
    ['a key that is spelt with escapes', `{"\\u0069d":7,"\\u006dethod":"m",${REFUSED}}`, 7],
    ['a depth', `{"id":7,"method":"m","params":${'['.repeat(8)}${']'.repeat(8)}}`, 7],
    ['a number of values', `{"id":7,"method":"m","params":{"a":[${'1,'.repeat(30)}1]}}`, 7],
    ['its method twice', '{"id":7,"method":"m","method":"n"}', 7],
    ['its params twice', '{"id":7,"method":"m","params":{},"params":{}}', 7],
  ])('is answered with its id: %s', (_, text, id) => {
    expect(decodeMessage(text, LIMITS)).toMatchObject({ kind: 'invalid', id, error: { code: -32600 } });
  });

  test.each<[string, string]>([
    ['a notification', `{"method":"m",${REFUSED}}`],
    ['two ids', `{"id":7,"method":"m","id":8}`],
    ['the same id twice', `{"id":7,"method":"m",${REFUSED},"id":7}`],
    ['an id that is none', `{"id":{"id":7},"method":"m",${REFUSED}}`],
    ['an id with a fraction', `{"id":7.5,"method":"m",${REFUSED}}`],
    ['an id that is too long', `{"id":"${'x'.repeat(1025)}","method":"m",${REFUSED}}`],
    ['an id further in', `{"method":"m","params":{"id":7,"__proto__":1}}`],
    ['an answer to a request of ours', `{"id":7,"result":{"__proto__":1}}`],
    ['a failure of a request of ours', `{"id":7,"method":"m","error":{"__proto__":1}}`],
    ['a batch', `[{"id":7,"method":"m",${REFUSED}}]`],
    ['a text that goes on', `{"id":7,"method":"m",${REFUSED}} {`],
    ['a text that ends early', `{"id":7,"method":"m",${REFUSED}`],
  ])('has none that could be known: %s', (_, text) => {
    expect(decodeMessage(text, LIMITS)).toMatchObject({ kind: 'invalid', error: { code: -32600 } });
    expect(idOf(text)).toBeUndefined();
  });

  test('gets an error with its id if the application has parsed it', () => {
    const parse = (text: string): unknown => decodeValue(JSON.parse(text), LIMITS);
    expect(parse(`{"id":7,"method":"m",${REFUSED}}`)).toMatchObject({ kind: 'invalid', id: 7 });
    expect(parse(`{"id":7,"result":{"__proto__":1}}`)).toMatchObject({ kind: 'invalid', id: undefined });
  });
});

test('an id has 1024 characters at most: it is sent back with everything that belongs to its request', () => {
  const request = (id: string): string => `{"jsonrpc":"2.0","id":"${id}","method":"m"}`;
  expect(decodeMessage(request('x'.repeat(1024)), LIMITS)).toMatchObject({ kind: 'request' });
  expect(decodeMessage(request('x'.repeat(1025)), LIMITS)).toEqual({
    kind: 'invalid',
    id: undefined,
    error: {
      code: -32600,
      message: 'Invalid request: "id" must be a string of at most 1024 characters or a whole number.',
      status: 400,
    },
  });
});
