import { systemClock, wallTimeOf } from '../base/time/clock.ts';
import { loadJose } from '../auth/peers/load-peers.ts';

/** Options of {@link createTestIssuer}. */
export interface TestIssuerOptions {
  /** Default: `https://issuer.test`. */
  readonly issuer?: string;
  /** Default audience of the tokens: that of the server under test. Default: `https://server.test/mcp`. */
  readonly audience?: string;
  /** Signature algorithm. Default: `ES256`. */
  readonly algorithm?: string;
}

/** Claims and header of a token of {@link TestIssuer.tokenFor}. */
export interface TestTokenOptions {
  readonly sub: string;
  readonly scopes?: readonly string[];
  /** Default: the audience of the issuer. */
  readonly audience?: string | readonly string[];
  /** Seconds until the token expires; negative for one that has expired. Default: 300. */
  readonly expiresIn?: number;
  /** Further claims; they replace the others. A claim that is undefined is left out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Further header parameters, such as `typ` and `kid`. */
  readonly header?: Readonly<Record<string, unknown>>;
}

/** An issuer of access tokens in memory. */
export interface TestIssuer {
  readonly issuer: string;
  readonly audience: string;
  /** The options of `jwt` that accept the tokens of this issuer. No request leaves the process. */
  readonly jwtOptions: {
    readonly issuer: string;
    readonly audience: string;
    readonly jwksUri: string;
    readonly fetch: (url?: string, init?: object) => Promise<Response>;
  };
  /** The public keys, as a JSON Web Key Set. */
  readonly jwks: { readonly keys: readonly object[] };
  tokenFor(options: TestTokenOptions): Promise<string>;
}

/**
 * An issuer of access tokens for tests: a key pair, its key set in memory, and signed tokens. Needs the package `jose`.
 *
 * @example
 * const issuer = await createTestIssuer();
 * const running = await serveHttp(server, { port: 0, auth: jwt(issuer.jwtOptions) });
 * const token = await issuer.tokenFor({ sub: 'ada', scopes: ['notes:read'] });
 */
export async function createTestIssuer(options: TestIssuerOptions = {}): Promise<TestIssuer> {
  const {
    issuer = 'https://issuer.test',
    audience = 'https://server.test/mcp',
    algorithm = 'ES256',
  } = options;
  const jose = await loadJose('createTestIssuer');
  const { publicKey, privateKey } = await jose.generateKeyPair(algorithm);
  const jwks = {
    keys: [{ ...(await jose.exportJWK(publicKey)), alg: algorithm, use: 'sig', kid: 'test-key' }],
  };
  return {
    issuer,
    audience,
    jwks,
    jwtOptions: {
      issuer,
      audience,
      jwksUri: `${issuer}/jwks`,
      fetch: () => Promise.resolve(Response.json(jwks)),
    },
    tokenFor: ({ sub, scopes, expiresIn = 300, claims, header, ...token }) => {
      const now = Math.floor(wallTimeOf(systemClock) / 1000);
      const aud = token.audience ?? audience;
      const payload = {
        iss: issuer,
        sub,
        aud: typeof aud === 'string' ? aud : [...aud],
        iat: now,
        exp: now + expiresIn,
        ...(scopes === undefined ? {} : { scope: scopes.join(' ') }),
        ...claims,
      };
      return new jose.SignJWT(payload)
        .setProtectedHeader({ alg: algorithm, kid: 'test-key', typ: 'at+jwt', ...header })
        .sign(privateKey);
    },
  };
}
