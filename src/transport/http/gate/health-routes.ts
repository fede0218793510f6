import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { DefinitionError } from '../../../errors/errors.ts';
import type { Served } from '../../../wire/served/served.ts';
import type { HttpHeaders, HttpRequest, HttpSink } from '../message/http-message.ts';
import type { HttpOptions } from '../message/http-options.ts';
import { respondNotAllowed } from '../message/respond.ts';
import { jsonHeaders } from '../message/response-headers.ts';

/** Options that set the path of a route, in the order of precedence. */
const ROUTES = ['healthPath', 'livePath', 'readyPath'] as const;

/** One route for health checks. */
export type HealthRoute = (typeof ROUTES)[number];

/** Load balancers send health checks more often than this. */
const WATCHED_MS = 60_000;

interface HealthRequest {
  readonly http: HttpRequest;
  readonly sink: HttpSink;
  readonly cors: HttpHeaders;
}

/** The routes for health checks of load balancers and orchestrators. They need no authentication, and work under overload. */
export class HealthRoutes {
  readonly #served: Served;
  readonly #routes = new Map<string, HealthRoute>();
  #askedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(served: Served, options: HttpOptions) {
    this.#served = served;
    for (const route of ROUTES) {
      const path = options[route];
      if (path === undefined || path === false) continue;
      const other = path === options.path ? 'path' : this.#routes.get(path);
      // A server may have its health check at the path of the endpoint: then it has no endpoint.
      if (other !== undefined && route !== 'healthPath')
        throw new DefinitionError(`HTTP: ${route} and ${other} are both "${path}". Use two paths.`, {
          option: route,
        });
      this.#routes.set(path, route);
    }
  }

  /** Whether a route that load balancers use was requested in the last minute. */
  get isWatched(): boolean {
    return this.#served.clock.now() - this.#askedAt < WATCHED_MS;
  }

  /** Reports `closing` from now on. */
  close(): void {
    this.#isClosed = true;
  }

  /** The route of a path. */
  find(path: string): HealthRoute | undefined {
    return this.#routes.get(path);
  }

  answer(route: HealthRoute, { http, sink, cors }: HealthRequest): MaybePromise<void> {
    if (!isRead(http)) return respondNotAllowed(sink, 'GET, HEAD', cors);
    const { catalogHash } = this.#served;
    if (route === 'healthPath') return this.#respond(route, { sink, cors }, this.#memory());
    if (route === 'livePath' || catalogHash === undefined) return this.#respond(route, { sink, cors }, {});
    return catalogHash().then((catalog) => this.#respond(route, { sink, cors }, { catalog }));
  }

  /**
   * Responds to a request by address, as load balancers send it, if no page of another origin has sent it. The body is constant, so a page
   * that sends the same request learns nothing. Returns whether it has responded.
   */
  answerProbe(route: HealthRoute, http: HttpRequest, sink: HttpSink): boolean {
    if (!isRead(http) || http.header('origin') !== undefined) return false;
    this.#respond(route, { sink, cors: {} }, {});
    return true;
  }

  #respond(route: HealthRoute, { sink, cors }: Omit<HealthRequest, 'http'>, details: object): void {
    const isLive = route === 'livePath';
    if (!isLive) this.#askedAt = this.#served.clock.now();
    const isClosing = !isLive && this.#isClosed;
    const body = { status: isClosing ? 'closing' : 'ok', ...details };
    sink.respond(isClosing ? 503 : 200, jsonHeaders(cors), JSON.stringify(body));
  }

  #memory(): object {
    const { usedBytes, maxBytes } = this.#served.memory;
    // Rounded: exact numbers would reveal the traffic of other clients.
    const step = maxBytes / 16;
    return { memory: { usedBytes: Math.floor(Math.floor(usedBytes / step) * step), maxBytes } };
  }
}

function isRead({ method }: HttpRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}
