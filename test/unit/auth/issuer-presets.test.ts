import { describe, expect, test } from 'vitest';
import { issuerPreset, jwt } from '../../../src/auth.ts';
import type { IssuerPresetName, JwtOptions, Verdict } from '../../../src/auth.ts';
import { createTestIssuer } from '../../../src/testing.ts';
import type { TestTokenOptions } from '../../../src/testing.ts';

const SERVER = 'https://api.example.com/mcp';

/** The verdict on a token of an issuer with this name and these claims, signed as the preset says. No request leaves the process. */
async function verify(options: JwtOptions, token: TestTokenOptions, keysAt: string[] = []): Promise<Verdict> {
  const issuer = await createTestIssuer({
    issuer: options.issuer,
    algorithm: options.algorithms?.[0] ?? 'RS256',
  });
  const verifier = jwt({
    ...options,
    fetch: (url, init) => {
      keysAt.push(url);
      return issuer.jwtOptions.fetch?.(url, init) ?? Promise.reject(new Error('no fetch'));
    },
  });
  const value = `Bearer ${await issuer.tokenFor(token)}`;
  return verifier.verify({
    method: 'POST',
    url: '/mcp',
    headers: { get: (name) => (name === 'authorization' ? value : null) },
    address: undefined,
  });
}

/** Facts of an identity provider: the options, and an access token as it issues them. */
interface Facts {
  readonly name: IssuerPresetName;
  /** Repository and path, or package and file, of each fact. */
  readonly sources: readonly string[];
  readonly options: JwtOptions;
  readonly expected: object;
  readonly keys: string;
  readonly token: TestTokenOptions;
  readonly principal: object;
}

