import { describe, expect, test } from 'vitest';
import { jwt } from '../../../src/auth.ts';
import { VerifiedTokens } from '../../../src/auth/verified-tokens.ts';
import type { VerifiedToken } from '../../../src/auth/verified-tokens.ts';
import { invalid } from '../../../src/auth/verifier.ts';
import { createTestIssuer } from '../../../src/testing.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** Verifies every token for a second and counts how often. */
function counting(max: number): {
  clock: FakeClock;
  send: (token: string) => Promise<unknown>;
  verified: string[];
} {
  const clock = new FakeClock();
  const tokens = new VerifiedTokens(clock, max);
  const verified: string[] = [];
  const verify = async (token: string): Promise<VerifiedToken> => {
    verified.push(token);
    return { verdict: { kind: 'verified', principal: { id: token } }, keepMs: 1000 };
  };
  return { clock, send: async (token) => tokens.get(token, () => verify(token)), verified };
}

describe('verified tokens', () => {
  test('a token is verified once until its time is up, however often it is sent', async () => {
    const { clock, send, verified } = counting(10);
    for (let ms = 0; ms < 1000; ms += 100) {
      expect(await send('a')).toEqual({ kind: 'verified', principal: { id: 'a' }, accessToken: 'a' });
      clock.advance(100);
    }
    expect(verified).toEqual(['a']);
    await send('a');
    expect(verified).toEqual(['a', 'a']);
  });

  test('the token that was verified first makes room for another one', async () => {
    const { clock, send, verified } = counting(2);
    for (const token of ['a', 'b']) await send(token);
    clock.advance(1000);
    // Verified again, so it is no longer the first.
    for (const token of ['a', 'c', 'a', 'c']) await send(token);
    expect(verified).toEqual(['a', 'b', 'a', 'c']);
    await send('b');
    expect(verified).toEqual(['a', 'b', 'a', 'c', 'b']);
    await send('a');
    expect(verified).toEqual(['a', 'b', 'a', 'c', 'b', 'a']);
  });

  test('the principal of a kept token cannot be changed, at any depth', async () => {
    const tokens = new VerifiedTokens(new FakeClock(), 10);
    const verify = async (): Promise<VerifiedToken> => ({
      verdict: { kind: 'verified', principal: { id: 'a', claims: { groups: ['readers'] } } },
      keepMs: 1000,
    });
    const first = await tokens.get('a', verify);
    const { principal } = first as unknown as { principal: { claims: { groups: string[] } } };
    expect(() => principal.claims.groups.push('admins')).toThrow(TypeError);
    expect(await tokens.get('a', verify)).toEqual({
      kind: 'verified',
      principal: { id: 'a', claims: { groups: ['readers'] } },
      accessToken: 'a',
    });
  });

  test('an invalid token is not kept', async () => {
    const tokens = new VerifiedTokens(new FakeClock(), 10);
    const verify = async (): Promise<VerifiedToken> => ({ verdict: invalid('No.'), keepMs: 1000 });
    for (let turn = 0; turn < 2; turn += 1)
      expect(await tokens.get('a', verify)).toEqual({ kind: 'invalid', description: 'No.' });
    expect(tokens.size).toBe(0);
  });
});

test('jwt: a cached token is not accepted after it has expired', async () => {
  const issuer = await createTestIssuer();
  // Its time of day is 1,000 s after 1970, like its time.
  const clock = new FakeClock();
  const token = await issuer.tokenFor({ sub: 'ada', claims: { iat: undefined, exp: 1010 } });
  const verifier = jwt({ ...issuer.jwtOptions, clock, leewaySeconds: 0 });
  const headers = { get: () => `Bearer ${token}` };
  const verify = async (): Promise<unknown> =>
    (await verifier.verify({ method: 'POST', url: '/mcp', headers, address: undefined })).kind;
  expect(await verify()).toBe('verified');
  clock.advance(9999);
  expect(await verify()).toBe('verified');
  clock.advance(1);
  expect(await verify()).toBe('invalid');
});
