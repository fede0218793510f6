import { ContentBlockSchema } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBase64 } from '../../../src/format/block-members.ts';
import { isCallToolResult, isContentBlock, isContentList } from '../../../src/format/content.ts';
import { createError, createSuccess, responseKind } from '../../../src/format/tool-response.ts';

const TEXT = { type: 'text', text: 'hi' };

describe('blocks', () => {
  test.each([
    TEXT,
    { type: 'text', text: '', annotations: { audience: ['user'] }, _meta: { a: 1 } },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
    {
      type: 'resource_link',
      uri: 'file:///a',
      name: 'a',
      title: 'A',
      description: 'd',
      mimeType: 'x',
      size: 1,
      icons: [],
    },
    { type: 'resource', resource: { uri: 'file:///a', text: 'hi', mimeType: 'text/plain' } },
    { type: 'resource', resource: { uri: 'file:///a', blob: 'aGk=' } },
  ])('%j is a block', (value) => {
    expect(isContentBlock(value)).toBe(true);
    expect(isContentList([value, TEXT])).toBe(true);
    expect(isCallToolResult({ content: [value] })).toBe(true);
  });

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'text'],
    ['a list', [TEXT]],
    ['a text without text', { type: 'text' }],
    ['a text that is a number', { type: 'text', text: 7 }],
    ['an image without a type', { type: 'image', data: 'x' }],
    ['a link without a name', { type: 'resource_link', uri: 'x' }],
    ['a resource without contents', { type: 'resource', resource: { uri: 'x' } }],
    ['a resource that is text', { type: 'resource', resource: 'x' }],
    ['an unknown type', { type: 'video', data: 'x', mimeType: 'y' }],
    ['a row of data', { id: 1, type: 'text', text: 'hi' }],
    ['a product', { type: 'image', data: 'x', mimeType: 'y', price: 3 }],
    ['a type from a prototype', { type: 'constructor' }],
  ])('%s is no block', (_, value) => {
    expect(isContentBlock(value)).toBe(false);
    expect(isContentList([TEXT, value])).toBe(false);
    expect(isCallToolResult({ content: [TEXT, value] })).toBe(false);
  });

  test('an empty list is data', () => {
    expect(isContentList([])).toBe(false);
  });
});

