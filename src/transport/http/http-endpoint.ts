import { ProtectedResource } from '../../auth/protected-resource.ts';
import { toLoggedError } from '../../errors/log-thrown.ts';
import { describeValue } from '../../errors/options/wrong-value.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { Closing } from '../../wire/served/closing.ts';
import { accountOf } from '../../wire/served/owner.ts';
import { CLIENT_CREDENTIALS_EXTENSION } from '../../wire/messages/meta-keys.ts';
import { INTERNAL_ERROR, invalidRequest } from '../../wire/messages/rpc-errors.ts';
import type { Served } from '../../wire/served/served.ts';
import { Admission } from './gate/admission.ts';
import { CustomRoutes } from './custom-routes.ts';
import { Gatekeeper } from './gate/gatekeeper.ts';
import type { HttpHeaders, HttpRequest, HttpSink } from './message/http-message.ts';
import { assertHttpOptions } from './message/assert-http-options.ts';
import { HTTP_DEFAULTS } from './message/http-options.ts';
import type { HttpOptions } from './message/http-options.ts';
import { HealthRoutes } from './gate/health-routes.ts';
import { identify } from './gate/identify.ts';
import type { Identified, IdentifyOptions } from './gate/identify.ts';
import { McpEndpoint } from './mcp-endpoint.ts';
import { protect } from './gate/protect.ts';
import { OpenRequests } from './gate/open-requests.ts';
import { PendingIdentities, TOO_MANY_PENDING } from './gate/pending-identities.ts';
import { ReadingRoom } from './message/reading-room.ts';
import { respondError, respondNotAllowed } from './message/respond.ts';
import { jsonHeaders } from './message/response-headers.ts';
import type { EndpointParts, EndpointRequest } from './gate/endpoint-request.ts';
import { SseEndpoints } from './legacy/sse-endpoints.ts';
import type { StallLimit } from '../stall-watch.ts';
import { UnreadResponses } from './faces/unread-responses.ts';

/** A server over HTTP, independent of the HTTP library. Every request passes the same checks in this order: host and origin, path, authentication. */
export class HttpEndpoint {
  readonly #served: Served;
  readonly #options: Omit<HttpOptions, 'authenticate'> & IdentifyOptions;
  readonly #resource: ProtectedResource | undefined;
  readonly #challenge: HttpSink['challenge'];
  readonly #challengeAnonymous: HttpSink['challenge'];
  readonly #gatekeeper: Gatekeeper;
  readonly #mcp: McpEndpoint;
  readonly #sse: SseEndpoints | undefined;
  readonly #routes: CustomRoutes | undefined;
  readonly #open = new OpenRequests();
  readonly #leave = (): void => this.#open.leave();
  readonly #closing = new Closing();
  readonly #health: HealthRoutes;
  #isClosed = false;
  readonly #identities: PendingIdentities;
  /** Time a client may read nothing. */
  readonly stallLimit: StallLimit;
  readonly unread: UnreadResponses;

  constructor(served: Served, options: HttpOptions) {
    assertHttpOptions(options);
    this.#served = served;
    this.#resource = options.auth && new ProtectedResource(options.auth, served.clock);
    this.#options = this.#resource ? { ...options, authenticate: protect(this.#resource) } : options;
    const resource = this.#resource;
    this.#challenge = resource && ((scopes) => resource.challengeScopes(scopes));
    this.#challengeAnonymous = resource && ((scopes) => resource.challengeAnonymous(scopes));
    const credentialHeaders = resource?.credentialHeaders;
    this.#gatekeeper = new Gatekeeper({ ...options, credentialHeaders });
    const { clock, limits, memory } = served;
    this.unread = new UnreadResponses(memory, clock);
    const settled = { ...HTTP_DEFAULTS, ...withoutUndefined(options) };
    this.#identities = new PendingIdentities(settled.maxInFlight + settled.maxWaiting, memory);
    this.stallLimit = { clock, stallMs: settled.stallMs };
    const parts: EndpointParts = {
      served,
      keepAliveMs: settled.keepAliveMs,
      closing: this.#closing,
      admission: new Admission(settled, clock),
      extensions:
        this.#resource?.hasClientCredentials === true ? { [CLIENT_CREDENTIALS_EXTENSION]: {} } : undefined,
      bodyLimits: { maxBytes: limits.maxMessageBytes, room: new ReadingRoom(clock, memory) },
    };
    this.#health = new HealthRoutes(served, options);
    this.#routes = options.routes === undefined ? undefined : new CustomRoutes(options, parts.bodyLimits);
    this.#mcp = new McpEndpoint(parts, options.sessions);
    this.#sse =
      options.sse === undefined || options.sse === false
        ? undefined
        : new SseEndpoints(parts, options.sse === true ? {} : options.sse);
  }

