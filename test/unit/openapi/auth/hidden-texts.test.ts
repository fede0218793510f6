import { describe, expect, test } from 'vitest';
import { HiddenTexts } from '../../../../src/openapi/auth/secrets/hidden-texts.ts';

const KEY = 'AbC+dEf/123 é==';
const hidden = new HiddenTexts([[KEY, '[redacted]']]);

/** All spellings of the key in responses that repeat it. */
const WRITTEN = {
  'as it is': 'AbC+dEf/123 é==',
  'in an address': 'AbC%2BdEf%2F123%20%C3%A9%3D%3D',
  'in an address, in small letters': 'AbC%2bdEf%2f123%20%c3%a9%3d%3d',
  'in an address that escapes each character': '%41%62%43%2b%64%45%66%2f%31%32%33%20%c3%a9%3d%3d',
  'in a part of an address': 'AbC+dEf/123%20%C3%A9==',
  'in a form': 'AbC%2BdEf%2F123+%C3%A9%3D%3D',
  'in a form, in small letters': 'AbC%2bdEf%2f123+%c3%a9%3d%3d',
  'in an address, as Latin-1': 'AbC%2BdEf%2F123%20%E9%3D%3D',
  'in an address in an address': 'AbC%252bdEf%252f123%2520%25c3%25a9%253d%253d',
  'as decimal entities': 'AbC&#43;dEf&#47;123 &#233;&#61;&#061;',
  'as hexadecimal entities': 'AbC&#x2B;dEf&#x2f;123&#x20;&#xE9;&#X3D;&#x003d;',
  'as named entities': 'AbC&plus;dEf&sol;123 é&equals;&equals;',
  'as escapes of JSON': String.raw`AbC\u002BdEf\/123 \u00e9\u003d=`,
  'as escapes of JSON in JSON': String.raw`AbC\\u002bdEf\\\/123 \\u00e9==`,
  'as escapes of JavaScript': String.raw`AbC\x2BdEf\u{2f}123 \xe9==`,
  'as escapes of JSON in HTML': 'AbC&#92;u002BdEf/123 é==',
};

describe('a text', () => {
  test.each(Object.entries(WRITTEN))('is shown without a secret that it has %s', (_how, written) => {
    expect(hidden.hide(`a%20b <${written}> &amp;\\n é`)).toBe('a%20b <[redacted]> &amp;\\n é');
    expect(hidden.hide(written)).toBe('[redacted]');
  });

  test.each([
    'nothing',
    '100 % of &c \\',
    'AbC+dEf/123',
    '%',
    '%4',
    '&#;',
    '&#x110000;',
    '\\u12',
    '\\u{}',
    '\\ud83d',
    '&unknown;',
  ])('without a secret stays as it is: %s', (text) => {
    expect(hidden.hide(text)).toBe(text);
  });

  test('is shown without a secret beyond the first 65,536 characters', () => {
    const smile = new HiddenTexts([['key😀key', '*']]);
    for (const written of [
      'key😀key',
      String.raw`key\ud83d\uDE00key`,
      'key&#128512;key',
      'key%f0%9f%98%80key',
    ])
      expect(smile.hide(`1${written}2`)).toBe('1*2');
  });

  test('is shown without the whole of a longer secret, however either is written', () => {
    const both = new HiddenTexts([
      ['abcd', '[short]'],
      ['abcd+efgh', '[long]'],
    ]);
    expect(both.hide('abcd abcd+efgh abcd%2befgh abcd%2be')).toBe('[short] [long] [long] [short]%2be');
  });

  test('is shown without a secret that has escapes itself', () => {
    const odd = new HiddenTexts([[String.raw`p%41s\u0041&amp;x`, '*']]);
    for (const written of [
      String.raw`p%41s\u0041&amp;x`,
      String.raw`p%41s\\u0041&amp;x`,
      String.raw`p%2541s%5cu0041%26amp%3bx`,
      String.raw`p%41s\u0041&amp;amp;x`,
    ])
      expect(odd.hide(`<${written}>`)).toBe('<*>');
  });

  test('keeps what was put in, even if it has a secret in it', () => {
    expect(new HiddenTexts([['env:', '${env:KEY}']]).hide('%20env: env%3a')).toBe('%20${env:KEY} ${env:KEY}');
  });

  test('may have what is too short to be a secret', () => {
    expect(new HiddenTexts([['abc', '*']]).hide('abc %61bc')).toBe('abc %61bc');
  });
});

describe('bytes', () => {
  test.each(Object.entries(WRITTEN))('have a secret in them %s', (_how, written) => {
    expect(hidden.isIn(Buffer.from(`\u0000\u0001${written}\u0002`))).toBe(true);
  });

  test.each(['latin1', 'utf16le'] as const)('have a secret in them in %s', (encoding) => {
    const bytes = Buffer.from(`X-Key: ${KEY}\r\n`, encoding);
    expect(hidden.isIn(bytes)).toBe(true);
    if (encoding === 'utf16le') expect(hidden.isIn(bytes.swap16())).toBe(true);
  });

  test('have none in them', () => {
    expect(hidden.isIn(Buffer.from('X-Key: AbC+dEf/123'))).toBe(false);
    expect(hidden.isIn(Buffer.alloc(0))).toBe(false);
    expect(new HiddenTexts([]).isIn(Buffer.from('anything'))).toBe(false);
  });

  test('may have by chance what is short', () => {
    expect(new HiddenTexts([['abcdefg', '*']]).isIn(Buffer.from('abcdefg'))).toBe(false);
  });
});
