import { describe, expect, test } from 'vitest';
import { compactJson } from '../../../../src/openapi/naming/compact-json.ts';
import { cutText } from '../../../../src/openapi/naming/cut-text.ts';
import { describeOperation } from '../../../../src/openapi/naming/describe-operation.ts';
import { describeParameter } from '../../../../src/openapi/naming/describe-parameter.ts';
import type { Operation } from '../../../../src/openapi/model/operation.ts';
import { anOperation, aParameter } from './an-operation.ts';

function withExample(example: unknown, given: Partial<Operation> = {}): Operation {
  const content = { mediaType: 'application/json', schema: undefined, encoding: {} };
  return anOperation({
    method: 'POST',
    summary: 'Add a pet',
    body: {
      description: undefined,
      required: true,
      contents: [
        { ...content, example: undefined },
        { ...content, example },
      ],
    },
    ...given,
  });
}

describe('an operation', () => {
  test('has its summary and its description', () => {
    const operation = anOperation({ summary: 'List pets', description: 'All of <b>them</b>.' });
    expect(describeOperation(operation)).toBe('List pets\n\nAll of <b>them</b>.');
    expect(describeOperation(operation, { stripHtml: true })).toBe('List pets\n\nAll of them.');
  });

  test.each([
    ['List pets', 'List pets.', 'List pets.'],
    ['List pets', 'list pets that are for sale.', 'list pets that are for sale.'],
    ['List pets that are for sale', 'List pets', 'List pets that are for sale'],
    ['Get', 'Getting started', 'Get\n\nGetting started'],
    ['', 'All', 'All'],
    ['All', '', 'All'],
  ])('does not say the same twice: %s, %s', (summary, description, expected) => {
    expect(describeOperation(anOperation({ summary, description }))).toBe(expected);
  });

  test('says first that it is deprecated, once', () => {
    expect(describeOperation(anOperation({ deprecated: true, summary: 'List' }))).toBe('Deprecated. List');
    expect(describeOperation(anOperation({ deprecated: true, summary: 'DEPRECATED: use b' }))).toBe(
      'DEPRECATED: use b',
    );
    expect(describeOperation(anOperation({ deprecated: true }))).toBe('Deprecated. GET /pets');
  });

  test('is never without a description', () => {
    expect(describeOperation(anOperation({ path: '/pets/{id}' }))).toBe('GET /pets/{id}');
    expect(describeOperation(anOperation({ summary: '\u200b', description: '\u00ad' }))).toBe('GET /pets');
    expect(describeOperation(anOperation({ key: '\u200b' }))).toBe('An operation without a description.');
  });

  test('shows an example of its body', () => {
    expect(describeOperation(withExample({ name: 'Rex', tags: ['a', 1, null, true], none: {} }))).toBe(
      'Add a pet\n\nExample of the body: {"name":"Rex","tags":["a",1,null,true],"none":{}}',
    );
    expect(describeOperation(withExample({ name: 'R\u202eex' }))).toContain('{"name":"Rex"}');
    expect(describeOperation(withExample({ name: 'Rex' }), { examples: false })).toBe('Add a pet');
  });

  test('shows the whole example or none of it', () => {
    const operation = withExample({ name: 'Rex' });
    const whole = 'Add a pet\n\nExample of the body: {"name":"Rex"}';
    expect(describeOperation(operation, { maxChars: whole.length })).toBe(whole);
    expect(describeOperation(operation, { maxChars: whole.length - 1 })).toBe('Add a pet');
  });

  test('survives examples that have no end', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(describeOperation(withExample(cycle))).toBe('Add a pet');
    let bomb: unknown = 'x';
    for (let level = 0; level < 60; level += 1) bomb = [bomb, bomb];
    expect(describeOperation(withExample(bomb))).toBe('Add a pet');
    expect(describeOperation(withExample(10n))).toBe('Add a pet\n\nExample of the body: 10');
    expect(describeOperation(withExample(Number.NaN))).toBe('Add a pet\n\nExample of the body: null');
  });

  test('says what it returns, if asked to and if the document does', () => {
    const answering = (description: string): Operation =>
      anOperation({
        summary: 'List',
        responses: [
          { status: '404', description: 'Nothing there', headers: [], contents: [] },
          { status: '200', description, headers: [], contents: [] },
        ],
      });
    expect(describeOperation(answering('Pets by age'), { responses: true })).toBe(
      'List\n\nReturns: Pets by age',
    );
    expect(describeOperation(answering('OK.'), { responses: true })).toBe('List');
    expect(describeOperation(answering('Pets by age'))).toBe('List');
  });

  test('never takes more than its budget', () => {
    const long = 'One sentence. '.repeat(200);
    const operation = withExample({ a: 1 }, { summary: long, description: `${long}x`, deprecated: true });
    for (const maxChars of [1, 2, 5, 12, 13, 40, 300, 1024]) {
      const text = describeOperation(operation, { maxChars, responses: true });
      expect(text.length).toBeLessThanOrEqual(maxChars);
      expect(text.length).toBeGreaterThan(0);
    }
    expect(describeOperation(operation).length).toBeGreaterThan(1000);
    for (const maxChars of [0, -5, Number.NaN])
      expect(describeOperation(operation, { maxChars })).toBe('\u2026');
  });
});

