import { describe, expect, test } from 'vitest';
import { ResourcesManager } from '../../../src/index.ts';
import { ErrorHandler } from '../../../src/collaborators.ts';
import type { ResourceDefinition, ResourcesManagerOptions } from '../../../src/index.ts';

const silent = { debug() {}, info() {}, warning() {}, error() {} };
const errorHandler = new ErrorHandler({ logger: silent, createReference: () => 'ref-1' });

const read = (source: object, options: ResourcesManagerOptions = {}) =>
  new ResourcesManager({ logger: silent, errorHandler, ...options })
    .addResource({ uri: 'a://b', name: 'b', ...source } as ResourceDefinition)
    .readResource({ uri: 'a://b' });

const provide = (returned: unknown, members: object = {}, options: ResourcesManagerOptions = {}) =>
  read({ contentProvider: () => returned, ...members }, options);

const sent = (...contents: object[]) => ({ kind: 'value', value: { contents } });
const text = { uri: 'a://b', mimeType: 'text/plain', text: 'hi' };
const bytes = { uri: 'a://b', mimeType: 'application/octet-stream', blob: 'AQID' };

describe('content that never changes', () => {
  test('is text, bytes, or bytes as base64', async () => {
    expect(await read({ text: 'hi' })).toEqual(sent(text));
    expect(await read({ text: '' })).toEqual(sent({ ...text, text: '' }));
    expect(await read({ blob: new Uint8Array([1, 2, 3]) })).toEqual(sent(bytes));
    expect(await read({ blob: 'AQID' })).toEqual(sent(bytes));
    expect(await read({ blob: '', mimeType: 'image/png' })).toEqual(
      sent({ uri: 'a://b', mimeType: 'image/png', blob: '' }),
    );
  });

  test('is serialized once: every reader gets the same, and none can change it', async () => {
    const resources = new ResourcesManager().addResource({ uri: 'a://b', name: 'b', text: 'hi' });
    const [first, second] = [
      await resources.readResource({ uri: 'a://b' }),
      await resources.readResource({ uri: 'a://b' }),
    ];
    expect(first).toBe(second);
    expect(Object.isFrozen((first as { value: { contents: object[] } }).value.contents[0])).toBe(true);
  });
});

describe('return values of a content provider', () => {
  test.each([
    ['a string', 'hi', [text]],
    ['bytes', new Uint8Array([1, 2, 3]), [bytes]],
    ['a Buffer', Buffer.from([1, 2, 3]), [bytes]],
    ['{ text }', { text: 'hi' }, [text]],
    ['{ blob } in base64', { blob: 'AQID' }, [bytes]],
    ['{ blob } of bytes', { blob: new Uint8Array([1, 2, 3]) }, [bytes]],
    ['a promise', Promise.resolve('hi'), [text]],
    ['an object with a blob', Promise.resolve({ blob: 'AQID' }), [bytes]],
    ['a list', [{ text: 'hi' }, { blob: 'AQID' }], [text, bytes]],
    ['a whole result', { contents: [{ text: 'hi' }] }, [text]],
    ['an empty list', [], []],
    ['members that are undefined', { text: 'hi', blob: undefined, mimeType: undefined }, [text]],
    [
      'contents that say everything themselves',
      { uri: 'a://other', mimeType: 'text/html', text: 'x', _meta: { k: 1 } },
      [{ uri: 'a://other', mimeType: 'text/html', text: 'x', _meta: { k: 1 } }],
    ],
  ])('%s', async (_, returned, contents) => {
    expect(await provide(returned)).toEqual(sent(...contents));
  });

  test('gets the type of the definition where it names none', async () => {
    expect(await provide('x', { mimeType: 'text/css' })).toMatchObject(sent({ mimeType: 'text/css' }));
    expect(await provide({ text: 'x', mimeType: 'text/html' }, { mimeType: 'text/css' })).toMatchObject(
      sent({ mimeType: 'text/html' }),
    );
  });

  test('bytes of any length and value arrive as they were', async () => {
    for (const length of [0, 1, 2, 3, 255, 8192, 8193, 100_000]) {
      const original = Uint8Array.from({ length }, (_, index) => (index * 7) % 256);
      const reply = await provide(original);
      const { blob } = (reply as unknown as { value: { contents: [{ blob: string }] } }).value.contents[0];
      expect(Buffer.from(blob, 'base64').equals(original), String(length)).toBe(true);
    }
  });

  test('a part of a larger buffer is only that part', async () => {
    expect(await provide(new Uint8Array([0, 1, 2, 3, 4]).subarray(1, 4))).toEqual(sent(bytes));
  });

  test('null says that there is nothing at this URI, as if there never was', async () => {
    expect(await provide(null)).toEqual({
      kind: 'protocol-error',
      code: -32602,
      reason: 'UNKNOWN_RESOURCE',
      message: 'Resource not found: a://b',
      data: { uri: 'a://b' },
    });
    expect(await provide(Promise.resolve(null))).toEqual(
      await new ResourcesManager().readResource({ uri: 'a://b' }),
    );
  });
});

