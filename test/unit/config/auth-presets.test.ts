import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { authSourceOf, loadAuth } from '../../../src/config/auth/auth-source.ts';
import type { AuthSource } from '../../../src/config/auth/auth-source.ts';
import { toJwtConfig } from '../../../src/config/auth/preset-options.ts';
import { CONFIG_SCHEMA } from '../../../src/config.ts';
import { toFetchHandler } from '../../../src/fetch.ts';
import { createTestIssuer } from '../../../src/testing.ts';
import { useScratch } from './support.ts';

const { complaints, load, upstream } = useScratch();

const RESOURCE = 'https://demo.example.com/mcp';
const isValid = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(CONFIG_SCHEMA);

/** The metadata of a server whose configuration has this preset. */
async function metadataOf(preset: object, own: object = {}): Promise<unknown> {
  const auth = { preset, resource: RESOURCE, ...own };
  expect(isValid({ name: 'demo', auth })).toBe(true);
  const configured = await load('c.yaml', JSON.stringify({ name: 'demo', auth }));
  const handle = toFetchHandler(configured.server, { ...(configured.auth && { auth: configured.auth }) });
  const response = await handle(new Request('http://localhost/.well-known/oauth-protected-resource'));
  return response.json();
}

test.each<[object, string]>([
  [{ name: 'auth0', domain: 'acme.auth0.com', audience: RESOURCE }, 'https://acme.auth0.com/'],
  [
    { name: 'better-auth', url: 'https://a.example/api/auth', audience: RESOURCE },
    'https://a.example/api/auth',
  ],
  [{ name: 'clerk', domain: 'clerk.a.example', clientId: ['c1'] }, 'https://clerk.a.example'],
  [
    { name: 'cognito', userPoolId: 'eu-west-1_AbC', clientId: 'c1' },
    'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbC',
  ],
  [
    { name: 'entra', tenantId: '268da1a1-9db4-48b9-b1fe-683250ba90cc', audience: '1-2', version: 'v2.0' },
    'https://login.microsoftonline.com/268da1a1-9db4-48b9-b1fe-683250ba90cc/v2.0',
  ],
  [
    { name: 'keycloak', url: 'https://id.example.com', realm: 'acme', audience: RESOURCE },
    'https://id.example.com/realms/acme',
  ],
  [
    { name: 'okta', domain: 'acme.okta.com', audience: RESOURCE, authorizationServerId: 'aus1' },
    'https://acme.okta.com/oauth2/aus1',
  ],
  [
    { name: 'supabase', url: 'https://abc.supabase.co', audience: 'authenticated' },
    'https://abc.supabase.co/auth/v1',
  ],
  [{ name: 'workos', domain: 'acme.authkit.app', audience: RESOURCE }, 'https://acme.authkit.app'],
])('%j has the issuer %s', async (preset, issuer) => {
  expect(await metadataOf(preset)).toMatchObject({ resource: RESOURCE, authorization_servers: [issuer] });
});

test('the scope prefix of a preset is in the metadata; another one can be set', async () => {
  const entra = { name: 'entra', tenantId: '268da1a1-9db4-48b9-b1fe-683250ba90cc', audience: '1-2' };
  const own = { requiredScopes: ['Notes.Read'] };
  expect(await metadataOf(entra, own)).toMatchObject({ scopes_supported: ['api://1-2/Notes.Read'] });
  expect(await metadataOf({ ...entra, applicationIdUri: 'api://notes' }, own)).toMatchObject({
    scopes_supported: ['api://notes/Notes.Read'],
  });
  expect(await metadataOf({ ...entra, scopePrefix: 'notes:' }, own)).toMatchObject({
    scopes_supported: ['notes:Notes.Read'],
  });
});

