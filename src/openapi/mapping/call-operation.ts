import type { ToolContext } from '../../middleware/context.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import type { OutboundAnswer, OutboundClient } from '../../outbound/outbound-client.ts';
import type { OutboundRequest } from '../../outbound/outbound-request.ts';
import type { AppliedCredentials, Authenticator } from '../auth/authenticator.ts';
import { documentsRedirect, isRedirection } from '../model/documented-responses.ts';
import type { Operation } from '../model/operation.ts';
import type { BuildRequest } from '../request/compile-request.ts';
import type { BuiltRequest, ReadFile } from '../request/request-plan.ts';
import { welcomeTypes } from './welcome-types.ts';

/** State that the calls of one API share. */
export interface ApiParts {
  readonly client: OutboundClient;
  readonly authenticator: Authenticator;
  /** Loads the file that an argument names. */
  readonly readFile: ((uri: string, calling: Calling) => Promise<ReadFile>) | undefined;
  readonly redirects: boolean;
}

/** One operation with everything its calls need. */
export interface CallableOperation {
  readonly operation: Operation;
  /** Builds its requests; compiled on the first call. */
  readonly request: () => BuildRequest;
  readonly baseUrl: string;
  readonly api: ApiParts;
}

/** A response, and a matcher that hides the credentials of its request; undefined if there are none. */
export interface CalledOperation {
  readonly answer: OutboundAnswer;
  /** URL of the request, without credentials. */
  readonly url: URL;
  readonly hide: ((text: string) => string) | undefined;
  readonly isHiddenIn: ((bytes: Uint8Array) => boolean) | undefined;
}

/** The caller, as far as an API is concerned. */
export type Calling = Pick<ToolContext, 'accessToken' | 'principal' | 'signal'>;

/** Sends the request of a call; repeats it once if the API rejects its credentials and new ones are available. */
export type CallOperation = (
  input: Readonly<Record<string, unknown>>,
  calling: Calling,
) => Promise<CalledOperation>;

/** Compiles the calls of an operation: everything that does not depend on the arguments. */
export function compileCall(callable: CallableOperation): CallOperation {
  const { operation, baseUrl, api } = callable;
  const { client, authenticator, readFile } = api;
  const build = callable.request();
  const shared: SharedParts = {
    operation: `${operation.method} ${operation.path}`,
    accept: welcomeTypes(operation),
    ...(api.redirects ? { redirect: compileRedirect(operation) } : {}),
  };
  // Every request goes to the origin of the base URL, for any arguments: the URL is checked when it is built.
  const authorize = authenticator.authorizeFor(operation, new URL(baseUrl).origin);
  return async (input, calling) => {
    const built = await build(input, readFile && ((uri) => readFile(uri, calling)));
    const request = toRequest(shared, built, calling);
    return authorize === undefined
      ? { answer: await client.send(request), url: request.url, hide: undefined, isHiddenIn: undefined }
      : sendAuthorized(client, request, () => authorize(calling));
  };
}

type Redirect = NonNullable<OutboundRequest['redirect']>;

/** Documented redirects are results and are not followed; others are. */
function compileRedirect(operation: Operation): Redirect {
  const isFor = isRedirection(operation);
  return (to, status) => (isFor && documentsRedirect(operation, status) ? undefined : to);
}

/** Builds the request of a call, without credentials. Sends nothing. */
export function buildRequest(
  { api: { readFile }, request }: CallableOperation,
  input: Readonly<Record<string, unknown>>,
  calling: Calling,
): Promise<BuiltRequest> {
  return request()(input, readFile && ((uri) => readFile(uri, calling)));
}

/** Parts that all requests of an operation share. */
interface SharedParts extends Pick<OutboundRequest, 'redirect'> {
  /** Method and path, without arguments. */
  readonly operation: string;
  readonly accept: string;
}

