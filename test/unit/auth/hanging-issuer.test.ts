import { expect, test } from 'vitest';
import { introspection, jwt } from '../../../src/auth.ts';
import type { CredentialRequest, Verifier } from '../../../src/auth.ts';
import { createTestIssuer } from '../../../src/testing.ts';
import { FakeClock } from '../../support/fake-clock.ts';

function requestOf(token: string): CredentialRequest {
  return { method: 'POST', url: '/mcp', headers: { get: () => `Bearer ${token}` }, address: undefined };
}

/** A `fetch` whose first request hangs: before the response, or in its body. */
function hangFirst(respond: () => Response, where: 'request' | 'body') {
  let asked = 0;
  const state: { signal?: AbortSignal | null | undefined } = {};
  const fetch = async (_url: string, init?: { readonly signal?: AbortSignal | null }): Promise<Response> => {
    asked += 1;
    if (asked > 1) return respond();
    state.signal = init?.signal;
    return where === 'body' ? new Response(new ReadableStream()) : new Promise(() => {});
  };
  return { fetch, state, asked: () => asked };
}

async function failFirst(
  verifier: Verifier,
  token: string,
  { clock, asked }: { clock: FakeClock; asked: () => number },
) {
  const first = Promise.resolve(verifier.verify(requestOf(token)));
  const failed = expect(first).rejects.toThrow('https://issuer.test did not respond within 5000 ms.');
  await expect.poll(asked, { interval: 1 }).toBe(1);
  clock.advance(5000);
  await failed;
}

test.each(['request', 'body'] as const)(
  'keys: one %s that hangs is given up, and the next one counts',
  async (where) => {
    const issuer = await createTestIssuer();
    const clock = new FakeClock();
    const { fetch, state, asked } = hangFirst(() => Response.json(issuer.jwks), where);
    const verifier = jwt({ ...issuer.jwtOptions, fetch, clock });
    const token = await issuer.tokenFor({ sub: 'ada', claims: { iat: undefined } });
    await failFirst(verifier, token, { clock, asked });
    expect(state.signal?.aborted).toBe(true);
    clock.advance(5000);
    expect(await verifier.verify(requestOf(token))).toMatchObject({ kind: 'verified' });
  },
);

test('introspection: one request that hangs is given up', async () => {
  const clock = new FakeClock();
  const { fetch, asked } = hangFirst(
    () => Response.json({ active: true, sub: 'ada', aud: 'https://server.test/mcp' }),
    'request',
  );
  const verifier = introspection({
    issuer: 'https://issuer.test',
    audience: 'https://server.test/mcp',
    endpoint: 'https://issuer.test/introspect',
    clientId: 'mcp',
    clientSecret: 'secret',
    fetch,
    clock,
  });
  await failFirst(verifier, 'opaque', { clock, asked });
  expect(await verifier.verify(requestOf('opaque'))).toMatchObject({ kind: 'verified' });
});