test('members of jwt change the options of a preset, here and in another process', async () => {
  const issuer = await createTestIssuer({
    issuer: 'https://acme.auth0.com/',
    audience: RESOURCE,
    algorithm: 'ES256',
  });
  const { origin } = await upstream({ body: JSON.stringify(issuer.jwks) });
  const { server, auth } = await load(
    'c.yaml',
    `name: demo
outbound: { allowPrivate: ['127.0.0.1'] }
auth:
  anyOf:
    - preset:
        name: auth0
        domain: \${env:DOMAIN}
        audience: ${RESOURCE}
        jwksUri: ${origin}/keys
        algorithms: [ES256]
        scopesClaim: permissions
        requiredValues: { token_use: [access] }
  clientCredentials: true
`,
    { DOMAIN: 'acme.auth0.com' },
  );
  expect(auth?.clientCredentials).toBe(true);
  const other = await loadAuth(JSON.parse(JSON.stringify(authSourceOf(server))) as AuthSource);
  const verify = async (claims: object, options = auth): Promise<unknown> => {
    const headers = new Headers({
      authorization: `Bearer ${await issuer.tokenFor({ sub: 'ada', claims: { ...claims } })}`,
    });
    return options?.verify.verify({ method: 'POST', url: '/mcp', headers, address: undefined });
  };
  const claims = { permissions: ['notes'], token_use: 'access' };
  for (const options of [auth, other])
    expect(await verify(claims, options)).toMatchObject({
      kind: 'verified',
      principal: { id: 'https://acme.auth0.com/|ada', scopes: ['notes'] },
    });
  expect(await verify({ ...claims, token_use: 'id' })).toMatchObject({ kind: 'invalid' });
});

test('required values are added to those of the preset', () => {
  const keycloak = {
    name: 'keycloak',
    url: 'https://id.example.com',
    realm: 'r',
    audience: RESOURCE,
  } as const;
  expect(toJwtConfig({ ...keycloak, requiredValues: { azp: 'inspector' } }).requiredValues).toEqual({
    typ: 'Bearer',
    azp: 'inspector',
  });
  expect(toJwtConfig(keycloak).requiredValues).toEqual({ typ: 'Bearer' });
  expect(toJwtConfig({ name: 'auth0', domain: 'a.auth0.com', audience: RESOURCE })).not.toHaveProperty(
    'requiredValues',
  );
});

test.each([
  ['{ name: auth0, domain: "https://acme.auth0.com", audience: a }', '2:32 auth.preset.domain is wrong'],
  ['{ name: auth0, domain: acme.auth0.com }', '2:9 auth.preset must have "audience"'],
  ['{ name: auth0, domain: acme.auth0.com, audience: a, tenant: b }', '2:69 auth.preset.tenant is unknown'],
  [
    '{ name: google, domain: acme.auth0.com, audience: a }',
    '2:9 auth.preset must be { "name": "auth0", … }, ',
  ],
  ['{ name: cognito, userPoolId: eu-west-1_AbC }', '2:9 auth.preset'],
  [
    '{ name: okta, domain: a.okta.com, audience: a, issuer: "https://evil.example" }',
    '2:64 auth.preset.issuer is unknown',
  ],
  [
    '{ name: okta, domain: a.okta.com, audience: a, algorithms: [none] }',
    '2:64 auth.preset.algorithms is wrong',
  ],
])('%s is a mistake', async (preset, mistake) => {
  const said = await complaints(
    'c.yaml',
    `name: demo\nauth: { preset: ${preset}, resource: "${RESOURCE}" }\n`,
  );
  expect(said.slice(1).join('\n')).toContain(mistake);
});

test('the schema for editors rejects what the server rejects', () => {
  const has = (preset: object): boolean => isValid({ name: 'demo', auth: { preset, resource: RESOURCE } });
  expect(has({ name: 'auth0', domain: 'acme.auth0.com', audience: 'a', cacheMs: '${env:MS}' })).toBe(true);
  expect(has({ name: 'auth0', domain: 'acme.auth0.com' })).toBe(false);
  expect(has({ name: 'auth0', domain: 'acme.auth0.com', audience: 'a', realm: 'b' })).toBe(false);
  expect(has({ name: 'google', domain: 'acme.auth0.com', audience: 'a' })).toBe(false);
  const jwt = {
    issuer: 'https://a.example',
    audience: 'a',
    audienceClaim: 'client_id',
    requiredValues: { a: ['b'] },
  };
  expect(isValid({ name: 'demo', auth: { jwt } })).toBe(true);
});