const FACTS: readonly Facts[] = [
  {
    name: 'auth0',
    sources: [
      // issuer with its slash, jwks_uri
      'auth0/auth0-auth-js packages/auth0-api-js/src/api-client.spec.ts, mockOpenIdConfiguration',
      // RS256
      'auth0/auth0-auth-js packages/auth0-api-js/src/api-client.ts, normalizeAlgorithms; src/test-utils/tokens.ts',
      // permissions, of an access token
      'auth0/docs articles/authorization/rbac/enable-rbac.md, Token Dialect Options, access_token_authz',
      // org_id
      'auth0/auth0-auth-js packages/auth0-auth-js/src/auth-client.spec.ts, org_id',
    ],
    options: issuerPreset('auth0', { domain: 'auth0.local', audience: SERVER }),
    expected: {
      issuer: 'https://auth0.local/',
      audience: 'https://api.example.com/mcp',
      jwksUri: 'https://auth0.local/.well-known/jwks.json',
      algorithms: ['RS256'],
      scopesClaim: 'scope',
      rolesClaim: 'permissions',
      tenantClaim: 'org_id',
    },
    keys: 'https://auth0.local/.well-known/jwks.json',
    token: {
      sub: 'auth0|1',
      audience: SERVER,
      scopes: ['read:data'],
      claims: { permissions: ['read:data', 'write:data'], org_id: 'org_abc123' },
      header: { typ: 'JWT' },
    },
    principal: {
      id: 'https://auth0.local/|auth0|1',
      scopes: ['read:data'],
      roles: ['read:data', 'write:data'],
      tenant: 'org_abc123',
    },
  },
  {
    name: 'better-auth',
    sources: [
      // issuer, jwks_uri, EdDSA
      'better-auth/better-auth packages/oauth-provider/src/metadata.test.ts',
      // typ, scope, aud
      'better-auth/better-auth packages/oauth-provider/src/resources-e2e.test.ts; src/token.ts, JWT_ACCESS_TOKEN_TYPE',
    ],
    options: issuerPreset('better-auth', { url: 'http://localhost:3000/api/auth', audience: SERVER }),
    expected: {
      issuer: 'http://localhost:3000/api/auth',
      audience: 'https://api.example.com/mcp',
      jwksUri: 'http://localhost:3000/api/auth/jwks',
      algorithms: ['EdDSA'],
      typ: 'at+jwt',
      scopesClaim: 'scope',
    },
    keys: 'http://localhost:3000/api/auth/jwks',
    token: { sub: 'u1', audience: [SERVER], claims: { azp: 'client-1', scope: 'openid notes:read' } },
    principal: { id: 'http://localhost:3000/api/auth|u1', scopes: ['openid', 'notes:read'], roles: [] },
  },
  {
    name: 'clerk',
    sources: [
      // iss, client_id, scope, no aud
      'clerk/javascript packages/backend/src/fixtures/index.ts, mockOAuthAccessTokenJwtPayload',
      // RS256, at+jwt
      'clerk/javascript packages/backend/src/fixtures/machine.ts, mockSignedOAuthAccessTokenJwt',
      // scp
      'clerk/javascript packages/backend/src/api/resources/IdPOAuthAccessToken.ts',
      // jwks_uri
      '@clerk/mcp-tools 0.6.0 dist/server.mjs',
    ],
    options: issuerPreset('clerk', {
      domain: 'clerk.oauth.example.test',
      clientId: 'client_2VTWUzvGC5UhdJCNx6xG1D98edc',
    }),
    expected: {
      issuer: 'https://clerk.oauth.example.test',
      audience: 'client_2VTWUzvGC5UhdJCNx6xG1D98edc',
      audienceClaim: 'client_id',
      jwksUri: 'https://clerk.oauth.example.test/.well-known/jwks.json',
      algorithms: ['RS256'],
      typ: 'at+jwt',
      scopesClaim: ['scp', 'scope'],
    },
    keys: 'https://clerk.oauth.example.test/.well-known/jwks.json',
    token: {
      sub: 'user_2vYVtestTESTtestTESTtestTESTtest',
      claims: {
        aud: undefined,
        azp: 'https://accounts.inspired.puma-74.lcl.dev',
        client_id: 'client_2VTWUzvGC5UhdJCNx6xG1D98edc',
        scope: 'read:foo write:bar',
      },
    },
    principal: {
      id: 'https://clerk.oauth.example.test|user_2vYVtestTESTtestTESTtestTESTtest',
      scopes: ['read:foo', 'write:bar'],
      roles: [],
    },
  },
  {
    name: 'cognito',
    sources: [
      // issuer, JWKS
      'aws-jwt-verify 5.2.1 dist/cjs/cognito-verifier.js, parseUserPoolId',
      // token_use, client_id, cognito:groups, RS256
      'awslabs/aws-jwt-verify tests/unit/cognito-verifier.test.ts; src/jwt-model.ts, CognitoAccessTokenFields',
    ],
    options: issuerPreset('cognito', { userPoolId: 'us-east-1_123456', clientId: 'myclientid' }),
    expected: {
      issuer: 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_123456',
      audience: 'myclientid',
      audienceClaim: 'client_id',
      jwksUri: 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_123456/.well-known/jwks.json',
      algorithms: ['RS256'],
      requiredValues: { token_use: 'access' },
      scopesClaim: 'scope',
      rolesClaim: 'cognito:groups',
    },
    keys: 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_123456/.well-known/jwks.json',
    token: {
      sub: 'aaaa-bbbb',
      claims: {
        aud: undefined,
        client_id: 'myclientid',
        token_use: 'access',
        scope: 'notes/read',
        'cognito:groups': ['users', 'others', 'admin'],
      },
      header: { typ: undefined },
    },
    principal: {
      id: 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_123456|aaaa-bbbb',
      scopes: ['notes/read'],
      roles: ['users', 'others', 'admin'],
    },
  },
  {
    name: 'entra',
    sources: [
      // issuer and jwks_uri of v2.0
      'AzureAD/microsoft-authentication-library-for-js lib/msal-common/src/authority/AuthorityMetadata.ts, rawMetdataJSON',
      // scp, roles, tid
      'AzureAD/microsoft-identity-web src/Microsoft.Identity.Web.TokenAcquisition/ClaimConstants.cs',
      // api://<client id>/access_as_user in requests; access_as_user alone where the scope of a token is checked
      'AzureAD/microsoft-identity-web tests/DevApps/WebAppCallsWebApiCallsGraph/Client/appsettings.json; src/Microsoft.Identity.Web/Policy/RequiredScopeAttribute.cs',
      // scp as a string with spaces, RS256
      'AzureAD/passport-azure-ad lib/bearerstrategy.js; test/Chai-passport_test/bearer_flow_test.js',
    ],
    options: issuerPreset('entra', {
      tenantId: '268da1a1-9db4-48b9-b1fe-683250ba90cc',
      audience: '11111111-2222-3333-4444-555555555555',
    }),
    expected: {
      issuer: 'https://login.microsoftonline.com/268da1a1-9db4-48b9-b1fe-683250ba90cc/v2.0',
      audience: '11111111-2222-3333-4444-555555555555',
      jwksUri: 'https://login.microsoftonline.com/268da1a1-9db4-48b9-b1fe-683250ba90cc/discovery/v2.0/keys',
      algorithms: ['RS256'],
      scopesClaim: 'scp',
      scopePrefix: 'api://11111111-2222-3333-4444-555555555555/',
      rolesClaim: 'roles',
      tenantClaim: 'tid',
    },
    keys: 'https://login.microsoftonline.com/268da1a1-9db4-48b9-b1fe-683250ba90cc/discovery/v2.0/keys',
    token: {
      sub: 'AAAA',
      audience: '11111111-2222-3333-4444-555555555555',
      claims: {
        scp: 'Notes.Read Notes.Write',
        roles: ['Admin'],
        tid: '268da1a1-9db4-48b9-b1fe-683250ba90cc',
        ver: '2.0',
      },
      header: { typ: 'JWT' },
    },
    principal: {
      id: 'https://login.microsoftonline.com/268da1a1-9db4-48b9-b1fe-683250ba90cc/v2.0|AAAA',
      scopes: ['Notes.Read', 'Notes.Write'],
      roles: ['Admin'],
      tenant: '268da1a1-9db4-48b9-b1fe-683250ba90cc',
    },
  },
  {
    name: 'keycloak',
    sources: [
      // issuer
      'keycloak-connect 26.1.1 middleware/auth-utils/config.js, realmUrl',
      // JWKS
      'keycloak-connect 26.1.1 middleware/auth-utils/rotation.js',
      // realm_access.roles
      'keycloak-connect 26.1.1 test/fixtures/auth-utils/nodejs-test-realm.json; middleware/auth-utils/token.js',
      // typ Bearer, azp, RS256
      'keycloak-connect 26.1.1 middleware/auth-utils/grant-manager.js, validateGrant',
    ],
    options: issuerPreset('keycloak', {
      url: 'http://localhost:8080/auth/',
      realm: 'nodejs-test',
      audience: SERVER,
    }),
    expected: {
      issuer: 'http://localhost:8080/auth/realms/nodejs-test',
      audience: 'https://api.example.com/mcp',
      jwksUri: 'http://localhost:8080/auth/realms/nodejs-test/protocol/openid-connect/certs',
      algorithms: ['RS256'],
      requiredValues: { typ: 'Bearer' },
      scopesClaim: 'scope',
      rolesClaim: 'realm_access.roles',
    },
    keys: 'http://localhost:8080/auth/realms/nodejs-test/protocol/openid-connect/certs',
    token: {
      sub: 'k1',
      audience: [SERVER, 'account'],
      claims: {
        typ: 'Bearer',
        azp: 'inspector',
        scope: 'openid notes:read',
        realm_access: { roles: ['editor'] },
        resource_access: { account: { roles: ['view-profile'] } },
      },
      header: { typ: 'JWT' },
    },
    principal: {
      id: 'http://localhost:8080/auth/realms/nodejs-test|k1',
      scopes: ['openid', 'notes:read'],
      roles: ['editor'],
    },
  },
  {
    name: 'okta',
    sources: [
      // issuer, aud, scp as an array, RS256, groups
      '@okta/jwt-verifier 4.0.2 README.md; lib.d.ts, Algorithm and scp',
      // JWKS
      '@okta/jwt-verifier 4.0.2 lib.js, getJwksUri',
    ],
    options: issuerPreset('okta', { domain: 'acme.okta.com', audience: 'api://default' }),
    expected: {
      issuer: 'https://acme.okta.com/oauth2/default',
      audience: 'api://default',
      jwksUri: 'https://acme.okta.com/oauth2/default/v1/keys',
      algorithms: ['RS256'],
      scopesClaim: 'scp',
      rolesClaim: 'groups',
    },
    keys: 'https://acme.okta.com/oauth2/default/v1/keys',
    token: {
      sub: 'ada@example.com',
      audience: 'api://default',
      claims: { scp: ['openid', 'email', 'profile'], groups: ['Everyone'], cid: '0oa1' },
      header: { typ: undefined },
    },
    principal: {
      id: 'https://acme.okta.com/oauth2/default|ada@example.com',
      scopes: ['openid', 'email', 'profile'],
      roles: ['Everyone'],
    },
  },
  {
    name: 'supabase',
    sources: [
      // jwks_uri
      'supabase/auth internal/api/jwks.go, WellKnownOpenID',
      // RS256, ES256
      'supabase/auth internal/conf/jwk.go, GetSigningAlg',
      // role, scope, aud
      'supabase/auth internal/tokens/service.go, AccessTokenClaims; hack/test.env, GOTRUE_JWT_AUD',
      // issuer of a project
      'supabase/supabase apps/docs/content/guides/auth/jwt-fields.mdx, iss',
    ],
    options: issuerPreset('supabase', { url: 'https://abc123.supabase.co', audience: 'authenticated' }),
    expected: {
      issuer: 'https://abc123.supabase.co/auth/v1',
      audience: 'authenticated',
      jwksUri: 'https://abc123.supabase.co/auth/v1/.well-known/jwks.json',
      algorithms: ['ES256', 'RS256'],
      scopesClaim: 'scope',
      rolesClaim: 'role',
    },
    keys: 'https://abc123.supabase.co/auth/v1/.well-known/jwks.json',
    token: {
      sub: '7f2c',
      audience: 'authenticated',
      claims: { role: 'authenticated', client_id: 'c1', scope: 'openid email' },
      header: { typ: 'JWT' },
    },
    principal: {
      id: 'https://abc123.supabase.co/auth/v1|7f2c',
      scopes: ['openid', 'email'],
      roles: ['authenticated'],
    },
  },
  {
    name: 'workos',
    sources: [
      // issuer, JWKS, org_id; aud is the client id of the environment if no resource is requested
      'workos/pipes-mcp lib/mcp/with-authkit.ts; workos/mcp.shop lib/with-authkit.ts',
      // issuer and JWKS in the discovery document of signin.workos.com
      'api-evangelist/workos well-known/workos-signin-oauth-authorization-server.json',
      // RS256, typ JWT, roles, org_id
      'workos/emulate src/core/jwt.ts, sign; src/core/jwt.spec.ts; src/workos/routes/auth.ts',
      // JWKS at /oauth2/jwks; scope as a string with spaces
      'workos/emulate src/workos/routes/oauth.ts; src/workos/routes/oauth.spec.ts',
      // aud is the resource, by tests of others than WorkOS
      'PrefectHQ/fastmcp tests/server/auth/providers/test_workos.py, TestAuthKitAudienceBinding',
    ],
    options: issuerPreset('workos', { domain: 'test.authkit.app', audience: SERVER }),
    expected: {
      issuer: 'https://test.authkit.app',
      audience: 'https://api.example.com/mcp',
      jwksUri: 'https://test.authkit.app/oauth2/jwks',
      algorithms: ['RS256'],
      scopesClaim: 'scope',
      rolesClaim: 'roles',
      tenantClaim: 'org_id',
    },
    keys: 'https://test.authkit.app/oauth2/jwks',
    token: {
      sub: 'user_01',
      audience: SERVER,
      claims: {
        org_id: 'org_01EHZNVPK3SFK441A1RGBFSHRT',
        role: 'member',
        roles: ['member', 'editor'],
        scope: 'read write',
      },
      header: { typ: 'JWT' },
    },
    principal: {
      id: 'https://test.authkit.app|user_01',
      scopes: ['read', 'write'],
      roles: ['member', 'editor'],
      tenant: 'org_01EHZNVPK3SFK441A1RGBFSHRT',
    },
  },
];

