import { describe, expect, test } from 'vitest';
import { findBaseUrl } from '../../../../src/openapi/mapping/base-url.ts';
import type { BaseUrlOptions } from '../../../../src/openapi/mapping/base-url.ts';
import type { OperationServer } from '../../../../src/openapi/model/operation.ts';

const GIVE = 'Set baseUrl to the URL of the API.';

function find(
  servers: readonly (string | Partial<OperationServer>)[],
  options: Partial<BaseUrlOptions> = {},
): string {
  const listed = servers.map((server) => ({
    url: '',
    description: undefined,
    variables: {},
    ...(typeof server === 'string' ? { url: server } : server),
  }));
  const found = findBaseUrl(
    { servers: listed },
    { baseUrl: undefined, serverVariables: {}, documentUri: 'file:///api.yaml', ...options },
  );
  return 'url' in found ? found.url : `! ${found.problem}`;
}

describe('the address of an API', () => {
  test('is what was given, else the first server that can be used', () => {
    expect(find(['https://a.example/v1'], { baseUrl: 'http://b.example' })).toBe('http://b.example/');
    expect(find(['https://a.example/v1', 'https://b.example'])).toBe('https://a.example/v1');
    expect(find(['/v1', 'https://b.example'])).toBe('https://b.example/');
    expect(find(['HTTPS://A.example/x?y=1#z'])).toBe('https://a.example/x?y=1');
  });

  test.each([
    [['/v1'], 'https://docs.example/api/openapi.yaml', 'https://docs.example/v1'],
    [['v1'], 'https://docs.example/api/openapi.yaml', 'https://docs.example/api/v1'],
    [['//api.example/v1'], 'http://docs.example/x', 'http://api.example/v1'],
    [['//api.example/v1'], 'file:///x.yaml', 'https://api.example/v1'],
    [[], 'https://docs.example/api/openapi.yaml', 'https://docs.example/'],
  ])('%j of the document %s', (servers, documentUri, expected) => {
    expect(find(servers, { documentUri })).toBe(expected);
  });

  test.each([
    [[], `! The document names no server, and it was not loaded from a URL. ${GIVE}`],
    [['/v1'], `! The document's server "/v1" is relative, and it was not loaded from a URL. ${GIVE}`],
    [['https://'], `! "https://" is not a valid URL of an API. ${GIVE}`],
    [['https://a.example/{x'], `! "https://a.example/{x" is not a valid URL of an API. ${GIVE}`],
    [
      ['https://u:p@a.example'],
      '! The URL of the API contains a user name or a password. Use credentials instead.',
    ],
  ])('%j is none', (servers, expected) => {
    expect(find(servers)).toBe(expected);
  });

  test.each([
    ['ftp://a.example', `! "ftp://a.example" is not a valid URL of an API. ${GIVE}`],
    ['api.example', `! "api.example" is not a valid URL of an API. ${GIVE}`],
    ['https://user:secret@[', `! "https://[" is not a valid URL of an API. ${GIVE}`],
  ])('baseUrl %s is none', (baseUrl, expected) => {
    expect(find(['https://a.example'], { baseUrl })).toBe(expected);
  });

  test('an address that cannot be joined with that of the document is none', () => {
    expect(find(['//['], { documentUri: 'https://docs.example' })).toBe(
      `! "//[" is not a valid URL of an API. ${GIVE}`,
    );
    expect(find(['javascript:x'], { documentUri: 'https://docs.example' })).toBe(
      `! "javascript:x" is not a valid URL of an API. ${GIVE}`,
    );
  });
});

describe('variables in it', () => {
  const server = {
    url: 'https://{region}.example:{port}/{path}',
    variables: {
      region: { default: 'eu', enum: ['eu', 'us'] },
      port: { default: undefined, enum: ['443', '8443'] },
      path: { default: 'v1', enum: undefined },
    },
  };

  test('have what was given for them, else their default, else their first choice', () => {
    expect(find([server])).toBe('https://eu.example/v1');
    expect(find([server], { serverVariables: { region: 'us', port: '8443', path: 'a/b' } })).toBe(
      'https://us.example:8443/a/b',
    );
  });

  test('can only be what is listed', () => {
    expect(find([server], { serverVariables: { region: 'uss' } })).toBe(
      '! The server variable region must be one of: eu, us. Did you mean "us"?',
    );
  });

  test('without any value are asked for', () => {
    expect(find(['https://{host}/x'])).toBe(
      `! The server "https://{host}/x" needs a value for {host}: set serverVariables.host, or baseUrl.`,
    );
    expect(find(['https://{toString}/x'])).toContain('needs a value for {toString}');
    expect(find(['https://{host}/x'], { serverVariables: { host: 'a.example' } })).toBe(
      'https://a.example/x',
    );
  });
});
