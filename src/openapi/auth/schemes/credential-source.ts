import { ToolError, ToolwrightError } from '../../../errors/errors.ts';
import { findHeaderMistake } from '../../../outbound/request-headers.ts';
import type { AuthHeaders, AuthProvider, AuthRequest, RefusedAnswer } from './auth-provider.ts';
import { headerSlot } from './security-scheme.ts';

/** A name and its value. */
export type Pair = readonly [name: string, value: string];

/** Additions of one credential to a request. */
export interface GivenCredential {
  readonly headers: readonly Pair[];
  readonly query: readonly Pair[];
  readonly cookies: readonly Pair[];
  /** Strings that must not be shown. */
  readonly secrets: readonly string[];
  /** Called after a 401 or 403. Returns whether to try again. */
  refused(answer: RefusedAnswer): boolean | Promise<boolean>;
}

/** Returns a credential for each request. */
export interface CredentialSource {
  /** The slot of the request that it fills. */
  readonly slot: string | undefined;
  get(request: AuthRequest): Promise<GivenCredential>;
}

/** For credentials that cannot be renewed. */
export const giveUp = (): boolean => false;

/** A credential that is one header. */
export function givenHeader(
  name: string,
  { value, secrets = [] }: { readonly value: string; readonly secrets?: readonly string[] },
  refused: GivenCredential['refused'] = giveUp,
): GivenCredential {
  return { headers: [[name, value]], query: [], cookies: [], secrets: [value, ...secrets], refused };
}

/** A bearer token in the header `authorization`. */
export function givenBearer(token: string, refused: GivenCredential['refused'] = giveUp): GivenCredential {
  return givenHeader('authorization', { value: `Bearer ${token}`, secrets: [token] }, refused);
}

/** Calls a provider and validates its result. */
export function fromProvider(
  provider: AuthProvider,
  slot: string | undefined,
  owner: string,
): CredentialSource {
  return {
    slot,
    get: async (request) => {
      const answered = await guard(owner, () => provider.getAuthHeaders(request));
      const headers = readHeaders(answered, owner);
      const given: AuthHeaders = Object.fromEntries(headers);
      return {
        headers,
        query: [],
        cookies: [],
        secrets: headers.flatMap(secretsOfHeader),
        refused: async (answer) =>
          (await guard(owner, () => provider.handleAuthError?.({ ...request, ...answer, given }))) === true,
      };
    },
  };
}

/** Passes our own errors on, whose messages are for the caller; hides the messages of all others. */
export async function guard<TValue>(owner: string, run: () => TValue | PromiseLike<TValue>): Promise<TValue> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ToolwrightError) throw error;
    throw new ToolError(`${owner} could not provide credentials for this request.`, { cause: error });
  }
}

function readHeaders(answered: unknown, owner: string): Pair[] {
  if (answered === undefined || answered === null) return [];
  if (typeof answered !== 'object' || Array.isArray(answered))
    throw new ToolError(`${owner} must return an object of headers.`);
  return Object.entries(answered).flatMap(([name, value]: [string, unknown]): Pair[] => {
    if (value === undefined) return [];
    const mistake = findHeaderMistake(name, value);
    if (mistake !== undefined || typeof value !== 'string') throw new ToolError(`${owner}: ${mistake}`);
    return [[name.toLowerCase(), value]];
  });
}

/** Headers that are not secret. */
const HARMLESS = /^(?:accept(?:-.*)?|cache-control|content-.*|prefer|user-agent)$/;
/** Minimum length of a secret header value; shorter ones are versions and flags. */
const MIN_SECRET_HEADER = 8;

/** The whole value, and the part after the name of the scheme. */
export function secretsOfHeader([name, value]: Pair): string[] {
  if (HARMLESS.test(name.toLowerCase())) return [];
  const [, behind = ''] = /^[\w-]+ +(\S.*)$/.exec(value) ?? [];
  return [value, behind].filter((text) => text.length >= MIN_SECRET_HEADER);
}

/** Slots that headers fill. */
export function slotsOf(headers: Iterable<Pair>): Set<string> {
  return new Set([...headers].map(([name]) => headerSlot(name)));
}