describe.each(FACTS)('$name', ({ options, expected, keys, token, principal, sources }) => {
  test('has the options that its sources state', () => {
    expect(sources.length).toBeGreaterThan(0);
    expect(options).toEqual(expected);
  });

  test('accepts an access token as the provider issues it', async () => {
    const keysAt: string[] = [];
    expect(await verify(options, token, keysAt)).toMatchObject({ kind: 'verified', principal });
    expect(keysAt).toEqual([keys]);
  });

  test('rejects the same token for another audience, of another issuer and with another algorithm', async () => {
    const claims = { ...token.claims };
    const elsewhere = { aud: 'https://other.example.com/mcp', client_id: 'other' };
    expect(await verify(options, { ...token, claims: { ...claims, ...elsewhere } })).toEqual({
      kind: 'invalid',
      description: 'The token is for another audience.',
    });
    expect(await verify(options, { ...token, claims: { ...claims, iss: 'https://evil.example' } })).toEqual({
      kind: 'invalid',
      description: 'The token is of another issuer.',
    });
    const issuer = await createTestIssuer({ issuer: options.issuer, algorithm: 'PS256' });
    const value = `Bearer ${await issuer.tokenFor(token)}`;
    const request = { method: 'POST', url: '/', headers: { get: () => value }, address: undefined };
    expect(await jwt({ ...options, ...pick(issuer.jwtOptions) }).verify(request)).toEqual({
      kind: 'invalid',
      description: 'The signature algorithm is not allowed.',
    });
  });
});

