import { describe, expect, test } from 'vitest';
import { introspection, jwt } from '../../../src/auth.ts';
import type { IntrospectionOptions, Verdict, Verifier } from '../../../src/auth.ts';
import { createTestIssuer } from '../../../src/testing.ts';

const issuer = await createTestIssuer();

async function ask(verifier: Verifier, token: string): Promise<Verdict> {
  const headers = new Headers({ authorization: `Bearer ${token}` });
  return verifier.verify({ method: 'POST', url: '/mcp', headers, address: undefined });
}

type Options = Pick<IntrospectionOptions, 'principalId' | 'tenantClaim'>;

/** The verdict on a token with these claims and no subject of its own. */
const VERIFIERS: Readonly<Record<string, (claims: object, options?: Options) => Promise<Verdict>>> = {
  jwt: async (claims, options) =>
    ask(
      jwt({ ...issuer.jwtOptions, ...options }),
      await issuer.tokenFor({ sub: 'ada', claims: { sub: undefined, ...claims } }),
    ),
  introspection: (claims, options) =>
    ask(
      introspection({
        issuer: issuer.issuer,
        audience: issuer.audience,
        endpoint: 'https://issuer.test/introspect',
        clientId: 'mcp',
        clientSecret: 'secret',
        fetch: () => Promise.resolve(Response.json({ active: true, aud: issuer.audience, ...claims })),
        ...options,
      }),
      'opaque',
    ),
};

const NOBODY = { kind: 'invalid', description: 'The token names no subject.' };

describe.each(Object.entries(VERIFIERS))('%s', (_name, verify) => {
  test.each<[string, object]>([
    ['a subject and a client', { sub: 'ada', client_id: 'editor' }],
    ['a subject, a user name and a client', { sub: 'ada', username: 'Ada', client_id: 'editor' }],
  ])('%s: the subject is the principal', async (_, claims) => {
    expect(await verify(claims)).toMatchObject({ principal: { id: 'https://issuer.test|ada' } });
  });

  test('a client without a user is the principal', async () => {
    expect(await verify({ client_id: 'nightly-job' })).toMatchObject({
      principal: { id: 'https://issuer.test|nightly-job' },
    });
  });

  // All users of the client would be one principal.
  test.each<[string, object]>([
    ['a subject that is a number', { sub: 7, client_id: 'editor' }],
    ['an empty subject', { sub: '', client_id: 'editor' }],
    ['a user name without a subject', { username: 'ada', client_id: 'editor' }],
    ['an authorized party without a subject', { azp: 'editor' }],
    ['a client that is a number', { client_id: 7 }],
  ])('%s: the client is not the principal', async (_, claims) => {
    expect(await verify(claims)).toEqual(NOBODY);
  });

  test('principalId reads another claim', async () => {
    const principalId = ({ username }: Readonly<Record<string, unknown>>): string =>
      `user ${String(username)}`;
    expect(await verify({ username: 'ada', client_id: 'editor' }, { principalId })).toMatchObject({
      principal: { id: 'user ada' },
    });
  });
  test('the tenant is a claim', async () => {
    for (const [org, tenant] of [
      ['acme', 'acme'],
      ['', undefined],
      [null, undefined],
      [undefined, undefined],
    ])
      expect(await verify({ sub: 'ada', org }, { tenantClaim: 'org' })).toMatchObject({
        kind: 'verified',
        principal:
          tenant === undefined ? expect.not.objectContaining({ tenant: expect.anything() }) : { tenant },
      });
  });

  // Tenants that are numbers would be one: that of no tenant.
  test.each([42, ['acme'], { id: 'acme' }, false])('a tenant that is %j is not valid', async (org) => {
    expect(await verify({ sub: 'ada', org }, { tenantClaim: 'org' })).toMatchObject({
      kind: 'invalid',
      description: 'The claim "org" is not valid.',
    });
  });
});
