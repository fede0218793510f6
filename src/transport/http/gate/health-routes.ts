import { DefinitionError } from '../../../errors/errors.ts';
import type { Served } from '../../../wire/served/served.ts';
import type { HttpHeaders, HttpRequest, HttpSink } from '../message/http-message.ts';
import type { HttpOptions } from '../message/http-options.ts';
import { respondNotAllowed } from '../message/respond.ts';
import { jsonHeaders } from '../message/response-headers.ts';
import { SameCatalog } from './same-catalog.ts';

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

/** The response to a health check. Details are only for requests with an allowed host. */
interface HealthReport {
  readonly status: 'closing' | 'different-catalog' | 'ok' | 'unknown-catalog';
  readonly details?: object;
}

/** The routes for health checks of load balancers and orchestrators. They need no authentication, and work under overload. */
export class HealthRoutes {
  readonly #served: Served;
  readonly #routes = new Map<string, HealthRoute>();
  readonly #sameCatalog: SameCatalog | undefined;
  readonly #needsSameCatalog: boolean;
  #askedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(served: Served, options: HttpOptions) {
    this.#served = served;
    this.#needsSameCatalog = options.requireSameCatalog === true;
    this.#sameCatalog = toSameCatalog(served, options);
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

  async answer(route: HealthRoute, { http, sink, cors }: HealthRequest): Promise<void> {
    if (!isRead(http)) return respondNotAllowed(sink, 'GET, HEAD', cors);
    const { status, details } = await this.#report(route);
    respond(sink, cors, { status, ...details });
  }

  /** Whether this is a request by address, as load balancers send it, and not one of a page. */
  isProbe(http: HttpRequest): boolean {
    return isRead(http) && http.header('origin') === undefined;
  }

  /** Responds to a probe without details: a page that sends the same request through DNS rebinding learns nothing. */
  async answerProbe(route: HealthRoute, sink: HttpSink): Promise<void> {
    const { status } = await this.#report(route);
    respond(sink, {}, { status });
  }

  async #report(route: HealthRoute): Promise<HealthReport> {
    if (route === 'livePath') return { status: 'ok' };
    this.#askedAt = this.#served.clock.now();
    if (route === 'healthPath')
      return { status: this.#isClosed ? 'closing' : 'ok', details: this.#metrics() };
    const catalog = await this.#served.catalogHash?.();
    if (this.#isClosed) return { status: 'closing', details: { catalog } };
    if (catalog === undefined || this.#sameCatalog === undefined)
      return { status: 'ok', details: { catalog } };
    const match = await this.#sameCatalog.check(catalog);
    const sameCatalog = match === 'unknown' ? undefined : match === 'same';
    const isReady = match === 'same' || !this.#needsSameCatalog;
    return { status: isReady ? 'ok' : `${match}-catalog`, details: { catalog, sameCatalog } };
  }

  #metrics(): object {
    const { usedBytes, maxBytes } = this.#served.memory;
    // Rounded: exact numbers would reveal the traffic of other clients.
    const step = maxBytes / 16;
    const memory = { usedBytes: Math.floor(Math.floor(usedBytes / step) * step), maxBytes };
    return { memory, catalogDifferences: this.#sameCatalog?.differences };
  }
}

function respond(sink: HttpSink, cors: HttpHeaders, body: { readonly status: HealthReport['status'] }): void {
  sink.respond(body.status === 'ok' ? 200 : 503, jsonHeaders(cors), JSON.stringify(body));
}

/** The comparison with the other nodes; undefined if no store is shared, or in `toolwright dev`. */
function toSameCatalog(
  served: Served,
  { sessions, requireSameCatalog = false }: HttpOptions,
): SameCatalog | undefined {
  if (served.catalogHash === undefined) return undefined;
  const store = (sessions === false ? undefined : sessions?.shared) ?? served.sharedState;
  if (store !== undefined) return new SameCatalog(served, store);
  if (!requireSameCatalog) return undefined;
  throw new DefinitionError(
    'HTTP: requireSameCatalog needs a store that all nodes share. Set stateStore of createServer, for example to the state of redisStores.',
    { option: 'requireSameCatalog' },
  );
}

function isRead({ method }: HttpRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}
