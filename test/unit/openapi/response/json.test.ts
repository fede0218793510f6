import { describe, expect, test } from 'vitest';
import { readResponse } from '../../../../src/openapi/response/read-response.ts';
import { answer, json, options, read, textsOf } from './support.ts';
import { PagingParameters } from '../../../../src/openapi/response/pagination/pagination-input.ts';

describe('JSON', () => {
  test('is one text without blanks', () => {
    expect(read(json('{ "id": 1,\n  "name": "Rex" }'))).toEqual({
      content: [{ type: 'text', text: '{"id":1,"name":"Rex"}' }],
    });
  });

  test('of which there is nothing else to say is returned as a string, also if it looks like a result', () => {
    expect(readResponse(json({ id: 1 }), options())).toBe('{"id":1}');
    const result = { content: [{ type: 'text', text: 'a' }], isError: true };
    expect(readResponse(json(result), options())).toBe(
      '{"content":[{"type":"text","text":"a"}],"isError":true}',
    );
    expect(readResponse(json({ id: 1 }), options({ structured: true }))).toEqual({
      content: [{ type: 'text', text: '{"id":1}' }],
      structuredContent: { id: 1 },
    });
  });

  test.each([
    'application/json; charset=utf-8',
    'Application/JSON',
    'text/json',
    'application/vnd.api+json',
    'application/problem+json',
    'application/hal+json;profile="x;y"',
  ])('is known by the type %s', (type) => {
    expect(textsOf(read(answer(200, { 'content-type': type }, '[ 1 ]')))).toEqual(['[1]']);
  });

  test.each(['{ "a": 1 }', '[ 1, 2 ]'])(
    'is known without a type, if it is an object or a list: %s',
    (body) => {
      expect(textsOf(read(answer(200, {}, body)))).toEqual([body.replaceAll(' ', '')]);
      expect(textsOf(read(answer(200, { 'content-type': 'nonsense' }, body)))).toEqual([
        body.replaceAll(' ', ''),
      ]);
    },
  );

  test('under the name of another text stays as it came', () => {
    expect(textsOf(read(answer(200, { 'content-type': 'text/plain' }, '{ "a": 1 }')))).toEqual([
      '{ "a": 1 }',
    ]);
  });

  test('without a type, what only begins like it is text', () => {
    expect(textsOf(read(answer(200, {}, '{ not json')))).toEqual(['{ not json']);
  });

  test('that is invalid is shown as it came, with a remark', () => {
    expect(read(json('{"a": 1,}'))).toEqual({
      content: [
        { type: 'text', text: '{"a": 1,}' },
        {
          type: 'text',
          text: 'The content type is JSON, but the body is not valid JSON; it is shown unchanged.',
        },
      ],
    });
  });

  test('that is nested too deeply is an error', () => {
    expect(read(json(`${'['.repeat(513)}${']'.repeat(513)}`))).toEqual({
      content: [
        { type: 'text', text: 'GET /pets/{id} responded with JSON that is nested deeper than 512 levels.' },
      ],
      isError: true,
      _meta: { 'toolwright/error': { code: 'UPSTREAM_FAILED' } },
    });
    expect(read(json(`${'['.repeat(512)}${']'.repeat(512)}`)).isError).toBeUndefined();
    expect(read(json('['.repeat(100_000))).isError).toBe(true);
  });

  test('keeps numbers that no number of JavaScript holds', () => {
    const body =
      '{"id":12345678901234567890,"all":[9007199254740993,-9007199254740993,1e400,0.1234567890123456789],"text":"12345678901234567890","small":1.5}';
    expect(textsOf(read(json(body)))).toEqual([body]);
    expect(read(json('{"id":9007199254740993}'), { structured: true }).structuredContent).toEqual({
      id: '9007199254740993',
    });
  });

  test('is not made valid by how its numbers are kept', () => {
    const invalid = '{"a":123456789012345678901-2}';
    expect(textsOf(read(json(invalid)))[0]).toBe(invalid);
  });

  test('behind a guard against scripts is read all the same', () => {
    expect(textsOf(read(json(`)]}'\n{"a":1}`)))).toEqual(['{"a":1}']);
  });

  test('may have keys that every object has', () => {
    const body = '{"__proto__":{"a":1},"constructor":2,"toString":3}';
    expect(textsOf(read(json(body)))).toEqual([body]);
    expect(textsOf(read(json(body), { hide: (text) => text }))).toEqual([body]);
  });

  test('in another charset is decoded by it', () => {
    const latin = Buffer.from('{"name":"caf\u00e9"}', 'latin1');
    expect(
      textsOf(read(answer(200, { 'content-type': 'application/json; charset=iso-8859-1' }, latin))),
    ).toEqual(['{"name":"caf\u00e9"}']);
    expect(textsOf(read(answer(200, { 'content-type': 'application/json' }, latin)))).toEqual([
      '{"name":"caf\ufffd"}',
    ]);
    expect(
      textsOf(read(answer(200, { 'content-type': 'application/json; charset="who-knows"' }, latin))),
    ).toEqual(['{"name":"caf\ufffd"}']);
  });

  test('with a byte order mark is read', () => {
    expect(textsOf(read(json('\ufeff{"a":1}')))).toEqual(['{"a":1}']);
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{"a":1}', 'utf16le')]);
    expect(textsOf(read(answer(200, { 'content-type': 'application/json' }, wide)))).toEqual(['{"a":1}']);
  });
});