function pick({ fetch }: JwtOptions): Pick<JwtOptions, 'fetch'> {
  return fetch === undefined ? {} : { fetch };
}

test('every preset has its facts here', () => {
  expect(FACTS.map(({ name }) => name)).toEqual([
    'auth0',
    'better-auth',
    'clerk',
    'cognito',
    'entra',
    'keycloak',
    'okta',
    'supabase',
    'workos',
  ]);
});

describe('tokens that are no access tokens', () => {
  const cognito = issuerPreset('cognito', { userPoolId: 'us-east-1_123456', clientId: 'myclientid' });

  test('Cognito: an ID token', async () => {
    const claims = { aud: 'myclientid', token_use: 'id' };
    expect(await verify(cognito, { sub: 'a', claims, header: { typ: undefined } })).toEqual({
      kind: 'invalid',
      description: 'The claim "token_use" is not valid.',
    });
  });

  test('Cognito: a token without client_id and aud', async () => {
    const claims = { aud: undefined, token_use: 'access' };
    expect(await verify(cognito, { sub: 'a', claims, header: { typ: undefined } })).toEqual({
      kind: 'invalid',
      description: 'The token is for another audience.',
    });
  });

  test('Cognito: a token of the same client for another server', async () => {
    const claims = { aud: 'https://other.example.com', client_id: 'myclientid', token_use: 'access' };
    expect(await verify(cognito, { sub: 'a', claims })).toMatchObject({ kind: 'invalid' });
  });

  test('Cognito: a token without aud, where the audience is this server', async () => {
    const options = issuerPreset('cognito', { userPoolId: 'us-east-1_123456', audience: SERVER });
    const claims = { client_id: 'myclientid', token_use: 'access' };
    expect(await verify(options, { sub: 'a', audience: SERVER, claims })).toMatchObject({ kind: 'verified' });
    expect(await verify(options, { sub: 'a', claims: { ...claims, aud: undefined } })).toEqual({
      kind: 'invalid',
      description: 'The token has no claim "aud".',
    });
  });

  test('Keycloak: an ID token', async () => {
    const options = issuerPreset('keycloak', { url: 'https://id.example.com', realm: 'r', audience: SERVER });
    expect(await verify(options, { sub: 'a', audience: SERVER, claims: { typ: 'ID' } })).toEqual({
      kind: 'invalid',
      description: 'The claim "typ" is not valid.',
    });
  });

  test('Clerk: a session token', async () => {
    const options = issuerPreset('clerk', { domain: 'clerk.example.com', clientId: 'c1' });
    const token = { sub: 'a', claims: { aud: undefined, client_id: 'c1' }, header: { typ: 'JWT' } };
    expect(await verify(options, token)).toEqual({
      kind: 'invalid',
      description: 'The token is of another type.',
    });
  });
});

