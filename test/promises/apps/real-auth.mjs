/**
 * Authentication as users set it up: JSON Web Tokens of the issuer `https://issuer.test`, whose key set is in `JWKS`, and API keys, whose
 * records are in `API_KEYS`, both as bearer tokens.
 */
import { anyOf, apiKeys, jwt, MemoryApiKeyStore } from 'toolwright/auth';

const AUDIENCE = 'https://server.test/mcp';

export function realAuth(options = {}) {
  const { JWKS, API_KEYS } = process.env;
  const issuer = 'https://issuer.test';
  const verify = anyOf(
    jwt({
      issuer,
      audience: AUDIENCE,
      jwksUri: `${issuer}/jwks`,
      fetch: async () => Response.json(JSON.parse(JWKS)),
    }),
    apiKeys(new MemoryApiKeyStore(JSON.parse(API_KEYS))),
  );
  return { verify, resource: AUDIENCE, ...options };
}
