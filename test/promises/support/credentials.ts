import { createApiKey } from '../../../src/auth.ts';
import { createTestIssuer } from '../../../src/testing.ts';
import type { TestTokenOptions } from '../../../src/testing.ts';

/** An API key to create: the id of its principal, and its scopes. */
export interface KeyHolder {
  readonly id: string;
  readonly scopes?: readonly string[];
}

/** Credentials for an app with `apps/real-auth.mjs`. */
export interface Credentials {
  /** The environment of the app: public keys, and hashes of API keys. */
  readonly env: { readonly JWKS: string; readonly API_KEYS: string };
  /** A new token of the issuer, other than all before. Its principal is {@link tokenId} of `sub`. */
  readonly tokenFor: (options: TestTokenOptions) => Promise<string>;
  /** The API keys, in the order of their holders. */
  readonly keys: readonly string[];
}

/** Creates an issuer and an API key for each holder. */
export async function createCredentials(holders: readonly KeyHolder[] = []): Promise<Credentials> {
  const issuer = await createTestIssuer();
  const created = holders.map((holder) => createApiKey(holder));
  let count = 0;
  return {
    env: {
      JWKS: JSON.stringify(issuer.jwks),
      API_KEYS: JSON.stringify(created.map(({ record }) => record)),
    },
    tokenFor: ({ claims, ...options }) =>
      issuer.tokenFor({ ...options, claims: { jti: String((count += 1)), ...claims } }),
    keys: created.map(({ key }) => key),
  };
}

/** The id of the principal of a token. */
export function tokenId(sub: string): string {
  return `https://issuer.test|${sub}`;
}