describe('blocks with members that clients refuse', () => {
  const IMAGE = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
  const LINK = { type: 'resource_link', uri: 'file:///a', name: 'a' };
  const contents = (members: object): object => ({
    type: 'resource',
    resource: { uri: 'file:///a', ...members },
  });

  test.each([
    ['annotations that are a list', { ...TEXT, annotations: [] }],
    ['annotations that are null', { ...TEXT, annotations: null }],
    ['an unknown audience', { ...TEXT, annotations: { audience: ['system'] } }],
    ['an audience that is no list', { ...TEXT, annotations: { audience: 'user' } }],
    ['a priority above 1', { ...TEXT, annotations: { priority: 1.1 } }],
    ['a priority below 0', { ...TEXT, annotations: { priority: -1 } }],
    ['a priority that is text', { ...TEXT, annotations: { priority: '1' } }],
    ['a modification that is a number', { ...TEXT, annotations: { lastModified: 7 } }],
    ['a modification without a time', { ...TEXT, annotations: { lastModified: '2025-01-12' } }],
    ['a modification on no day', { ...TEXT, annotations: { lastModified: '2025-02-30T10:00:00Z' } }],
    ['a modification in no month', { ...TEXT, annotations: { lastModified: '2025-13-01T10:00:00Z' } }],
    ['_meta that is text', { ...TEXT, _meta: 'x' }],
    ['_meta that is a list', { ...TEXT, _meta: [] }],
    ['_meta that is a date', { ...TEXT, _meta: new Date(0) }],
    ['an image that is no base64', { ...IMAGE, data: 'not base64!' }],
    ['an image with half a padding', { ...IMAGE, data: 'aGka=' }],
    ['a sound that is a data URL', { type: 'audio', data: 'data:audio/wav;base64,aGk=', mimeType: 'x' }],
    ['a link with a size in words', { ...LINK, size: '7' }],
    ['a link with a size that is no number', { ...LINK, size: Number.NaN }],
    ['a link with a title that is a number', { ...LINK, title: 7 }],
    ['a link with a description that is null', { ...LINK, description: null }],
    ['a link with a type that is a number', { ...LINK, mimeType: 7 }],
    ['a link with icons that are no list', { ...LINK, icons: {} }],
    ['a link with an icon that is text', { ...LINK, icons: ['x'] }],
    ['a link with an icon without a source', { ...LINK, icons: [{ mimeType: 'x' }] }],
    ['a link with an icon with sizes in one text', { ...LINK, icons: [{ src: 'x', sizes: '48x48' }] }],
    ['a link with an icon for another theme', { ...LINK, icons: [{ src: 'x', theme: 'blue' }] }],
    ['contents with a type that is a number', contents({ text: 'x', mimeType: 7 })],
    ['contents with an address that is a number', contents({ uri: 7, text: 'x' })],
    ['contents with _meta that is text', contents({ text: 'x', _meta: 'x' })],
    ['contents that are no base64', contents({ blob: '%' })],
  ])('%s: no block', (_, value) => {
    expect(ContentBlockSchema.safeParse(value).success).toBe(false);
    expect(isContentBlock(value)).toBe(false);
    expect(isCallToolResult({ content: [value] })).toBe(false);
  });

  test.each([
    [
      'all annotations',
      { audience: ['user', 'assistant'], priority: 0.5, lastModified: '2024-02-29T10:00:00.5Z' },
    ],
    ['an offset', { lastModified: '2025-01-12T10:00:00+02:00' }],
    ['the bounds', { priority: 1 }],
    ['nothing', {}],
    ['members that are undefined', { priority: undefined, audience: undefined }],
    ['members of tomorrow', { mood: 'good' }],
  ])('annotations with %s are taken', (_, annotations) => {
    const value = { ...TEXT, annotations };
    expect(ContentBlockSchema.safeParse(value).success).toBe(true);
    expect(isContentBlock(value)).toBe(true);
  });

  test.each([
    ['optional members that are undefined', { ...LINK, title: undefined, size: undefined, icons: undefined }],
    ['a whole icon', { ...LINK, icons: [{ src: 'x', mimeType: 'y', sizes: ['any'], theme: 'dark' }] }],
    ['base64 in lines and without padding', { ...IMAGE, data: 'aGk\nhaA' }],
    ['no data', { ...IMAGE, data: '' }],
    ['text beside a broken blob', contents({ text: 'x', blob: '%' })],
  ])('%s: a block', (_, value) => {
    expect(ContentBlockSchema.safeParse(value).success).toBe(true);
    expect(isContentBlock(value)).toBe(true);
  });

  test('members that JSON leaves behind do not make a block', () => {
    expect(isContentBlock(Object.assign(Object.create({ text: 'hi' }), { type: 'text' }))).toBe(false);
  });

  test('base64 is what the clients can decode', () => {
    const canDecode = (text: string): boolean => {
      try {
        atob(text);
        return true;
      } catch {
        return false;
      }
    };
    const text = fc.array(fc.constantFrom('a', 'Z', '0', '+', '/', '=', '=', ' ', '\n', '-', 'é'), {
      maxLength: 9,
    });
    fc.assert(
      fc.property(text, (letters) => {
        expect(isBase64(letters.join(''))).toBe(canDecode(letters.join('')));
      }),
      { numRuns: 3000 },
    );
  });

  test('megabytes are fast', () => {
    const data = 'aGkh'.repeat(2_000_000);
    expect([isBase64(data), isBase64(`${data}!`), isBase64('='.repeat(4_000_000))]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('results', () => {
  test.each([
    { content: [TEXT] },
    { content: [] },
    { content: [TEXT], isError: true },
    { content: [TEXT], structuredContent: { a: 1 }, _meta: {} },
    { content: [TEXT], isError: undefined },
  ])('%j is a result', (value) => {
    expect(isCallToolResult(value)).toBe(true);
  });

  test.each([
    ['a page with text', { content: 'hi' }],
    ['a page with a title', { title: 'x', content: [TEXT] }],
    ['a page with other content', { content: [{ paragraph: 'x' }] }],
    ['a list', [{ content: [TEXT] }]],
    ['a status', { content: [TEXT], isError: 'no' }],
    ['something else in _meta', { content: [TEXT], _meta: 'x' }],
    ['content from a prototype', Object.create({ content: [TEXT] }) as object],
    ['nothing', null],
    ['no content', { structuredContent: {} }],
  ])('%s is data', (_, value) => {
    expect(isCallToolResult(value)).toBe(false);
  });
});

describe('responses of the helpers', () => {
  test('are distinguished from similar data', () => {
    expect(responseKind(createSuccess({ value: 1 }))).toBe('success');
    expect(responseKind(createError({ message: 'x', suggestions: [] }))).toBe('error');
    expect([{ value: 1 }, { message: 'x', suggestions: [] }, null, 'x', undefined].map(responseKind)).toEqual(
      [undefined, undefined, undefined, undefined, undefined],
    );
  });

  test('lose their mark when they pass through JSON, so a client cannot send one', () => {
    expect(responseKind(JSON.parse(JSON.stringify(createSuccess({ value: 1 }))))).toBeUndefined();
  });
});
