import { describe, expect, test } from 'vitest';
import { DefinitionError } from '../../../../src/errors/errors.ts';
import { readSecuritySchemes } from '../../../../src/openapi/auth/read-security-schemes.ts';

const same = (value: unknown): unknown => value;
const read3 = (securitySchemes: unknown): ReturnType<typeof readSecuritySchemes> =>
  readSecuritySchemes({ components: { securitySchemes } }, '3.2.0', same);

test('Swagger 2.0', () => {
  const securityDefinitions = {
    user: { type: 'basic' },
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    part: { type: 'apiKey', in: 'query', name: 'key' },
    app: { type: 'oauth2', flow: 'application', tokenUrl: 'https://a.example/t', scopes: { read: 'Reads' } },
    code: {
      type: 'oauth2',
      flow: 'accessCode',
      authorizationUrl: 'https://a.example/a',
      tokenUrl: 'https://a.example/t',
    },
    page: { type: 'oauth2', flow: 'implicit', authorizationUrl: 'https://a.example/a' },
    old: { type: 'oauth2', flow: 'password', tokenUrl: '/t' },
  };
  const { schemes, notes } = readSecuritySchemes({ securityDefinitions }, '2.0', same);
  expect(notes).toEqual([]);
  const oauth = { kind: 'oauth2', metadataUrl: undefined };
  expect([...schemes.values()]).toEqual([
    { kind: 'http', name: 'user', scheme: 'basic' },
    { kind: 'apiKey', name: 'key', in: 'header', parameter: 'X-Key' },
    { kind: 'apiKey', name: 'part', in: 'query', parameter: 'key' },
    { ...oauth, name: 'app', flows: [{ kind: 'clientCredentials', tokenUrl: 'https://a.example/t' }] },
    { ...oauth, name: 'code', flows: [{ kind: 'authorizationCode', tokenUrl: 'https://a.example/t' }] },
    { ...oauth, name: 'page', flows: [{ kind: 'implicit', tokenUrl: undefined }] },
    { ...oauth, name: 'old', flows: [{ kind: 'password', tokenUrl: '/t' }] },
  ]);
});

test('OpenAPI 3', () => {
  const { schemes, notes } = read3({
    cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
    user: { type: 'http', scheme: 'Basic' },
    token: { type: 'http', scheme: 'Bearer', bearerFormat: 'JWT' },
    digest: { type: 'http', scheme: 'digest' },
    oauth: {
      type: 'oauth2',
      oauth2MetadataUrl: 'https://a.example/.well-known/oauth-authorization-server',
      flows: {
        implicit: { authorizationUrl: 'https://a.example/a', scopes: {} },
        deviceAuthorization: {
          deviceAuthorizationUrl: 'https://a.example/d',
          tokenUrl: 'https://a.example/dt',
        },
        clientCredentials: { tokenUrl: 'https://a.example/t', scopes: {} },
      },
    },
    open: { type: 'openIdConnect', openIdConnectUrl: 'https://a.example/.well-known/openid-configuration' },
    tls: { type: 'mutualTLS' },
  });
  expect(notes).toEqual([]);
  expect([...schemes.values()]).toEqual([
    { kind: 'apiKey', name: 'cookie', in: 'cookie', parameter: 'sid' },
    { kind: 'http', name: 'user', scheme: 'basic' },
    { kind: 'http', name: 'token', scheme: 'bearer' },
    { kind: 'http', name: 'digest', scheme: 'digest' },
    {
      kind: 'oauth2',
      name: 'oauth',
      metadataUrl: 'https://a.example/.well-known/oauth-authorization-server',
      flows: [
        { kind: 'clientCredentials', tokenUrl: 'https://a.example/t' },
        { kind: 'deviceAuthorization', tokenUrl: 'https://a.example/dt' },
        { kind: 'implicit', tokenUrl: undefined },
      ],
    },
    {
      kind: 'openIdConnect',
      name: 'open',
      metadataUrl: 'https://a.example/.well-known/openid-configuration',
    },
    { kind: 'mutualTLS', name: 'tls' },
  ]);
});