const cycle: Record<string, unknown> = { k: 1 };
cycle['self'] = cycle;

const NO_CONTENT =
  'a resource returns a string, a Uint8Array, { text }, { blob } in base64, an array of those, or null';

describe('invalid content is never sent', () => {
  test.each([
    ['nothing', undefined, NO_CONTENT],
    ['a number', 5, NO_CONTENT],
    ['a BigInt', 5n, NO_CONTENT],
    ['an empty object', {}, NO_CONTENT],
    ['both text and blob', { text: 'x', blob: 'AQID' }, NO_CONTENT],
    ['a text that is no string', { text: 5 }, NO_CONTENT],
    ['a blob that is no base64', { blob: 'a%' }, NO_CONTENT],
    ['a URI that is no string', { text: 'x', uri: 5 }, NO_CONTENT],
    ['a type that is no string', { text: 'x', mimeType: 5 }, NO_CONTENT],
    ['metadata that is no object', { text: 'x', _meta: 'x' }, NO_CONTENT],
    ['a list in a list', [[{ text: 'x' }]], NO_CONTENT],
    ['null in a list', [null], NO_CONTENT],
    ['contents that are no list', { contents: 5 }, NO_CONTENT],
    ['a date', new Date(0), NO_CONTENT],
    ['metadata with a cycle', { text: 'x', _meta: cycle }, 'it contains itself (a cycle)'],
    [
      'metadata with a BigInt',
      { text: 'x', _meta: { n: 1n } },
      'it contains a BigInt; convert it to a string or a number',
    ],
    [
      'a getter that throws',
      {
        get text(): never {
          throw new Error('secret');
        },
      },
      'one of its members throws when it is read',
    ],
  ])('%s', async (_, returned, reason) => {
    expect(await provide(returned)).toEqual({
      kind: 'protocol-error',
      code: -32603,
      reason: 'INVALID_OUTPUT',
      message: `Resource 'a://b' returned a value that cannot be sent: ${reason}.`,
      data: { code: 'INVALID_OUTPUT', reference: 'ref-1' },
    });
  });

  test('a getter is read once: what was checked is what is sent', async () => {
    let reads = 0;
    const changing = {
      get text() {
        reads += 1;
        return reads === 1 ? 'hi' : 5;
      },
    };
    expect(await provide(changing)).toEqual(sent(text));
    expect(reads).toBe(1);
  });
});

describe('size', () => {
  test('content that is too large is not sent; bytes are not even encoded', async () => {
    expect(await provide('x'.repeat(300), {}, { maxResultBytes: 200 })).toMatchObject({
      code: -32603,
      reason: 'RESULT_TOO_LARGE',
      data: { code: 'RESULT_TOO_LARGE' },
    });
    const reply = await provide(new Uint8Array(300), {}, { maxResultBytes: 200 });
    expect((reply as { message: string }).message).toMatch(
      /^The result of 'a:\/\/b' has more than 200 bytes; /,
    );
  });

  test('bytes count as long as they are in base64', async () => {
    expect(await provide(new Uint8Array(150), {}, { maxResultBytes: 200 })).toMatchObject({
      reason: 'RESULT_TOO_LARGE',
    });
  });
});
