import { describe, expect, test } from 'vitest';
import { bodyPlan, headerOf, properties, useRecorder, whole } from './recorder.ts';

const recorder = useRecorder();

async function sendWhole(
  mediaType: string,
  body: unknown,
): Promise<[contentType: string | undefined, body: string]> {
  const recorded = await recorder.send(bodyPlan(whole(mediaType)), { body });
  return [headerOf(recorded, 'content-type'), recorded.body.toString()];
}

describe('JSON', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'text/json',
    'application/vnd.github.v3+json',
    'application/merge-patch+json; profile="x"',
  ])('%s is sent as it is written', async (mediaType) => {
    expect(await sendWhole(mediaType, { a: '\u00E4' })).toEqual([mediaType, '{"a":"\u00E4"}']);
  });

  test.each(['*/*', 'application/*', '*', '*/*; q=0.8'])(
    '%s is sent as application/json',
    async (mediaType) => {
      expect(await sendWhole(mediaType, [1])).toEqual(['application/json', '[1]']);
    },
  );

  test('of several types in one, the first is sent', async () => {
    expect(await sendWhole('application/json, text/xml', {})).toEqual(['application/json', '{}']);
  });

  test.each([
    [[1, 'a', null], '[1,"a",null]'],
    ['text', '"text"'],
    [7, '7'],
    [false, 'false'],
    [null, 'null'],
    ['', '""'],
    [{}, '{}'],
    [[], '[]'],
  ])('%j is %s', async (value, json) => {
    expect(await sendWhole('application/json', value)).toEqual(['application/json', json]);
  });

  test('properties keep the order of the document, and what was not given is left out', async () => {
    const plan = bodyPlan(properties('application/json', ['b', 'a', 'c', 'd']));
    const recorded = await recorder.send(plan, { a: [1], b: { x: null }, c: undefined, d: null });
    expect(recorded.body.toString()).toBe('{"b":{"x":null},"a":[1],"d":null}');
  });

  test('a file in it is base64', async () => {
    const plan = bodyPlan(properties('application/json', ['file@', 'files@']));
    const recorded = await recorder.send(plan, {
      file: 'data:,a%FF',
      files: [{ data: 'YQ' }, { data: '_-8=' }],
    });
    expect(JSON.parse(recorded.body.toString())).toEqual({ file: 'Yf8=', files: ['YQ==', '/+8='] });
  });

  test('a cyclic value is rejected', async () => {
    const value: Record<string, unknown> = {};
    value['self'] = value;
    await expect(sendWhole('application/json', value)).rejects.toThrow(
      'An argument cannot be serialized as JSON',
    );
  });
});

describe('JSON in lines', () => {
  test.each(['application/x-ndjson', 'application/jsonl', 'application/ndjson'])('%s', async (mediaType) => {
    expect(await sendWhole(mediaType, [{ a: 'x\ny' }, 2])).toEqual([mediaType, '{"a":"x\\ny"}\n2\n']);
    expect(await sendWhole(mediaType, { a: 1 })).toEqual([mediaType, '{"a":1}\n']);
    expect(await sendWhole(mediaType, '{"a":1}\n')).toEqual([mediaType, '{"a":1}\n']);
  });

  test.each(['application/json-seq', 'application/geo+json-seq'])('%s', async (mediaType) => {
    expect(await sendWhole(mediaType, [{ a: 1 }, 2])).toEqual([mediaType, '\u001E{"a":1}\n\u001E2\n']);
  });
});

describe('text', () => {
  test.each([
    ['text/plain', 'a "b"\r\n\u00E4', 'a "b"\r\n\u00E4'],
    ['text/csv', 'a,b', 'a,b'],
    ['text/plain', '', ''],
    ['text/plain', 7, '7'],
    ['text/plain', { a: 1 }, '{"a":1}'],
    ['application/graphql', '{ a }', '{ a }'],
    ['application/yaml', { a: 1 }, '{"a":1}'],
    ['application/octet-stream', 'raw', 'raw'],
    ['application/xml', '<a/>', '<a/>'],
    ['text/xml; charset=utf-8', '<a>\u00E4</a>', '<a>\u00E4</a>'],
    ['application/soap+xml', '<a/>', '<a/>'],
  ])('%s: %j is sent as %j', async (mediaType, value, text) => {
    expect(await sendWhole(mediaType, value)).toEqual([mediaType, text]);
  });

  test('a range of texts is plain text', async () => {
    expect(await sendWhole('text/*', 'a')).toEqual(['text/plain', 'a']);
  });

  test('text has the charset that the document names', async () => {
    const plan = bodyPlan(whole('text/plain; charset=ISO-8859-1'));
    expect((await recorder.send(plan, { body: '\u00E4' })).body.toString('hex')).toBe('e4');
    await expect(recorder.send(plan, { body: '\u0100' })).rejects.toThrow(
      'The argument "body" has characters that iso-8859-1 cannot encode.',
    );
  });

  test('XML is text alone', async () => {
    await expect(sendWhole('application/xml', { a: 1 })).rejects.toThrow(
      'The argument "body" must be a string with the XML that is sent.',
    );
    const plan = bodyPlan(properties('application/xml', ['a']));
    await expect(recorder.send(plan, { a: 1 })).rejects.toThrow(
      'The body is application/xml, which cannot be built',
    );
  });
});
