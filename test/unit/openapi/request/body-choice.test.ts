import { describe, expect, test } from 'vitest';
import { ValidationError } from '../../../../src/errors/errors.ts';
import { bodyPlan, headerOf, properties, useRecorder, whole, withBody } from './recorder.ts';
import type { Recorded } from './recorder.ts';

const recorder = useRecorder();

function bodyOf(recorded: Recorded): [contentType: string | undefined, body: string] {
  return [headerOf(recorded, 'content-type'), recorded.body.toString()];
}

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

describe('nothing given', () => {
  test.each(['GET', 'HEAD', 'DELETE', 'POST', 'PATCH'])(
    '%s sends no body and no content type',
    async (method) => {
      for (const content of [
        properties(FORM, ['expand', 'a!']),
        whole('text/plain'),
        properties('multipart/form-data', ['f@']),
      ]) {
        const plan = withBody({ required: false, contents: [content] }, method);
        const recorded = await recorder.send(plan, { other: 1, expand: undefined, body: undefined });
        expect(bodyOf(recorded)).toEqual([undefined, '']);
      }
    },
  );

  test('a required body of properties is sent empty', async () => {
    const send = async (mediaType: string): Promise<[string | undefined, string]> =>
      bodyOf(await recorder.send(withBody({ required: true, contents: [properties(mediaType, ['a'])] }), {}));
    expect(await send(JSON_TYPE)).toEqual(['application/json', '{}']);
    expect(await send(FORM)).toEqual(['application/x-www-form-urlencoded', '']);
  });

  test('a required body that is one argument is asked for', async () => {
    const plan = withBody({ required: true, contents: [whole(JSON_TYPE, 'list')] });
    const sent = recorder.send(plan, {});
    await expect(sent).rejects.toThrow('The argument "list" is missing: the body of POST /x needs it.');
    await expect(sent).rejects.toBeInstanceOf(ValidationError);
  });

  test('arguments of a required body are required', async () => {
    const plan = withBody({ required: true, contents: [properties(JSON_TYPE, ['a', 'b!'])] });
    await expect(recorder.send(plan, {})).rejects.toThrow('The argument "b" is missing');
  });
});

describe('something given', () => {
  test('further required arguments are required, also if the body is optional', async () => {
    const before = recorder.count();
    await expect(recorder.send(bodyPlan(properties(JSON_TYPE, ['a', 'b!'])), { a: 1 })).rejects.toThrow(
      'The argument "b" is missing: the body of POST /x needs it.',
    );
    expect(recorder.count()).toBe(before);
  });

  test.each(['GET', 'DELETE'])('%s sends it, since the document says so', async (method) => {
    const plan = withBody({ required: false, contents: [properties(JSON_TYPE, ['a'])] }, method);
    const recorded = await recorder.send(plan, { a: 1 });
    expect(recorded.line).toBe(`${method} /x HTTP/1.1`);
    expect(bodyOf(recorded)).toEqual(['application/json', '{"a":1}']);
  });

  test('the first content that takes all of it is sent', async () => {
    const plan = bodyPlan(
      properties(JSON_TYPE, ['a', 'b']),
      properties(FORM, ['a', 'c']),
      whole('text/plain', 'text'),
    );
    expect(bodyOf(await recorder.send(plan, { a: 1 }))).toEqual(['application/json', '{"a":1}']);
    expect(bodyOf(await recorder.send(plan, { a: 1, c: 2 }))).toEqual([FORM, 'a=1&c=2']);
    expect(bodyOf(await recorder.send(plan, { a: 1, b: undefined, c: 2 }))).toEqual([FORM, 'a=1&c=2']);
    expect(bodyOf(await recorder.send(plan, { text: 't' }))).toEqual(['text/plain', 't']);
  });

  test('one that has everything it needs goes before one that has not', async () => {
    const plan = bodyPlan(properties(JSON_TYPE, ['a', 'b!']), properties(FORM, ['a']));
    expect(bodyOf(await recorder.send(plan, { a: 1 }))).toEqual([FORM, 'a=1']);
  });

  test('arguments that exclude each other are rejected with the choices', async () => {
    const plan = bodyPlan(properties(JSON_TYPE, ['a', 'b']), whole('text/plain', 'text'));
    await expect(recorder.send(plan, { a: 1, text: 't' })).rejects.toThrow(
      'The arguments "a", "text" cannot be combined in one body: application/json takes "a", "b"; text/plain takes "text".',
    );
  });

  test('arguments may have other names than properties, and null is a value', async () => {
    const content = properties(JSON_TYPE, []);
    const plan = bodyPlan({
      ...content,
      source: {
        kind: 'properties',
        properties: [{ argument: 'body_id', property: 'id', required: true, isFile: false }],
      },
    });
    expect(bodyOf(await recorder.send(plan, { id: 'wrong', body_id: null }))).toEqual([
      JSON_TYPE,
      '{"id":null}',
    ]);
  });

  test('arguments that every object has are not given by that', async () => {
    const plan = bodyPlan(properties(JSON_TYPE, ['toString', 'constructor', '__proto__']));
    expect(bodyOf(await recorder.send(plan, {}))).toEqual([undefined, '']);
    const input = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}') as Record<string, unknown>;
    expect(bodyOf(await recorder.send(plan, input))).toEqual([
      JSON_TYPE,
      '{"constructor":2,"__proto__":{"a":1}}',
    ]);
  });
});
