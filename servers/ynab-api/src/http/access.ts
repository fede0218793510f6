import { toDigest } from '../plans/user.ts';
import { ApiError } from './api-error.ts';

/** An access token. Its user can be limited to reading. */
export interface AccessToken {
  readonly token: string;
  readonly scope: 'full' | 'read-only';
}

export interface AccessOptions {
  readonly tokens?: readonly (string | AccessToken)[] | undefined;
  readonly anyToken?: boolean | undefined;
}

/** The user of a request, by the digest of its token, and its scope. */
export interface Access {
  readonly digest: string;
  readonly scope: AccessToken['scope'];
}

const BEARER = /^Bearer +(?<token>[!-~]{1,500}) *$/i;

/** Creates the function that returns the access of an `Authorization` header, or throws a 401. */
export function createAccess({
  tokens = [],
  anyToken = false,
}: AccessOptions): (header: string | null) => Access {
  if (tokens.length === 0 && !anyToken)
    throw new Error('No access tokens: set the option tokens to a list of tokens, or anyToken to true.');
  const known = new Map<string, Access>();
  for (const entry of tokens) {
    const { token, scope } = typeof entry === 'string' ? { token: entry, scope: 'full' as const } : entry;
    if (!BEARER.test(`Bearer ${token}`))
      throw new Error('Invalid access token in the option tokens: use 1 to 500 visible ASCII characters.');
    const digest = toDigest(token);
    known.set(digest, { digest, scope });
  }
  return (header) => {
    const token = BEARER.exec(header ?? '')?.groups?.['token'];
    if (token === undefined) throw new ApiError('unauthorized', 'Unauthorized');
    const digest = toDigest(token);
    const access = known.get(digest) ?? (anyToken ? { digest, scope: 'full' as const } : undefined);
    if (access === undefined) throw new ApiError('unauthorized', 'Unauthorized');
    return access;
  };
}
