import type { AuthOptions } from '../../../auth/protected-resource.ts';
import type { CredentialRequest, Verifier } from '../../../auth/verifier.ts';
import type { Principal } from '../../../middleware/context.ts';
import type { EventStore } from '../../../stores/event-store.ts';

/** What is known of a request when its sender is to be identified. */
export interface AuthenticateRequest<TRequest = unknown, THost = unknown> extends CredentialRequest {
  /** The request as the platform knows it: that of `node:http` or Express (with the `user` of passport), or a web-standard one. */
  readonly request: TRequest;
  /** What the application gave to the handler beside the request. */
  readonly host: THost;
}

/** Why a request is not served. Made with {@link refuse}. */
export interface Refusal {
  readonly refused: true;
  readonly status: 401 | 403 | 429 | 503;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Options of {@link refuse}. */
export interface RefusalOptions {
  /** Default: 401. */
  readonly status?: Refusal['status'];
  readonly message?: string;
  /** For example `WWW-Authenticate`. Default for 401: `WWW-Authenticate: Bearer`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Refuses a request, in `authenticate`.
 *
 * @example
 * const authenticate = async (request) => (await findUser(request.headers.get('authorization'))) ?? refuse();
 */
export function refuse(options: RefusalOptions = {}): Refusal {
  const { status = 401, message = 'Authentication is required.' } = options;
  // defence: challenge
  const challenge: Readonly<Record<string, string>> = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return { refused: true, status, message, headers: options.headers ?? challenge };
}

/** A request that is served without a principal. Made with {@link anonymous}. */
export interface Anonymous {
  readonly isAnonymous: true;
}

/**
 * Serves a request without a principal, in `authenticate`: for servers that some callers may use without a login. They are told apart by
 * their addresses, as without `authenticate`.
 *
 * @example
 * const authenticate = ({ request, headers }) => request.user ?? (headers.get('authorization') === null ? anonymous() : refuse());
 */
export function anonymous(): Anonymous {
  return ANONYMOUS;
}

/** Always the same one: a principal may have a member of this name. */
export const ANONYMOUS: Anonymous = Object.freeze({ isAnonymous: true });

/** Finds out who sends a request. Anything but a principal or {@link anonymous} means that nobody does. */
export type Authenticate<TRequest = unknown, THost = unknown> = (
  request: AuthenticateRequest<TRequest, THost>,
) => Identity | Promise<Identity>;

/** What `authenticate` returns. */
export type Identity = Principal | Anonymous | Refusal;

/** What is known of a request when the address of its client is to be found. */
export interface ClientAddressRequest {
  /** Of the connection: of the proxy, where there is one. Undefined in `toFetchHandler`. */
  readonly address: string | undefined;
  readonly headers: { get(name: string): string | null };
}

/** Finds the address of the client of a request; undefined where it is not known. */
export type ClientAddress = (request: ClientAddressRequest) => string | undefined;

/** Answers a request to a route of your own. */
export type RouteHandler = (request: Request) => Response | Promise<Response>;

/** Sessions of clients of earlier revisions. */
export interface SessionOptions {
  /** How many there may be. Default: 10,000. */
  readonly maxSessions?: number;
  /** How many one caller may have. Default: 1,000. */
  readonly maxSessionsPerCaller?: number;
  /** How long one is kept that nobody uses. Default: 30 minutes. */
  readonly idleMs?: number;
  /** Where the messages of streams wait for clients that come back. Default: in memory. */
  readonly eventStore?: EventStore;
}

/** The two endpoints of 2024-11-05. */
export interface SseOptions {
  /** Default: `/sse`. */
  readonly streamPath?: string;
  /** Default: `/messages`. */
  readonly messagePath?: string;
  /** How many clients may be connected. Default: 10,000. */
  readonly maxClients?: number;
}

/** How a server is put behind HTTP. */
export interface HttpOptions<TRequest = unknown, THost = unknown> {
  /** Where the server answers; everywhere when undefined, as in an application that has its own routes. `serveHttp`: `/mcp`. */
  readonly path?: string;
  /** Hosts that requests may name, with or without a port. Default: `localhost`, `127.0.0.1` and `[::1]`. */
  readonly allowedHosts?: readonly string[];
  /** Origins of browsers that may call, such as `https://app.example.com`. They get CORS headers. Default: none but pages of this machine, without CORS. */
  readonly allowedOrigins?: readonly string[];
  /**
   * Verifies the credentials of every request, challenges requests without valid ones, and publishes the metadata of the protected resource: a
   * verifier of `toolwright/auth`, or options with one. Default: all callers are anonymous.
   */
  readonly auth?: Verifier | AuthOptions;
  /** A function of your own in place of `auth`, called for every request. Default: all callers are anonymous. */
  readonly authenticate?: Authenticate<TRequest, THost>;
  /** How long `authenticate` may take. Default: 10 s. */
  readonly authenticateTimeoutMs?: number;
  /**
   * Finds the address of an anonymous client, whose calls are limited by it. Default: the address of the connection; behind a proxy, use
   * `forwardedFor`.
   */
  readonly clientAddress?: ClientAddress;
  /** Where it says that it is up; false for nowhere. Default: nowhere; `serveHttp`: `/health`. */
  readonly healthPath?: string | false;
  /**
   * Routes of your own beside the endpoint, by method and path: `{ 'GET /version': () => new Response('1.0.0') }`. Host and origin are checked
   * before; `authenticate` is not called.
   */
  readonly routes?: Readonly<Record<string, RouteHandler>>;
  /** Sessions for clients of earlier revisions; false serves them without: nothing can be asked or told outside of an answer. */
  readonly sessions?: SessionOptions | false;
  /** Serves clients of 2024-11-05 over its two endpoints as well. Default: false. */
  readonly sse?: SseOptions | boolean;
  /** How often a stream without news shows that it is alive. Default: 15 s. */
  readonly keepAliveMs?: number;
  /** How long a client may stand still in reading an answer before its connection is cut. Default: 30 s. */
  readonly stallMs?: number;
  /** How many requests are answered at the same time. Default: 256. Those that only listen do not count. */
  readonly maxInFlight?: number;
  /** How many of one caller; callers without a name are not told apart. Default: 32. */
  readonly maxInFlightPerCaller?: number;
  /** How many wait for others to be answered; the rest are refused with 503. Default: 512. */
  readonly maxWaiting?: number;
  /** How long they wait before they are refused as well. Default: 10 s. */
  readonly maxWaitMs?: number;
}

/** The limits of HTTP where nothing else is said. `docs/limits.md` shows the same numbers; a test compares them. */
export const HTTP_DEFAULTS: Readonly<
  Record<
    | 'maxSessions'
    | 'maxSessionsPerCaller'
    | 'idleMs'
    | 'authenticateTimeoutMs'
    | 'keepAliveMs'
    | 'stallMs'
    | 'maxInFlight'
    | 'maxInFlightPerCaller'
    | 'maxWaiting'
    | 'maxWaitMs'
    | 'drainMs'
    | 'readyDelayMs'
    | 'headersTimeoutMs'
    | 'requestTimeoutMs'
    | 'idleConnectionMs',
    number
  >
> = {
  maxSessions: 10_000,
  maxSessionsPerCaller: 1000,
  idleMs: 1_800_000,
  authenticateTimeoutMs: 10_000,
  keepAliveMs: 15_000,
  stallMs: 30_000,
  maxInFlight: 256,
  maxInFlightPerCaller: 32,
  maxWaiting: 512,
  maxWaitMs: 10_000,
  /** How long `close` waits for answers. */
  drainMs: 10_000,
  readyDelayMs: 2000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  idleConnectionMs: 72_000,
};
