import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import type { Verifier } from '../../src/auth.ts';

/** The keys of the issuer cannot be fetched now. */
class KeysUnavailable extends Error {}

/** Verifies JSON Web Tokens that are bound to a key of the client (RFC 9449). */
export function dpop({
  issuer,
  jwksUri,
  resource,
}: Record<'issuer' | 'jwksUri' | 'resource', string>): Verifier {
  const server: oauth.AuthorizationServer = { issuer, jwks_uri: jwksUri };
  const proofs = new OneTimeProofs();
  return {
    authorizationServers: [issuer],
    audience: resource,
    scheme: 'DPoP',
    challenge: { algs: 'ES256' },
    credentialHeaders: ['dpop'],
    metadata: { dpop_bound_access_tokens_required: true, dpop_signing_alg_values_supported: ['ES256'] },
    verify: async ({ method, headers }) => {
      const authorization = headers.get('authorization') ?? '';
      if (!/^dpop /i.test(authorization)) return { kind: 'no-credentials' };
      const proof = headers.get('dpop') ?? '';
      try {
        // Clients sign the URL that they know. A proxy may have changed the one of the request.
        const request = new Request(resource, { method, headers: { authorization, dpop: proof } });
        const claims = await oauth.validateJwtAccessToken(server, request, resource, {
          requireDPoP: true,
          signingAlgorithms: ['ES256'],
          [oauth.allowInsecureRequests]: jwksUri.startsWith('http://127.0.0.1:'),
          [oauth.customFetch]: fetchKeys,
        });
        if (!proofs.use(String(decodeJwt(proof).jti)))
          return { kind: 'invalid', error: 'invalid_dpop_proof', description: 'The proof was used before.' };
        const scopes = claims.scope?.split(' ') ?? [];
        return { kind: 'verified', principal: { id: `${claims.iss}|${claims.sub}`, scopes } };
      } catch (error) {
        if (error instanceof KeysUnavailable) throw error;
        return { kind: 'invalid', description: 'The token or its proof is not valid.' };
      }
    },
  };
}

async function fetchKeys(
  url: string,
  { headers, signal }: oauth.CustomFetchOptions<'GET'>,
): Promise<Response> {
  const response = await fetch(url, { headers, signal: signal ?? null, redirect: 'manual' }).catch(
    () => undefined,
  );
  if (response?.status !== 200) throw new KeysUnavailable('The keys of the issuer cannot be fetched.');
  return response;
}

/** Proofs of the last ten minutes: oauth4webapi accepts those that are up to five minutes old, or as far ahead. */
class OneTimeProofs {
  readonly #used = new Map<string, number>();

  use(id: string, now = Date.now()): boolean {
    for (const [old, at] of this.#used) {
      if (now - at < 600_000) break;
      this.#used.delete(old);
    }
    // A process that remembers this many rejects further ones.
    if (this.#used.has(id) || this.#used.size >= 100_000) return false;
    this.#used.set(id, now);
    return true;
  }
}