test('Entra v1.0 has another issuer and other keys', () => {
  const options = issuerPreset('entra', {
    tenantId: '10C419D4-4A50-45B2-AA4E-919FB84DF24F',
    audience: 'api://notes',
    version: 'v1.0',
  });
  expect(options).toMatchObject({
    // AzureAD/microsoft-identity-web tests/Microsoft.Identity.Web.Test.Common/TestConstants.cs, V1Issuer
    issuer: 'https://sts.windows.net/10c419d4-4a50-45b2-aa4e-919fb84df24f/',
    // AzureAD/azure-activedirectory-identitymodel-extensions-for-dotnet test/Microsoft.IdentityModel.Protocols.OpenIdConnect.Tests/OpenIdConfigData.cs,
    // the document with the issuer https://sts.windows.net/{tenantid}/
    jwksUri: 'https://login.microsoftonline.com/common/discovery/keys',
    scopePrefix: 'api://notes/',
  });
});

test.each([
  [{ audience: 'https://notes.example.com' }, 'https://notes.example.com/'],
  [{ audience: ['1-2', 'api://notes'] }, 'api://1-2/'],
  [
    { audience: '1-2', applicationIdUri: 'https://acme.onmicrosoft.com/notes/' },
    'https://acme.onmicrosoft.com/notes/',
  ],
])('Entra: %j has the scope prefix %s', (params, prefix) => {
  const tenantId = '268da1a1-9db4-48b9-b1fe-683250ba90cc';
  expect(issuerPreset('entra', { tenantId, ...params }).scopePrefix).toBe(prefix);
});

