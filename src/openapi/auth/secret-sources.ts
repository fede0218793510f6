import { ToolError } from '../../errors/errors.ts';
import type { DefinitionError } from '../../errors/errors.ts';
import { wrongValue } from '../../errors/options/wrong-value.ts';
import { findHeaderMistake } from '../../outbound/request-headers.ts';
import type { PasswordCredential, Secret } from './credential.ts';
import { giveUp, givenBearer, givenHeader, guard } from './schemes/credential-source.ts';
import type { CredentialSource, GivenCredential } from './schemes/credential-source.ts';
import { headerSlot, slotOf } from './schemes/security-scheme.ts';
import type { ApiKeyScheme } from './schemes/security-scheme.ts';

/** Returns the current secret, and validates the result of a function. */
async function current(secret: Secret, owner: string): Promise<string> {
  if (typeof secret === 'string') return secret;
  const found: unknown = await guard(owner, secret);
  if (typeof found !== 'string' || found === '')
    throw new ToolError(`${owner} returned no secret for this request.`);
  return found;
}

/** A secret from a function is worth another attempt, if it has changed since. */
function fromSecret(
  secret: Secret,
  { slot, owner }: { readonly slot: string | undefined; readonly owner: string },
  give: (value: string, refused: GivenCredential['refused']) => GivenCredential,
): CredentialSource {
  if (typeof secret === 'string') {
    const given = give(secret, giveUp);
    return { slot, get: () => Promise.resolve(given) };
  }
  return {
    slot,
    get: async () => {
      const value = await current(secret, owner);
      return give(value, async ({ status }) => status === 401 && (await current(secret, owner)) !== value);
    },
  };
}

/** A token after the name of its scheme, in the header `authorization`. */
export function fromToken(name: string, secret: Secret, owner: string): CredentialSource {
  return fromSecret(secret, { slot: headerSlot('authorization'), owner }, (value, refused) => {
    const token = withoutScheme(value.trim(), name);
    assertHeaderValue('authorization', token, { owner, secret });
    return name === 'Bearer'
      ? givenBearer(token, refused)
      : givenHeader('authorization', { value: `${name} ${token}`, secrets: [token] }, refused);
  });
}

/** Removes the scheme: people copy the whole header. */
function withoutScheme(value: string, name: string): string {
  const isWhole = value.toLowerCase().startsWith(`${name.toLowerCase()} `);
  return isWhole ? value.slice(name.length).trimStart() : value;
}

/** Characters that are not allowed in a cookie value. */
// oxlint-disable-next-line no-control-regex -- those are what is looked for
const NO_COOKIE = /[\u0000-\u0020",;\\\u007F-\uFFFF]/;

/** An API key at its location. */
export function fromApiKey(scheme: ApiKeyScheme, secret: Secret, owner: string): CredentialSource {
  const { in: location, parameter } = scheme;
  return fromSecret(secret, { slot: slotOf(scheme), owner }, (value, refused) => {
    if (location === 'header') {
      assertHeaderValue(parameter, value, { owner, secret });
      const [, behind] = /^[\w-]+ +(\S+)$/.exec(value) ?? [];
      return givenHeader(
        parameter.toLowerCase(),
        { value, secrets: behind === undefined ? [] : [behind] },
        refused,
      );
    }
    if (location === 'cookie' && NO_COOKIE.test(value))
      throw mistakeIn(secret, owner, 'a string of characters that are allowed in a cookie');
    const pairs = [[parameter, value]] as const;
    const [query, cookies] = location === 'query' ? [pairs, []] : [[], pairs];
    return { headers: [], query, cookies, secrets: [value], refused };
  });
}

function assertHeaderValue(
  header: string,
  value: string,
  { owner, secret }: { readonly owner: string; readonly secret: Secret },
): void {
  if (findHeaderMistake(header, value) !== undefined)
    throw mistakeIn(secret, owner, 'a string of characters that are allowed in a header');
}

/** An invalid fixed secret is an error of the definition; one from a function is an error of this call. */
function mistakeIn(secret: Secret, owner: string, expected: string): DefinitionError | ToolError {
  const error = unusable(owner, expected);
  return typeof secret === 'string' ? error : new ToolError(error.message);
}

/** An invalid credential. Its value is not shown. */
export function unusable(owner: string, expected: string): DefinitionError {
  return wrongValue('fromOpenAPI', { option: owner, expected });
}

/** A user name and a password. */
export function fromPassword({ username, password }: PasswordCredential, owner: string): CredentialSource {
  if (typeof username !== 'string' || typeof password !== 'string')
    throw unusable(owner, 'username and password as strings');
  if (username.includes(':')) throw unusable(owner, 'a username without a colon, and a password');
  if (username === '' && password === '') throw unusable(owner, 'a username and a password');
  const encoded = Buffer.from(`${username}:${password}`).toString('base64');
  const secrets = [encoded, `${username}:${password}`, password];
  // Some APIs take a key as the user name, without a password.
  if (password === '') secrets.push(username);
  const given = givenHeader('authorization', { value: `Basic ${encoded}`, secrets });
  return { slot: headerSlot('authorization'), get: () => Promise.resolve(given) };
}
