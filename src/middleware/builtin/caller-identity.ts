import type { StandardContext } from '../context.ts';

/**
 * Who is calling, as parts of a key: the principal; without one the access token, which is as good a name for the caller; else nobody
 * in particular. The first part says which, so that no principal can be named like a token.
 */
export function identityOf({ principal, accessToken }: StandardContext): readonly [string, ...string[]] {
  if (principal !== undefined) return ['principal', principal.id];
  return accessToken === undefined ? ['anonymous'] : ['token', accessToken];
}

/** SHA-256 as hexadecimal text. Keys that may hold a token or arguments never reach a store in the clear. */
export async function hash(text: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