describe('invalid parameters', () => {
  const give = issuerPreset as (name: string, params?: unknown) => JwtOptions;

  test.each<[string, unknown, string]>([
    [
      'google',
      {},
      'issuerPreset: name must be "auth0", "better-auth", "clerk", "cognito", "entra", "keycloak", "okta", "supabase" or "workos"; received "google".',
    ],
    ['auth0', undefined, "issuerPreset('auth0'): params is required; expected an object."],
    [
      'auth0',
      { domain: 'https://acme.auth0.com', audience: 'a' },
      'issuerPreset(\'auth0\'): domain must be a domain without scheme and path, such as "id.example.com"; received "https://acme.auth0.com".',
    ],
    [
      'auth0',
      { domain: 'acme.auth0.com' },
      "issuerPreset('auth0'): audience is required; expected a non-empty string or an array of non-empty strings.",
    ],
    [
      'entra',
      { tenantId: 'common', audience: 'a' },
      'issuerPreset(\'entra\'): tenantId must be the id of one tenant, a GUID: neither a domain nor "common" is in tokens; received "common".',
    ],
    [
      'cognito',
      { userPoolId: 'us-east-1_123456' },
      "issuerPreset('cognito'): clientId must be the id of an app client, or audience the URL of this server: one of them, not both.",
    ],
    [
      'cognito',
      { userPoolId: '123456', clientId: 'c' },
      'issuerPreset(\'cognito\'): userPoolId must be the id of a user pool such as "eu-west-1_AbCdEf123"; received "123456".',
    ],
  ])('%s with %j', (name, params, message) => {
    expect(() => give(name, params)).toThrow(expect.objectContaining({ message }));
  });

  test('an unknown parameter', () => {
    expect(() => give('okta', { domain: 'a.okta.com', audience: 'a', tenant: 'x' })).toThrow('tenant');
  });

  test('of jwt', () => {
    const options = { issuer: 'https://id.example.com', audience: 'a' };
    expect(() => jwt({ ...options, audienceClaim: '' })).toThrow('audienceClaim');
    expect(() => jwt({ ...options, requiredValues: { token_use: 1 } as never })).toThrow(
      "jwt: requiredValues must be an object of claims and their values, such as { token_use: 'access' }",
    );
  });
});

test('parameters are typed by the name', () => {
  const types = () => [
    // @ts-expect-error -- an audience is required
    issuerPreset('auth0', { domain: 'acme.auth0.com' }),
    // @ts-expect-error -- either clientId or audience
    issuerPreset('cognito', { userPoolId: 'us-east-1_123456', clientId: 'c', audience: SERVER }),
    // @ts-expect-error -- not shipped
    issuerPreset('google', { audience: SERVER }),
  ];
  expect(types).toThrow();
});
