import { describe, expect, test } from 'vitest';
import { introspection, jwt } from '../../../src/auth.ts';
import type { IntrospectionOptions, JwtOptions, Verdict, Verifier } from '../../../src/auth.ts';
import { createTestIssuer } from '../../../src/testing.ts';
import type { TestTokenOptions } from '../../../src/testing.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const issuer = await createTestIssuer();
const START = Math.floor(Date.now() / 1000);

/** Shows the time of day as well; it begins at `START`. */
class WallClock extends FakeClock {
  readonly #since = this.now();

  wallTime(): number {
    return START * 1000 + this.now() - this.#since;
  }
}

async function ask(verifier: Verifier, token: string): Promise<Verdict> {
  const headers = new Headers({ authorization: `Bearer ${token}` });
  return verifier.verify({ method: 'POST', url: '/mcp', headers, address: undefined });
}

/** How often a token was verified after each of these times, in seconds; `false` where it was rejected. */
type Counts = (seconds: readonly number[]) => Promise<(number | false)[]>;

function countsOf(clock: FakeClock, verifier: Verifier, token: string, count: () => number): Counts {
  return async (seconds) => {
    const counts: (number | false)[] = [];
    let now = 0;
    for (const at of seconds) {
      clock.advance((at - now) * 1000);
      now = at;
      const { kind } = await ask(verifier, token);
      counts.push(kind === 'verified' && count());
    }
    return counts;
  };
}

async function ofJwt(token: Partial<TestTokenOptions>, options: Partial<JwtOptions> = {}): Promise<Counts> {
  const clock = new WallClock();
  let count = 0;
  const principalId = (): string => {
    count += 1;
    return 'ada';
  };
  const verifier = jwt({ ...issuer.jwtOptions, clock, principalId, ...options });
  return countsOf(clock, verifier, await issuer.tokenFor({ sub: 'ada', ...token }), () => count);
}

function ofIntrospection(options: Partial<IntrospectionOptions>, claims: object = {}): Counts {
  const clock = new WallClock();
  let count = 0;
  const verifier = introspection({
    issuer: 'https://issuer.test',
    audience: 'https://server.test/mcp',
    endpoint: 'https://issuer.test/introspect',
    clientId: 'a',
    clientSecret: 'b',
    clock,
    fetch: async () => {
      count += 1;
      return Response.json({ active: true, sub: 'ada', aud: 'https://server.test/mcp', ...claims });
    },
    ...options,
  });
  return countsOf(clock, verifier, 'opaque', () => count);
}

describe('a verified JWT is cached', () => {
  const claims = { iat: START, exp: START + 300 };

  test('for 60 s by default', async () => {
    const counts = await ofJwt({ claims });
    expect(await counts([0, 30, 59.999, 60, 119, 120])).toEqual([1, 1, 1, 2, 2, 3]);
  });

  test('not longer than it is valid', async () => {
    const counts = await ofJwt({ claims: { ...claims, exp: START + 30 } });
    // Within the leeway it is verified with every request.
    expect(await counts([0, 29, 30, 34, 35])).toEqual([1, 1, 2, 3, false]);
  });

  test('for cacheMs; 0 caches nothing', async () => {
    expect(await (await ofJwt({ claims }, { cacheMs: 10_000 }))([0, 9, 10])).toEqual([1, 1, 2]);
    expect(await (await ofJwt({ claims }, { cacheMs: 0 }))([0, 0, 0])).toEqual([1, 2, 3]);
    expect(() => jwt({ ...issuer.jwtOptions, cacheMs: 60_001 })).toThrow('cacheMs');
  });
});

describe('an introspected token is cached', () => {
  test('never by default', async () => {
    expect(await ofIntrospection({})([0, 0, 1])).toEqual([1, 2, 3]);
  });

  test('for cacheMs, and not longer than it is valid', async () => {
    expect(await ofIntrospection({ cacheMs: 10_000 })([0, 9, 10])).toEqual([1, 1, 2]);
    expect(await ofIntrospection({ cacheMs: 10_000 }, { exp: START + 4 })([0, 3, 4])).toEqual([1, 1, false]);
  });
});

describe('leeway', () => {
  /** Whether a token with these claims is accepted now. */
  const isAccepted = async (claims: object, options: Partial<JwtOptions> = {}): Promise<boolean> => {
    const all = { iat: START, exp: START + 300, ...claims };
    return (await (await ofJwt({ claims: all }, options))([0]))[0] !== false;
  };

  test.each([
    ['exp', -4, -5],
    ['nbf', 5, 6],
    ['iat', 5, 6],
  ] as const)('5 s for %s by default', async (claim, accepted, rejected) => {
    expect(await isAccepted({ [claim]: START + accepted })).toBe(true);
    expect(await isAccepted({ [claim]: START + rejected })).toBe(false);
  });

  test.each([
    ['exp', -59, -60],
    ['nbf', 60, 61],
    ['iat', 60, 61],
  ] as const)('leewaySeconds for %s', async (claim, accepted, rejected) => {
    expect(await isAccepted({ [claim]: START + accepted }, { leewaySeconds: 60 })).toBe(true);
    expect(await isAccepted({ [claim]: START + rejected }, { leewaySeconds: 60 })).toBe(false);
  });

  test('is 300 s at most', () => {
    expect(() => jwt({ ...issuer.jwtOptions, leewaySeconds: 301 })).toThrow('leewaySeconds');
  });
});
