import type { AuthOptions } from '../../../auth/protected-resource.ts';
import type { CredentialRequest, Verifier } from '../../../auth/verifier.ts';
import type { Principal } from '../../../middleware/context.ts';
import type { EventStore } from '../../../stores/event-store.ts';
import type { StateStore } from '../../../stores/state/state-store.ts';

/** Argument of `authenticate`: the request to authenticate. */
export interface AuthenticateRequest<TRequest = unknown, THost = unknown> extends CredentialRequest {
  /** Request object of the platform: of `node:http`, of Express (with the `user` of passport), or a web-standard `Request`. */
  readonly request: TRequest;
  /** Value that the application passed to the handler with the request. */
  readonly host: THost;
}

/** Rejection of a request, created with {@link refuse}. */
export interface Refusal {
  readonly refused: true;
  readonly status: 400 | 401 | 403 | 429 | 503;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Options of {@link refuse}. */
export interface RefusalOptions {
  /** HTTP status. Default: 401. */
  readonly status?: Refusal['status'];
  /** Message of the response. Default: `Authentication is required.` */
  readonly message?: string;
  /** Response headers, for example `WWW-Authenticate`. Default for status 401: `WWW-Authenticate: Bearer`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Rejects a request in `authenticate`.
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

/** Marks a request as anonymous, created with {@link anonymous}. */
export interface Anonymous {
  readonly isAnonymous: true;
}

/**
 * Serves a request without a principal, in `authenticate`. Use it if login is optional. Anonymous callers are rate-limited by their
 * address, as without `authenticate`.
 *
 * @example
 * const authenticate = ({ request, headers }) => request.user ?? (headers.get('authorization') === null ? anonymous() : refuse());
 */
export function anonymous(): Anonymous {
  return ANONYMOUS;
}

/** Compared by identity: a principal may have a member of the same name. */
export const ANONYMOUS: Anonymous = Object.freeze({ isAnonymous: true });

/** Identifies the caller of a request. Any other value than a principal or {@link anonymous} rejects the request. */
export type Authenticate<TRequest = unknown, THost = unknown> = (
  request: AuthenticateRequest<TRequest, THost>,
) => Identity | Promise<Identity>;

/** Return value of `authenticate`. */
export type Identity = Principal | Anonymous | Refusal;

/** Argument of `clientAddress`. */
export interface ClientAddressRequest {
  /** Address of the connection; behind a proxy, the address of the proxy. Undefined in `toFetchHandler`. */
  readonly address: string | undefined;
  readonly headers: { get(name: string): string | null };
}

/** Returns the address of the client, or undefined if it is unknown. */
export type ClientAddress = (request: ClientAddressRequest) => string | undefined;

/** Handler of a custom route. */
export type RouteHandler = (request: Request) => Response | Promise<Response>;

/** Options of sessions, which clients of earlier revisions use. */
export interface SessionOptions {
  /** Maximum number of sessions. Default: 10,000. */
  readonly maxSessions?: number;
  /** Maximum number of sessions per caller. Default: 1,000. */
  readonly maxSessionsPerCaller?: number;
  /** Time an unused session is kept, in milliseconds. Default: 1,800,000 (30 minutes). */
  readonly idleMs?: number;
  /** Store of messages for clients that resume. Default: a `MemoryEventStore`. */
  readonly eventStore?: EventStore;
  /**
   * Store that all nodes share: any node then serves any session. Needs `eventStore`, and `eventBus` and `requestStateKeys` of the server, all
   * of them the same on all nodes. Default: none (sessions are in the memory of the node that began them).
   */
  readonly shared?: StateStore;
  /** Maximum lifetime of a shared session, in milliseconds. Default: 86,400,000 (24 hours). */
  readonly lifetimeMs?: number;
}

/** Options of the two SSE endpoints of 2024-11-05. */
export interface SseOptions {
  /** Path of the stream. Default: `/sse`. */
  readonly streamPath?: string;
  /** Path of messages, as clients see it. Default: `/messages`. */
  readonly messagePath?: string;
  /** Maximum number of connected clients. Default: 10,000. */
  readonly maxClients?: number;
}

/** Options of a server over HTTP. */
export interface HttpOptions<TRequest = unknown, THost = unknown> {
  /** Path of the endpoint. Default: every path, for applications with their own routes; `serveHttp`: `/mcp`. */
  readonly path?: string;
  /** Allowed values of the `Host` header, with or without a port. Default: `localhost`, `127.0.0.1` and `[::1]`. */
  readonly allowedHosts?: readonly string[];
  /** Allowed browser origins, such as `https://app.example.com`; they get CORS headers. Default: only pages of this machine, without CORS headers. */
  readonly allowedOrigins?: readonly string[];
  /**
   * Verifies the credentials of every request, challenges requests without valid ones, and publishes the metadata of the protected resource: a
   * verifier of `toolwright/auth`, or options with one. Default: all callers are anonymous.
   */
  readonly auth?: Verifier | AuthOptions;
  /** Identifies the caller of every request. Default: none (every caller is anonymous). */
  readonly authenticate?: Authenticate<TRequest, THost>;
  /** Timeout of `authenticate`, in milliseconds. Default: 10,000. */
  readonly authenticateTimeoutMs?: number;
  /**
   * Determines the address by which the calls of an anonymous caller are rate-limited. Default: the address of the connection; behind a
   * proxy, use `forwardedFor`.
   */
  readonly clientAddress?: ClientAddress;
  /** Path of the health check, or false for none. Default: none; `serveHttp`: `/health`. */
  readonly healthPath?: string | false;
  /** Path of the liveness check, which responds as long as the process lives; false for none. Default: none; `serveHttp`: `/healthz`. */
  readonly livePath?: string | false;
  /** Path of the readiness check, which fails while the server closes; false for none. Default: none; `serveHttp`: `/readyz`. */
  readonly readyPath?: string | false;
  /**
   * Whether the readiness check fails while the hash of the catalog differs from that of other nodes with the same store. Needs
   * `sessions.shared`, or `stateStore` of the server. Rules out rolling upgrades. Default: false.
   */
  readonly requireSameCatalog?: boolean;
  /**
   * Custom routes by method and path: `{ 'GET /version': () => new Response('1.0.0') }`. Host and origin are checked first; `authenticate`
   * is not called.
   */
  readonly routes?: Readonly<Record<string, RouteHandler>>;
  /** Options of sessions for clients of earlier revisions, or false to serve them statelessly: without elicitation, sampling and notifications. */
  readonly sessions?: SessionOptions | false;
  /** Also serves the two SSE endpoints of 2024-11-05. Default: false. */
  readonly sse?: SseOptions | boolean;
  /** Interval of keep-alive comments on a stream, in milliseconds. Default: 15,000. */
  readonly keepAliveMs?: number;
  /** Time a client may read nothing before its connection is closed, in milliseconds. Default: 30,000. */
  readonly stallMs?: number;
  /** Maximum number of concurrent requests; subscriptions do not count. Default: 256. */
  readonly maxInFlight?: number;
  /** Maximum number of concurrent requests per caller; does not apply to anonymous callers. Default: 32. */
  readonly maxInFlightPerCaller?: number;
  /** Maximum number of queued requests; others get 503. Default: 512. */
  readonly maxWaiting?: number;
  /** Time a request is queued before it gets 503, in milliseconds. Default: 10,000. */
  readonly maxWaitMs?: number;
}

/** Default limits of HTTP. `docs/limits.md` lists the same numbers; a test compares them. */
export const HTTP_DEFAULTS: Readonly<
  Record<
    | 'maxSessions'
    | 'maxSessionsPerCaller'
    | 'idleMs'
    | 'lifetimeMs'
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
  lifetimeMs: 86_400_000,
  authenticateTimeoutMs: 10_000,
  keepAliveMs: 15_000,
  stallMs: 30_000,
  maxInFlight: 256,
  maxInFlightPerCaller: 32,
  maxWaiting: 512,
  maxWaitMs: 10_000,
  /** Time that `close` waits for responses. */
  drainMs: 10_000,
  readyDelayMs: 2000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  idleConnectionMs: 72_000,
};
