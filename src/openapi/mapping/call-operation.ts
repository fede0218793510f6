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

/** What calls of one API share. */
export interface ApiParts {
  readonly client: OutboundClient;
  readonly authenticator: Authenticator;
  /** Reads what a file argument names. */
  readonly readFile: ((uri: string, calling: Calling) => Promise<ReadFile>) | undefined;
  /** Whether redirects are followed. */
  readonly redirects: boolean;
}

/** One operation, ready to be called. */
export interface CallableOperation {
  readonly operation: Operation;
  /** Makes its requests: compiled when the operation is first called. */
  readonly request: () => BuildRequest;
  readonly baseUrl: string;
  readonly api: ApiParts;
}

/** An answer, and what takes the credentials of its request out of texts, and finds them in bytes: undefined where there are none. */
export interface CalledOperation {
  readonly answer: OutboundAnswer;
  /** The address of the request, without credentials. */
  readonly url: URL;
  readonly hide: ((text: string) => string) | undefined;
  readonly isHiddenIn: ((bytes: Uint8Array) => boolean) | undefined;
}

/** Who calls, as far as an API is concerned. */
export type Calling = Pick<ToolContext, 'accessToken' | 'principal' | 'signal'>;

/** Sends the request of a call; once more if the API refuses its credentials and others can be had. */
export type CallOperation = (
  input: Readonly<Record<string, unknown>>,
  calling: Calling,
) => Promise<CalledOperation>;

/** Compiles the calls of an operation: what is the same for all of them is found here. */
export function compileCall(callable: CallableOperation): CallOperation {
  const { operation, baseUrl, api } = callable;
  const { client, authenticator, readFile } = api;
  const build = callable.request();
  const shared: SharedParts = {
    operation: `${operation.method} ${operation.path}`,
    accept: welcomeTypes(operation),
    ...(api.redirects ? { redirect: compileRedirect(operation) } : {}),
  };
  // Every request goes to the origin of the base URL, whatever the arguments: the address is checked when it is put together.
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

/** A redirect that is the result of an operation is not followed. Another one of the same operation is: what it is for has moved. */
function compileRedirect(operation: Operation): Redirect {
  const isFor = isRedirection(operation);
  return (to, status) => (isFor && documentsRedirect(operation, status) ? undefined : to);
}

/** The request of a call, without its credentials. Nothing is sent. */
export function buildRequest(
  { api: { readFile }, request }: CallableOperation,
  input: Readonly<Record<string, unknown>>,
  calling: Calling,
): Promise<BuiltRequest> {
  return request()(input, readFile && ((uri) => readFile(uri, calling)));
}

/** What the requests of an operation have in common. */
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

/** So much of a refusal is shown to who gives credentials. */
const MAX_BODY = 10_000;

/** Sends a request with credentials; once more if the API refuses them and others can be had. */
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

/** Keys in the query win over what arguments put there. */
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

/** Cookies of credentials and of arguments are one header. */
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
