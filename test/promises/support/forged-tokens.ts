import { createHmac } from 'node:crypto';
import { CompactEncrypt, exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';

const ISSUER = 'https://issuer.test';
const AUDIENCE = 'https://server.test/mcp';

/** A token, and the description in the challenge that it gets. */
export interface ForgedToken {
  readonly title: string;
  readonly token: string;
  readonly description: string;
}

/** An issuer with its keys, the tokens that a server must accept, and those that it must not. */
export interface Forgery {
  readonly jwks: object;
  readonly valid: string;
  readonly withAudiences: string;
  readonly forged: readonly ForgedToken[];
}

type Changes = Readonly<Record<string, unknown>>;
type Case = readonly [title: string, token: string, description: string];

/** An issuer that signs whatever it is told. The server allows ES256 alone; the issuer publishes an RSA key beside its own. */
async function createSmith() {
  const own = await generateKeyPair('ES256', { extractable: true });
  const rsa = await generateKeyPair('RS256', { extractable: true });
  const strange = await generateKeyPair('ES256', { extractable: true });
  const publicJwk = await exportJWK(own.publicKey);
  const jwks = {
    keys: [
      { ...publicJwk, kid: 'own', use: 'sig' },
      { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', use: 'sig' },
    ],
  };
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: ISSUER, sub: 'ada', aud: AUDIENCE, iat: now, exp: now + 600 };
  const head = { alg: 'ES256', kid: 'own', typ: 'at+jwt' };
  const sign = (changed: Changes = {}, header: Changes = {}, key = own.privateKey): Promise<string> =>
    new SignJWT({ ...claims, ...changed }).setProtectedHeader({ ...head, ...header }).sign(key);
  const unsigned = (header: Changes): string => [{ ...head, ...header }, claims].map(toPart).join('.');
  const hmac = (secret: string): string => {
    const text = unsigned({ alg: 'HS256' });
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  return { own, rsa, strange, publicJwk, jwks, now, claims, sign, unsigned, hmac, valid: await sign() };
}

type Smith = Awaited<ReturnType<typeof createSmith>>;

async function withWrongSignatures(smith: Smith): Promise<Case[]> {
  const { own, rsa, strange, publicJwk, claims, sign, unsigned, hmac, valid } = smith;
  const [header, payload, signature] = valid.split('.') as [string, string, string];
  const strangeJwk = await exportJWK(strange.publicKey);
  return [
    ['alg none', `${unsigned({ alg: 'none' })}.`, 'The signature algorithm is not allowed.'],
    [
      'alg None, with a signature',
      `${unsigned({ alg: 'None' })}.${signature}`,
      'The signature algorithm is not allowed.',
    ],
    [
      'HS256 with the public key as PEM',
      hmac(await exportSPKI(own.publicKey)),
      'The signature algorithm is not allowed.',
    ],
    [
      'HS256 with the public key as JWK',
      hmac(JSON.stringify(publicJwk)),
      'The signature algorithm is not allowed.',
    ],
    [
      'an algorithm that is not allowed',
      await sign({}, { alg: 'RS256', kid: 'rsa' }, rsa.privateKey),
      'The signature algorithm is not allowed.',
    ],
    ['another key', await sign({}, {}, strange.privateKey), 'The signature is not valid.'],
    [
      'an embedded jwk',
      await sign({}, { jwk: strangeJwk }, strange.privateKey),
      'The signature is not valid.',
    ],
    [
      'an unknown kid',
      await sign({}, { kid: 'strange' }, strange.privateKey),
      'The token was signed with an unknown key.',
    ],
    [
      'an embedded jwk and its kid',
      await sign({}, { kid: 'strange', jwk: strangeJwk }, strange.privateKey),
      'The token was signed with an unknown key.',
    ],
    [
      'a jku',
      await sign({}, { jku: 'https://evil.test/jwks' }, strange.privateKey),
      'The signature is not valid.',
    ],
    [
      'a payload that was changed',
      `${header}.${toPart({ ...claims, sub: 'root' })}.${signature}`,
      'The signature is not valid.',
    ],
    ['no signature', `${header}.${payload}.`, 'The signature is not valid.'],
  ];
}

async function withWrongClaims({ sign, now }: Smith): Promise<Case[]> {
  return [
    ['another audience', await sign({ aud: 'https://other.test/mcp' }), 'The token is for another audience.'],
    [
      'an audience below this one',
      await sign({ aud: `${AUDIENCE}/admin` }),
      'The token is for another audience.',
    ],
    ['the audience with a slash', await sign({ aud: `${AUDIENCE}/` }), 'The token is for another audience.'],
    [
      'audiences without this one',
      await sign({ aud: ['https://other.test', 'https://server.test'] }),
      'The token is for another audience.',
    ],
    ['no audience', await sign({ aud: undefined }), "The token has no claim 'aud'."],
    ['another issuer', await sign({ iss: 'https://evil.test' }), 'The token is of another issuer.'],
    ['the issuer with a slash', await sign({ iss: `${ISSUER}/` }), 'The token is of another issuer.'],
    ['no issuer', await sign({ iss: undefined }), "The token has no claim 'iss'."],
    ['expired', await sign({ exp: now - 60 }), 'The token has expired.'],
    ['no exp', await sign({ exp: undefined }), "The token has no claim 'exp'."],
    ['an exp that is a string', await sign({ exp: String(now + 600) }), "The claim 'exp' is not valid."],
    ['nbf in the future', await sign({ nbf: now + 300 }), 'The token is not valid yet.'],
    ['iat in the future', await sign({ iat: now + 300 }), 'The token was issued in the future.'],
    ['no subject', await sign({ sub: undefined }), 'The token names no subject.'],
    ['a subject that is a number', await sign({ sub: 7 }), 'The token names no subject.'],
  ];
}

async function withWrongShapes({ publicJwk, claims, sign, unsigned, valid }: Smith): Promise<Case[]> {
  const signature = valid.split('.')[2] ?? '';
  const encrypted = new CompactEncrypt(Buffer.from(JSON.stringify(claims))).setProtectedHeader({
    alg: 'ECDH-ES',
    enc: 'A256GCM',
    kid: 'own',
    typ: 'at+jwt',
  });
  return [
    ['an unknown crit', `${unsigned({ crit: ['b65'], b65: true })}.${signature}`, 'The token is malformed.'],
    [
      'the type of another kind of token',
      await sign({}, { typ: 'dpop+jwt' }),
      'The token is of another type.',
    ],
    ['encrypted', await encrypted.encrypt({ ...publicJwk, alg: 'ECDH-ES' }), 'The token is malformed.'],
    ['garbage', 'garbage', 'The token is malformed.'],
    ['garbage in three parts', 'a.b.c', 'The token is malformed.'],
    ['five dots', '.....', 'The token is malformed.'],
    ['two tokens', `${valid},${valid}`, 'The token is malformed.'],
  ];
}

/** Tokens that are each wrong in one way. */
export async function forgeTokens(): Promise<Forgery> {
  const smith = await createSmith();
  const cases = [
    ...(await withWrongSignatures(smith)),
    ...(await withWrongClaims(smith)),
    ...(await withWrongShapes(smith)),
  ];
  return {
    jwks: smith.jwks,
    valid: smith.valid,
    withAudiences: await smith.sign({ aud: ['https://other.test', AUDIENCE] }),
    forged: cases.map(([title, token, description]) => ({ title, token, description })),
  };
}

function toPart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
