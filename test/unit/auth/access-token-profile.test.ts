import { expect, test } from 'vitest';
import { jwt } from '../../../src/auth.ts';
import { createTestIssuer } from '../../../src/testing.ts';
import type { TestTokenOptions } from '../../../src/testing.ts';

const issuer = await createTestIssuer();
const verifier = jwt({
  ...issuer.jwtOptions,
  typ: 'at+jwt',
  requiredClaims: ['sub', 'client_id', 'iat', 'jti'],
});

/** Claims that RFC 9068, 2.2 requires. The issuer of the tests adds iss, aud, iat and exp. */
const CLAIMS = { client_id: 'editor', jti: 't-1' };

async function verify(token: Partial<TestTokenOptions>): Promise<unknown> {
  const authorization = `Bearer ${await issuer.tokenFor({ sub: 'ada', claims: CLAIMS, ...token })}`;
  const headers = new Headers({ authorization });
  const verdict = await verifier.verify({ method: 'POST', url: '/mcp', headers, address: undefined });
  return verdict.kind === 'invalid' ? verdict.description : verdict.kind;
}

test('RFC 9068: a token of the profile is accepted, with either form of its type', async () => {
  for (const typ of ['at+jwt', 'application/at+jwt', 'AT+JWT'])
    expect([typ, await verify({ header: { typ } })]).toEqual([typ, 'verified']);
});

test.each(['JWT', 'id_token+jwt', undefined])(
  'RFC 9068: a token of the type %s is rejected, whatever its claims',
  async (typ) => {
    expect(await verify({ header: { typ } })).toBe('The token is of another type.');
  },
);

test.each(['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'])(
  'RFC 9068: a token without %s is rejected',
  async (claim) => {
    expect(await verify({ claims: { ...CLAIMS, [claim]: undefined } })).toBe(
      `The token has no claim "${claim}".`,
    );
  },
);
