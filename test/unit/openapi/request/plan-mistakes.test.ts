import { describe, expect, test } from 'vitest';
import { DefinitionError } from '../../../../src/errors/errors.ts';
import { compileRequest } from '../../../../src/openapi/request/compile-request.ts';
import type { RequestPlan } from '../../../../src/openapi/request/request-plan.ts';
import { bodyPlan, parameter, planOf, properties, whole } from './recorder.ts';

const BASE = 'https://api.example.com';

function mistakeOf(plan: RequestPlan, baseUrl = BASE): string {
  try {
    compileRequest(plan, baseUrl);
  } catch (error) {
    expect(error).toBeInstanceOf(DefinitionError);
    return (error as DefinitionError).message;
  }
  throw new Error('nothing is wrong with it');
}

describe('the path', () => {
  test.each([
    ['/{id}', [], 'Missing path parameter "id" of GET /{id}: the path has "{id}".'],
    ['/{}', [], 'Missing path parameter "" of GET /{}: the path has "{}".'],
    ['/x?a={a}', [], 'Missing path parameter "a" of GET /x?a={a}: the path has "{a}".'],
    ['/x', ['id'], 'Unknown path parameter "id" of GET /x: the path has no "{id}".'],
    ['/x#{id}', ['id'], 'Unknown path parameter "id" of GET /x#{id}: the path has no "{id}".'],
    ['/{id', ['id'], 'The path of GET /{id has an unmatched "{".'],
    ['/id}', ['id'], 'The path of GET /id} has an unmatched "}".'],
    ['/{{id}}', ['id'], 'The path of GET /{{id}} has an unmatched "{".'],
    ['/a/../b', [], 'The path of GET /a/../b has a segment "." or "..".'],
    ['/a/./b', [], 'The path of GET /a/./b has a segment "." or "..".'],
    ['/a/%2E%2e', [], 'The path of GET /a/%2E%2e has a segment "." or "..".'],
  ])('%s with %o', (path, names, message) => {
    expect(
      mistakeOf(
        planOf(
          path,
          names.map((name) => parameter('path', name)),
        ),
      ),
    ).toBe(message);
  });
});

describe('headers', () => {
  test.each([
    'authorization',
    'Proxy-Authorization',
    'Cookie',
    'Host',
    'Content-Length',
    'Transfer-Encoding',
    'Connection',
    'TE',
    'Upgrade',
    'Trailer',
    'Keep-Alive',
    'Expect',
    'Proxy-Connection',
    'Content-Type',
    'Set-Cookie',
    '',
    'a b',
    'a:b',
    'a\r\nb',
    '\u00E4',
    '(a)',
  ])('%j cannot be one', (name) => {
    expect(mistakeOf(planOf('/x', [parameter('header', name)]))).toBe(
      `The header ${JSON.stringify(name)} of GET /x cannot be set by an argument.`,
    );
  });
});

test('two parameters of one name in one place', () => {
  expect(mistakeOf(planOf('/x', [parameter('query', 'a'), parameter('query', 'a')]))).toBe(
    'The query parameter "a" of GET /x is defined twice.',
  );
  expect(mistakeOf(planOf('/x', [parameter('header', 'X-A'), parameter('header', 'x-a')]))).toBe(
    'The header parameter "x-a" of GET /x is defined twice.',
  );
  const others = [parameter('query', 'a'), parameter('query', 'A'), parameter('cookie', 'a')];
  compileRequest(planOf('/x', others), BASE);
});

describe('bodies', () => {
  test.each(['', ' ', 'text/plain\r\nX-Evil: 1', 'text/\u0100'])('%j is no media type', (mediaType) => {
    expect(mistakeOf(bodyPlan(whole(mediaType)))).toBe(
      `Invalid media type ${JSON.stringify(mediaType)} in the body of POST /x.`,
    );
  });

  test('one with parts is not one file', () => {
    expect(mistakeOf(bodyPlan(whole('multipart/form-data', 'body', true)))).toBe(
      'The body of POST /x is multipart/form-data, which has parts, and cannot be one file.',
    );
  });

  test.each([
    [{ headers: { 'X-A': 'a\r\nb' } }, 'X-A'],
    [{ headers: { 'X A': 'a' } }, 'X A'],
    [{ contentType: 'a/b\r\nX-Evil: 1' }, 'content-type'],
  ])('an encoding of %o', (encoding, header) => {
    expect(mistakeOf(bodyPlan(properties('multipart/form-data', ['a'], { a: encoding })))).toBe(
      `The encoding of "a" in the body of POST /x has the header "${header}", which cannot be sent. Remove it from the document.`,
    );
  });
});

test.each([
  '',
  '/v1',
  'api.example.com',
  'ftp://example.com',
  'file:///etc',
  'data:,a',
  'https://',
  '{server}',
])('the base URL %j is refused', (baseUrl) => {
  expect(mistakeOf(planOf('/x'), baseUrl)).toBe(
    'The base URL of GET /x must be absolute, such as https://api.example.com/v1.',
  );
});

test('a base URL with a password is refused, and not shown', () => {
  expect(mistakeOf(planOf('/x'), 'https://me:secret@example.com')).toBe(
    'The base URL of GET /x must not have a user name or password. Use credentials.',
  );
});
