import { describe, expect, test } from 'vitest';
import { answer, read, textsOf } from './support.ts';

describe('texts', () => {
  test.each([
    'text/plain',
    'text/html; charset=utf-8',
    'text/csv',
    'text/event-stream',
    'application/xml',
    'application/atom+xml',
    'image/svg+xml',
    'application/yaml',
    'application/x-yaml',
    'application/vnd.oai.openapi+yaml',
    'application/javascript',
    'application/x-javascript',
    'application/x-www-form-urlencoded',
    'application/x-ndjson',
    'application/jsonl',
    'application/csv',
    'message/rfc822',
  ])('of type %s are shown as they came', (type) => {
    expect(read(answer(200, { 'content-type': type }, '<a>\n 1 </a>'))).toEqual({
      content: [{ type: 'text', text: '<a>\n 1 </a>' }],
    });
  });

  test('without a type are known by having nothing else in them', () => {
    expect(textsOf(read(answer(200, {}, 'hello')))).toEqual(['hello']);
  });

  test('are decoded by their charset', () => {
    const body = Buffer.from([0x63, 0x61, 0x66, 0xe9]);
    expect(textsOf(read(answer(200, { 'content-type': 'text/plain; charset=latin1' }, body)))).toEqual([
      'caf\u00e9',
    ]);
    expect(textsOf(read(answer(200, { 'content-type': 'text/plain' }, body)))).toEqual(['caf\ufffd']);
    const wide = Buffer.from('hi', 'utf16le');
    expect(textsOf(read(answer(200, { 'content-type': 'text/plain; charset=UTF-16LE' }, wide)))).toEqual([
      'hi',
    ]);
  });
});

describe('bytes', () => {
  test('of an image are an image', () => {
    expect(read(answer(200, { 'content-type': 'image/png; x=1' }, Buffer.from([1, 2, 255])))).toEqual({
      content: [
        { type: 'image', data: 'AQL/', mimeType: 'image/png' },
        { type: 'text', text: 'image/png of 3 bytes.' },
      ],
    });
  });

  test('of a sound are a sound', () => {
    expect(read(answer(200, { 'content-type': 'audio/mpeg' }, Buffer.from([1]))).content[0]).toEqual({
      type: 'audio',
      data: 'AQ==',
      mimeType: 'audio/mpeg',
    });
  });

  test('of anything else are a resource, and a text says what it is', () => {
    expect(read(answer(200, { 'content-type': 'application/pdf' }, Buffer.alloc(12_345)))).toEqual({
      content: [
        {
          type: 'resource',
          resource: {
            uri: 'https://api.example.com/pets/1',
            mimeType: 'application/pdf',
            blob: Buffer.alloc(12_345).toString('base64'),
          },
        },
        { type: 'text', text: 'PDF of 12,345 bytes.' },
      ],
    });
  });

  test.each([
    ['without a type', {}],
    ['with a type that is nonsense', { 'content-type': '<script>' }],
  ])('%s are only bytes', (_title, headers) => {
    const result = read(answer(200, headers, Buffer.from([0, 1, 2, 255])));
    expect(result.content[0]).toMatchObject({
      type: 'resource',
      resource: { mimeType: 'application/octet-stream', blob: 'AAEC/w==' },
    });
    expect(textsOf(result)).toEqual(['Binary data of 4 bytes.']);
  });

  test('under the name of a text are bytes', () => {
    const result = read(answer(200, { 'content-type': 'text/plain' }, Buffer.from([80, 75, 0, 4])));
    expect(result.content[0]).toMatchObject({ type: 'resource', resource: { mimeType: 'text/plain' } });
  });

  test('that are too many are described only', () => {
    expect(
      read(answer(200, { 'content-type': 'video/mp4' }, Buffer.alloc(11)), { maxBinaryBytes: 10 }),
    ).toEqual({
      content: [
        {
          type: 'text',
          text: 'video/mp4 of 11 bytes. It was not passed on: it is larger than the limit of 10 bytes.',
        },
      ],
    });
    const large = Buffer.alloc(7 * 1024 * 1024 + 1);
    expect(textsOf(read(answer(200, { 'content-type': 'image/png' }, large)))).toEqual([
      'image/png of 7,340,033 bytes. It was not passed on: it is larger than the limit of 7,340,032 bytes.',
    ]);
  });
});

describe('nothing', () => {
  test.each([
    [204, '', 'Done: 204 without content.'],
    [205, '', 'Done: 205 without content.'],
    [200, '', 'Done: 200 without content.'],
    [200, ' \n', 'Done: 200 without content.'],
    [204, 'ignored', 'Done: 204 without content.'],
  ])('%i with %j is done', (status, body, text) => {
    expect(read(answer(status, { 'content-type': 'application/json' }, body))).toEqual({
      content: [{ type: 'text', text }],
    });
  });

  test('says where something new is', () => {
    expect(textsOf(read(answer(201, { location: '/pets/7?key=1' })))).toEqual([
      'Done: 201 without content. Location: /pets/7.',
    ]);
  });

  test('has changed', () => {
    expect(read(answer(304))).toEqual({
      content: [
        {
          type: 'text',
          text: 'GET /pets/{id} answered 304 Not Modified: nothing has changed since the requested version.',
        },
      ],
    });
  });
});