test.each([
  [null, 'it is not an object'],
  [[], 'it is not an object'],
  [{}, 'it has no type'],
  [{ type: 7 }, 'it has no type'],
  [
    { type: 'x\u202Ey' },
    'its type "x y" is unknown. Known: apiKey, basic, http, mutualTLS, oauth2, openIdConnect',
  ],
  [{ type: 'apiKey', name: 'k' }, 'its "in" must be one of: header, query, cookie'],
  [{ type: 'apiKey', name: 'k', in: 'body' }, 'its "in" must be one of: header, query, cookie'],
  [{ type: 'apiKey', in: 'query' }, 'its query has no name'],
  [{ type: 'apiKey', in: 'header', name: 'X-A\r\nX-B' }, '"X-A  X-B" is not a valid header name'],
  [{ type: 'apiKey', in: 'header', name: 'Host' }, '"Host" is not a valid header name'],
  [{ type: 'apiKey', in: 'cookie', name: 'a; b' }, '"a; b" is not a valid cookie name'],
  [{ type: 'http' }, 'it has no "scheme"'],
  [{ type: 'http', scheme: 'a b' }, '"a b" is not an HTTP authentication scheme'],
])('a scheme that cannot be used costs that scheme alone: %o', (wrong, why) => {
  const { schemes, notes } = read3({ wrong, right: { type: 'http', scheme: 'basic' } });
  expect([...schemes.keys()]).toEqual(['right']);
  expect(notes).toEqual([`Security scheme "wrong" is left out: ${why}.`]);
});

test.each([undefined, null, 7, 'x', [1], { securitySchemes: [] }, { securitySchemes: 'x' }])(
  'components that are %o have no schemes',
  (components) => {
    expect(readSecuritySchemes({ components }, '3.0.3', same)).toEqual({ schemes: new Map(), notes: [] });
  },
);

test('flows of wrong shapes are none', () => {
  const { schemes } = read3({
    oauth: { type: 'oauth2', flows: { clientCredentials: 'x', password: { tokenUrl: 5 } } },
  });
  expect(schemes.get('oauth')).toMatchObject({ flows: [{ kind: 'password', tokenUrl: undefined }] });
});

test('names of objects are names like all others', () => {
  const schemes = JSON.parse(
    '{"__proto__":{"type":"http","scheme":"basic"},"constructor":{"type":"mutualTLS"}}',
  ) as object;
  expect([...read3(schemes).schemes.keys()]).toEqual(['__proto__', 'constructor']);
  expect(
    readSecuritySchemes(JSON.parse('{"__proto__":{"components":{}}}') as object as never, '3.0', same).notes,
  ).toEqual([]);
});

describe('references', () => {
  const target = { type: 'http', scheme: 'basic' };

  test('are followed', () => {
    const resolve = (value: unknown): unknown =>
      (value as { $ref?: string }).$ref === '#/x' ? target : value;
    const root = { components: { securitySchemes: { a: { $ref: '#/x' } } } };
    expect(readSecuritySchemes(root, '3.1', resolve).schemes.get('a')).toEqual({
      kind: 'http',
      name: 'a',
      scheme: 'basic',
    });
  });

  test('that lead nowhere cost their scheme alone', () => {
    const resolve = (): unknown => {
      throw new DefinitionError('"#/x" cannot be resolved.');
    };
    const root = { components: { securitySchemes: { a: { $ref: '#/x' } } } };
    expect(readSecuritySchemes(root, '3.1', resolve).notes).toEqual([
      'Security scheme "a" is left out: "#/x" cannot be resolved.',
    ]);
    expect(readSecuritySchemes(root, '3.1', () => undefined).notes).toEqual([
      'Security scheme "a" is left out: it is not an object.',
    ]);
  });
});