describe('structured content', () => {
  test('is there only for tools with an output schema', () => {
    expect(read(json({ a: 1 })).structuredContent).toBeUndefined();
    expect(read(json({ a: 1 }), { structured: true }).structuredContent).toEqual({ a: 1 });
  });

  test.each([
    ['[1,2]', { result: [1, 2] }],
    ['"text"', { result: 'text' }],
    ['null', { result: null }],
    ['7', { result: 7 }],
  ])('is always an object: %s', (body, expected) => {
    const result = read(json(body), { structured: true });
    expect(result.structuredContent).toEqual(expected);
    expect(textsOf(result)).toEqual([body]);
  });

  test('is there for answers that are no JSON, too', () => {
    const structured = true;
    expect(
      read(answer(200, { 'content-type': 'text/plain' }, 'hi'), { structured }).structuredContent,
    ).toEqual({
      result: 'hi',
    });
    expect(read(answer(204), { structured }).structuredContent).toEqual({});
    expect(read(answer(304), { structured }).structuredContent).toEqual({});
    expect(read(answer(200, { 'content-type': 'image/png' }, 'x'), { structured }).structuredContent).toEqual(
      {},
    );
    expect(read(answer(404), { structured }).structuredContent).toBeUndefined();
  });
});

describe('an answer that differs from its description', () => {
  const checkOutput = (value: unknown): string[] =>
    (value as { id: unknown }).id === 1 ? [] : ['/id must be 1', 'b', 'c', 'd'];

  test('is kept, and one line says what differs', () => {
    const told: (readonly string[])[] = [];
    const result = read(json({ id: 'x' }), {
      structured: true,
      checkOutput,
      onDrift: (problems) => told.push(problems),
    });
    expect(result).toEqual({
      content: [
        { type: 'text', text: '{"id":"x"}' },
        {
          type: 'text',
          text: 'The response does not match the API description: /id must be 1; b; c (and 1 more).',
        },
      ],
      structuredContent: { id: 'x' },
    });
    expect(told).toEqual([['/id must be 1', 'b', 'c', 'd']]);
  });

  test('says nothing where it does not differ', () => {
    const onDrift = (): never => {
      throw new Error('nothing drifted');
    };
    expect(textsOf(read(json({ id: 1 }), { checkOutput, onDrift }))).toEqual(['{"id":1}']);
  });

  test('is checked with numbers, and only in the part that is selected', () => {
    const seen: unknown[] = [];
    const check = (value: unknown): string[] => {
      seen.push(value);
      return [];
    };
    read(json('{"data":{"id":9007199254740993}}'), { select: '/data', checkOutput: check });
    expect(seen).toEqual([{ id: 9007199254740992 }]);
  });
});

describe('redacted values', () => {
  const hide = (text: string): string =>
    text.replaceAll('s3cr"t/1', '[hidden]').replaceAll('4711', '[hidden]');

  test('is taken out of texts, names and numbers, also of structured content', () => {
    const body = '{"echo":"Bearer s3cr\\"t\\/1!","s3cr\\"t/1":[4711, "ok", 12345678901234564711]}';
    const result = read(json(body), { hide, structured: true });
    expect(textsOf(result)).toEqual([
      '{"echo":"Bearer [hidden]!","[hidden]":["[hidden]","ok","1234567890123456[hidden]"]}',
    ]);
    expect(result.structuredContent).toEqual({
      echo: 'Bearer [hidden]!',
      '[hidden]': ['[hidden]', 'ok', '1234567890123456[hidden]'],
    });
  });

  test('is taken out of texts and of what is kept for later', () => {
    const text = `${'x'.repeat(95)}s3cr"t/1${'y'.repeat(50)}`;
    const result = read(answer(200, { 'content-type': 'text/plain' }, text), { hide, maxChars: 100 });
    expect(textsOf(result)[0]).toBe(`${'x'.repeat(95)}[hidd`);
  });

  test('is taken out of the arguments of the next page', () => {
    const pagination = {
      arguments: {},
      parameters: new PagingParameters([{ argument: 'cursor', name: 'cursor' }]),
    };
    const result = read(json({ next_cursor: 'a4711', items: [] }), { hide, pagination });
    expect(result._meta).toEqual({ 'toolwright/next': { cursor: 'a[hidden]' } });
    expect(textsOf(result).join('')).not.toContain('4711');
  });
});
