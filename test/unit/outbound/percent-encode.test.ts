import { expect, test } from 'vitest';
import { percentEncode, percentEncodeExcept } from '../../../src/outbound/percent-encode.ts';

test.each([
  ['aZ09-._~', 'aZ09-._~'],
  [' ', '%20'],
  [":/?#[]@!$&'()*+,;=", '%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D'],
  ['%41', '%2541'],
  ['\u00E4\u{1F600}', '%C3%A4%F0%9F%98%80'],
  ['\0\n', '%00%0A'],
  ['a\uD800b\uDC00', 'a%EF%BF%BDb%EF%BF%BD'],
])('%j is %s', (text, encoded) => {
  expect(percentEncode(text)).toBe(encoded);
});

test.each([
  ['a/b?c', '/', 'a/b%3Fc'],
  ['%41%zz%4', '', '%41%25zz%254'],
  ['\u00E4 \u{1F600}\uD800', '', '%C3%A4%20%F0%9F%98%80%EF%BF%BD'],
  ['%', '%', '%'],
])('%j with %j kept is %s', (text, kept, encoded) => {
  expect(percentEncodeExcept(text, kept)).toBe(encoded);
});