  /** Handles a request. Never throws. */
  async handle(http: HttpRequest, sink: HttpSink): Promise<void> {
    // Counts until the response is sent, not only until it is known.
    this.#open.enter();
    sink.onClose(this.#leave);
    try {
      await this.#admit(http, sink);
    } catch (error) {
      // defence: last-catch
      this.#fail(error, sink);
    }
  }

  /** Whether the server is draining: connections then close after their response. */
  get isDraining(): boolean {
    return this.#closing.isClosed;
  }

  /** Whether `/health` or `/readyz` was requested in the last minute, as load balancers do. */
  get isWatched(): boolean {
    return this.#health.isWatched;
  }

  /** Reports `closing` to health checks, and releases clients. */
  announceClose(): void {
    this.#health.close();
    this.release();
  }

  /** Ends subscriptions, and closes each connection after its response. Other requests are still served. */
  release(): void {
    this.#closing.close();
    this.#mcp.release();
  }

  /** Rejects new requests, ends streams, and waits for running requests; those that take longer than `drainMs` are cancelled. */
  async close(drainMs: number = HTTP_DEFAULTS.drainMs): Promise<void> {
    this.announceClose();
    this.#isClosed = true;
    await this.drain(drainMs);
  }

  /** Waits until no request runs and none has arrived for `quietMs`; requests that take longer than `drainMs` are cancelled. */
  async drain(drainMs: number, quietMs = 0): Promise<void> {
    const { clock } = this.#served;
    const until = clock.now() + drainMs;
    const left = (): number => Math.max(0, until - clock.now());
    await this.#sse?.drain(left());
    await this.#sse?.close();
    await this.#open.drain(clock, left());
    let isQuiet = quietMs === 0;
    while (!isQuiet && left() > 0) {
      await new Promise<void>((resolve) => clock.schedule(resolve, Math.min(quietMs, left())));
      isQuiet = this.#open.count === 0;
      await this.#open.drain(clock, left());
    }
    this.#mcp.close();
  }

  async #admit(http: HttpRequest, sink: HttpSink): Promise<void> {
    const path = http.target === this.#options.path ? http.target : pathOf(http.target);
    const health = this.#health.find(path);
    const turnedAway = this.#gatekeeper.check(http);
    if (turnedAway !== undefined) {
      const { status, message } = turnedAway;
      if (health !== undefined && status === 403 && this.#health.isProbe(http))
        return this.#health.answerProbe(health, sink);
      return respondError(sink, { status, error: invalidRequest(message) });
    }
    const cors = this.#gatekeeper.corsHeaders(http);
    if (health !== undefined) return this.#health.answer(health, { http, sink, cors });
    if (this.#resource?.metadataPaths.includes(path) === true)
      return this.#answerMetadata(this.#resource, { http, sink, cors });
    const route = this.#routes?.serves(http, path) === true ? this.#routes : undefined;
    const sse = this.#sse?.serves(path) === true ? this.#sse : undefined;
    const isElsewhere = this.#options.path !== undefined && path !== this.#options.path;
    if (isElsewhere && sse === undefined && route === undefined) {
      const message = `Not found: ${describeValue(path)}. The MCP endpoint is ${this.#options.path}.`;
      return respondError(sink, { status: 404, error: invalidRequest(message), headers: cors });
    }
    if (http.method === 'OPTIONS') return this.#answerPreflight(http, sink);
    if (this.#isClosed) {
      const headers = { ...cors, 'retry-after': '5', connection: 'close' };
      return respondError(sink, { status: 503, error: invalidRequest('The server is closing.'), headers });
    }
    if (route !== undefined) {
      const account = this.#served.memory.anonymous;
      sink.account = account;
      return route.handle({ http, sink, cors, account }, path);
    }
    // defence: every-request-is-identified
    const identified = await this.#identify(http);
    if ('refused' in identified) {
      const { status, message, headers } = identified;
      const error = invalidRequest(message);
      return respondError(sink, { status, error, headers: { ...cors, ...headers } });
    }
    const account = accountOf(this.#served.memory, identified.caller);
    sink.account = account;
    const hidden = this.#resource?.credentialHeaders ?? [];
    if (hidden.length > 0) http.credentialHeaders = hidden;
    const isKnown = identified.caller.principal !== undefined;
    sink.challenge = isKnown ? this.#challenge : this.#challengeAnonymous;
    const request: EndpointRequest = { http, sink, identified, cors, account };
    return sse === undefined ? this.#mcp.handle(request) : sse.handle(request, path);
  }

  #identify(http: HttpRequest): MaybePromise<Identified> {
    if (this.#identities.isFull) return TOO_MANY_PENDING;
    const identified = identify(http, this.#options, this.#served);
    return isPromiseLike(identified) ? this.#identities.wait(http, identified) : identified;
  }

  #answerMetadata(
    { metadata }: ProtectedResource,
    { http, sink, cors }: { readonly http: HttpRequest; readonly sink: HttpSink; readonly cors: HttpHeaders },
  ): void {
    if (http.method === 'OPTIONS') return this.#answerPreflight(http, sink);
    if (http.method !== 'GET' && http.method !== 'HEAD') return respondNotAllowed(sink, 'GET, HEAD', cors);
    sink.respond(200, jsonHeaders(cors), metadata);
  }

  #answerPreflight(http: HttpRequest, sink: HttpSink): void {
    const headers = this.#gatekeeper.preflightHeaders(http);
    if (headers === undefined) return respondNotAllowed(sink, 'POST, GET, DELETE', {});
    sink.respond(204, headers);
  }

  #fail(error: unknown, sink: HttpSink): void {
    this.#served.logger.error('an HTTP request failed', { error: toLoggedError(error) });
    respondError(sink, { status: 500, error: INTERNAL_ERROR });
  }
}

/** Drops options that are undefined, so that defaults apply. */
function withoutUndefined(options: HttpOptions): HttpOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function pathOf(target: string): string {
  // The request target may be an absolute URL; only its path is used for routing.
  const path = target.startsWith('/') ? target : target.replace(/^[a-z][\w+.-]*:\/\/[^/]*/i, '');
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}