function toRequest(
  { accept, ...shared }: SharedParts,
  { method, url, headers, body }: BuiltRequest,
  calling: Calling,
): OutboundRequest {
  return {
    ...shared,
    method,
    url,
    // defence: credentials-of-our-own
    headers: { accept, ...headers },
    ...(body === undefined ? {} : { body }),
    // defence: signal-to-the-api
    signal: calling.signal,
    caller: calling,
  };
}

/** Maximum length of an error body that is passed to credential providers, in characters. */
const MAX_BODY = 10_000;

/** Sends a request with credentials; repeats it once if the API rejects them and new ones are available. */
async function sendAuthorized(
  client: OutboundClient,
  request: OutboundRequest,
  authorize: () => Promise<AppliedCredentials>,
): Promise<CalledOperation> {
  const credentials = await authorize();
  const first = await sendWith(client, request, credentials);
  const { status, headers, body } = first.answer;
  if (status !== 401 && status !== 403) return first;
  const refused = { status, headers, body: body.toString('utf8', 0, MAX_BODY) };
  if (!(await credentials.refused(refused))) return first;
  return sendWith(client, request, await authorize());
}

async function sendWith(
  client: OutboundClient,
  request: OutboundRequest,
  credentials: AppliedCredentials,
): Promise<CalledOperation> {
  const { hidden, origin } = credentials;
  // defence: answers-without-credentials
  const hide = hidden && ((text: string): string => hidden.hide(text));
  const isHiddenIn = hidden && ((bytes: Uint8Array): boolean => hidden.isIn(bytes));
  try {
    const answer = await client.send({
      ...request,
      url: withQuery(request.url, credentials),
      headers: withCookies(request.headers ?? {}, credentials),
      credentials: { origin, headers: withoutCookie(credentials.headers) },
      ...(request.redirect === undefined ? {} : { redirect: withKeys(request.redirect, credentials) }),
    });
    return { answer, url: request.url, hide, isHiddenIn };
  } catch (error) {
    throw error instanceof OutboundError && hide !== undefined ? hideIn(error, hide) : error;
  }
}

function withKeys(redirect: Redirect, credentials: AppliedCredentials): Redirect {
  return (found, status) => {
    const to = redirect(found, status);
    return to && withQuery(to, credentials);
  };
}

/** Credentials in the query replace arguments of the same name. */
function withQuery(url: URL, { query }: AppliedCredentials): URL {
  if (query.length === 0) return url;
  const keyed = new URL(url);
  const names = new Set(query.map(([name]) => name));
  const kept = keyed.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !names.has(decodeName(pair)));
  const added = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  keyed.search = [...kept, ...added].join('&');
  return keyed;
}

function decodeName(pair: string): string {
  const [name = ''] = pair.split('=');
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}

function withCookies(
  headers: Readonly<Record<string, string>>,
  { cookies, headers: { cookie = '' } }: AppliedCredentials,
): Readonly<Record<string, string>> {
  if (cookie === '' && cookies.length === 0) return headers;
  const own = [...cookie.split('; '), ...cookies.map(([name, value]) => `${name}=${value}`)].filter(Boolean);
  if (own.length === 0) return headers;
  const names = new Set(own.map(nameOfCookie));
  const given = (headers['cookie'] ?? '')
    .split('; ')
    .filter((pair) => pair !== '' && !names.has(nameOfCookie(pair)));
  return { ...headers, cookie: [...given, ...own].join('; ') };
}

function nameOfCookie(pair: string): string {
  return pair.split('=')[0] ?? '';
}

/** Cookies of credentials and of arguments share one header. */
function withoutCookie({
  cookie: _cookie,
  ...headers
}: Readonly<Record<string, string>>): Record<string, string> {
  return headers;
}

function hideIn(error: OutboundError, hide: (text: string) => string): OutboundError {
  const { failure, message, cause, retryAfterMs } = error;
  const shown = hide(message);
  if (shown === message) return error;
  return new OutboundError(failure, shown, {
    cause,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