describe('a parameter', () => {
  test('has its description, its deprecation and its example', () => {
    const parameter = aParameter({ name: 'id', in: 'query', description: 'The id.', example: 'a1b2' });
    expect(describeParameter(parameter)).toBe('The id. Example: "a1b2"');
    expect(describeParameter({ ...parameter, deprecated: true }, { examples: false })).toBe(
      'Deprecated. The id.',
    );
  });

  test('does not repeat an example that its description has', () => {
    expect(describeParameter({ description: 'The id, like a1b2.', example: 'a1b2' })).toBe(
      'The id, like a1b2.',
    );
  });

  test('may have nothing to say', () => {
    expect(describeParameter({})).toBe('');
    expect(describeParameter({ description: 7, deprecated: 'yes' })).toBe('7');
    expect(describeParameter({ deprecated: true })).toBe('Deprecated.');
    expect(describeParameter({ example: [1] })).toBe('Example: [1]');
  });

  test('never takes more than its budget', () => {
    const text = describeParameter({ description: 'word '.repeat(100), example: 'x' });
    expect(text.length).toBeLessThanOrEqual(300);
    expect(text.endsWith('word\u2026')).toBe(true);
    expect(describeParameter({ description: 'four', example: 'x' }, { maxChars: 5 })).toBe('four');
    expect(describeParameter({ description: 'a', example: 'x'.repeat(101) })).toBe('a');
  });
});

test('a value that is too deep is not written', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(compactJson(deep, 1_000_000)).toBeUndefined();
  expect(compactJson([[[]]], 6)).toBe('[[[]]]');
  expect(compactJson([[[]]], 5)).toBeUndefined();
});

describe('a text is cut', () => {
  test.each([
    ['at the end of a sentence', 'First one. Second one is longer.', 16, 'First one. \u2026'],
    ['at the end of a line', 'A line\nanother line', 12, 'A line \u2026'],
    ['at the end of a word', 'several words stand here', 16, 'several words\u2026'],
    ['within a word if there is no other way', 'x'.repeat(30), 10, 'xxxxxxxxx\u2026'],
    ['never within a character', `${'x'.repeat(8)}\u{1f600}xxxxx`, 10, 'xxxxxxxx\u2026'],
    ['not at all if it fits', 'it fits', 7, 'it fits'],
    ['to nothing', 'text', 0, ''],
  ])('%s', (_what, text, maxChars, expected) => {
    expect(cutText(text, maxChars)).toBe(expected);
  });
});
