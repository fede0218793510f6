import { describe, expect, test } from 'vitest';
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
  test('are told apart from data that looks alike', () => {
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
