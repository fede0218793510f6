import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { DefinitionError } from '../../errors/errors.ts';
import { assertOptions, BOOLEAN, MAX_TIMER_MS, STRING, wholeNumber } from '../../errors/options/rules.ts';
import type { Rule, Rules } from '../../errors/options/rules.ts';
import { toServed } from '../../server/to-served.ts';
import type { Servable } from '../../server/to-served.ts';
import { HttpEndpoint } from './http-endpoint.ts';
import { toLandingPage } from './landing-page.ts';
import { HTTP_RULES } from './message/assert-http-options.ts';
import { HTTP_DEFAULTS } from './message/http-options.ts';
import type { HttpOptions } from './message/http-options.ts';
import { toListenError } from './listen-error.ts';
import { handlerOf } from './to-node-handler.ts';
import { STRAY_ERROR_POLICY, watchStrayErrors } from '../stray-errors.ts';
import type { StrayErrorPolicy } from '../stray-errors.ts';

/** Options of {@link serveHttp}. */
export interface ServeHttpOptions extends HttpOptions<IncomingMessage, undefined> {
  /** Address to listen on. One that other machines can reach requires `allowedHosts`. Default: `127.0.0.1`. */
  readonly host?: string;
  /** Port to listen on; 0 picks a free one. Default: 3000. */
  readonly port?: number;
  /** Time that `close` waits for responses, in milliseconds. Default: 10,000. */
  readonly drainMs?: number;
  /**
   * Time that `close` keeps serving after `/health` and `/readyz` report `closing`, in milliseconds. Default: 2,000 if one of them was
   * requested in the last minute, else 0.
   */
  readonly readyDelayMs?: number;
  /** Handling of unhandled rejections: `log` them, or `exit` after all requests have been responded to. Default: `log`. */
  readonly onStrayError?: StrayErrorPolicy;
  /** Timeout for the headers of a request, in milliseconds. Default: 10,000. */
  readonly headersTimeoutMs?: number;
  /** Timeout for a whole request, in milliseconds. Default: 30,000. */
  readonly requestTimeoutMs?: number;
  /** Time an idle connection is kept open, in milliseconds. Default: 72,000. */
  readonly idleConnectionMs?: number;
  /**
   * Serves a page at `/` that shows the server and the settings of clients in a browser. Default: true if only this machine can connect,
   * else false.
   */
  readonly landingPage?: boolean;
}

/** A running HTTP server, returned by {@link serveHttp}. */
export interface RunningHttp extends AsyncDisposable {
  /** URL of the endpoint. */
  readonly url: string;
  /** Port that it listens on. */
  readonly port: number;
  /** Drains running requests, rejects new ones, and closes the port. */
  close(): Promise<void>;
}

/**
 * Serves a server or a registry over HTTP.
 *
 * @example
 * await using running = await serveHttp(server, { port: 0 });
 * console.log(running.url);
 */
export async function serveHttp<TContext extends object>(
  server: Servable<TContext>,
  options: ServeHttpOptions = {},
): Promise<RunningHttp> {
  const { handOver: _, ...running } = await startHttp(server, options);
  return running;
}

/** A server that is one of several processes behind one port. */
export interface StartedHttp extends RunningHttp {
  /** Like `close`, but health checks go on reporting `ok`, because other processes go on serving. */
  readonly handOver: () => Promise<void>;
}

/**
 * {@link serveHttp} for processes that share a port. `onLeave` is called when a stray error ends this process; the server is then closed with
 * `handOver`.
 */
export async function startHttp<TContext extends object>(
  server: Servable<TContext>,
  options: ServeHttpOptions = {},
  onLeave?: () => void,
): Promise<StartedHttp> {
  const { host = '127.0.0.1', port = 3000, ...rest } = options;
  const { headersTimeoutMs, requestTimeoutMs, idleConnectionMs, drainMs, readyDelayMs, ...theirs } = rest;
  const { onStrayError = 'log', landingPage = isLocal(host), ...others } = theirs;
  const { path, ...health } = pathsOf(others as HttpOptions);
  assertAddress(host, options);
  const served = toServed(server);
  let url = '';
  const showsPage = landingPage && path !== '/' && !Object.values(health).includes('/');
  const page = { 'GET /': () => toLandingPage(served.introduction.info, url) };
  const routes = { ...(showsPage ? page : {}), ...others.routes };
  const endpoint = new HttpEndpoint(served, { ...(others as HttpOptions), path, ...health, routes });
  const http = createHttpServer(
    {
      // defence: time-for-headers
      headersTimeout: headersTimeoutMs ?? HTTP_DEFAULTS.headersTimeoutMs,
      // defence: time-for-requests
      requestTimeout: requestTimeoutMs ?? HTTP_DEFAULTS.requestTimeoutMs,
      keepAliveTimeout: idleConnectionMs ?? HTTP_DEFAULTS.idleConnectionMs,
      // Maximum delay until a timeout is detected.
      connectionsCheckingInterval: Math.min(2000, headersTimeoutMs ?? HTTP_DEFAULTS.headersTimeoutMs),
    },
    handlerOf(endpoint),
  );
  const actualPort = await listen(http, host, port);
  let closed: Promise<void> | undefined;
  const shutDownOnce = (times: ShutDownTimes): Promise<void> =>
    (closed ??= shutDown(http, endpoint, times).finally(stopWatching));
  const close = (): Promise<void> => {
    endpoint.announceClose();
    return shutDownOnce({ drainMs, readyDelayMs });
  };
  // The delay lets clients move to the other processes, whether or not a load balancer watches.
  const handOver = (): Promise<void> =>
    shutDownOnce({ drainMs, readyDelayMs: readyDelayMs ?? HTTP_DEFAULTS.readyDelayMs });
  const leave = (): Promise<void> => {
    onLeave?.();
    return onLeave === undefined ? close() : handOver();
  };
  const stopWatching = watchStrayErrors({ served, policy: onStrayError, close: leave });
  const shown = host.includes(':') ? `[${host}]` : host;
  url = `http://${shown}:${actualPort}${path}`;
  return {
    url,
    port: actualPort,
    close,
    handOver,
    [Symbol.asyncDispose]: close,
  };
}

interface Paths extends Required<Pick<HttpOptions, 'healthPath' | 'livePath' | 'readyPath'>> {
  readonly path: string;
}

/** The paths with their defaults. A default gives way to a path that the application uses. */
function pathsOf(options: HttpOptions): Paths {
  const { path = '/mcp', healthPath = '/health', livePath, readyPath, routes = {} } = options;
  const used = new Set<unknown>([
    path,
    healthPath,
    livePath,
    readyPath,
    ...Object.keys(routes).map((key) => key.split(' ')[1]),
  ]);
  const free = (byDefault: string): string | false => !used.has(byDefault) && byDefault;
  return {
    path,
    healthPath,
    livePath: livePath ?? free('/healthz'),
    readyPath: readyPath ?? free('/readyz'),
  };
}

const DURATION: Rule = [
  (value) => typeof value === 'number' && value >= 0 && value <= MAX_TIMER_MS,
  `a number of milliseconds up to ${MAX_TIMER_MS}`,
];

/** Options of `serveHttp` in addition to those of all HTTP servers. */
const OPTIONS: Rules<keyof ServeHttpOptions> = {
  ...HTTP_RULES,
  host: STRING,
  port: wholeNumber(0, 65_535),
  drainMs: DURATION,
  readyDelayMs: DURATION,
  onStrayError: STRAY_ERROR_POLICY,
  headersTimeoutMs: DURATION,
  requestTimeoutMs: DURATION,
  idleConnectionMs: DURATION,
  landingPage: BOOLEAN,
};

function assertAddress(host: string, options: ServeHttpOptions): void {
  assertOptions('serveHttp', options, OPTIONS);
  // defence: hosts-of-an-open-address
  if (!isLocal(host) && options.allowedHosts === undefined) {
    throw new DefinitionError(
      `serveHttp: the host "${host}" can be reached from other machines, so allowedHosts is required. List the host names of the server: allowedHosts: ['api.example.com'].`,
      { option: 'allowedHosts', reason: 'hosts-not-named', received: host },
    );
  }
}

/** Whether only this machine can connect to the address. */
function isLocal(host: string): boolean {
  return ['127.0.0.1', 'localhost', '::1'].includes(host);
}

/** Times of a shutdown. */
interface ShutDownTimes {
  readonly drainMs: number | undefined;
  readonly readyDelayMs: number | undefined;
}

async function shutDown(http: Server, endpoint: HttpEndpoint, times: ShutDownTimes): Promise<void> {
  const { drainMs = HTTP_DEFAULTS.drainMs, readyDelayMs } = times;
  // Still listening: health checks see that the server closes, and load balancers send new requests elsewhere.
  endpoint.release();
  const delayMs = readyDelayMs ?? (endpoint.isWatched ? HTTP_DEFAULTS.readyDelayMs : 0);
  // defence: notice-before-closing
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  const stopped = stopListening(http);
  // defence: requests-that-are-finished
  // Requests on open connections are still served; each connection closes after its response.
  await endpoint.drain(drainMs, delayMs > 0 ? QUIET_MS : 0);
  // Idle connections would never close.
  http.closeIdleConnections();
  const cut = setTimeout(() => http.closeAllConnections(), 100);
  await stopped;
  clearTimeout(cut);
}

/**
 * Stops listening, and resolves when no connection is left. `close` of Node would also end connections that it counts as idle: those whose
 * response is not sent completely, and since Node 26 those that have sent no request yet.
 */
function stopListening(http: Server): Promise<void> {
  http.closeIdleConnections = () => {};
  const stopped = new Promise<void>((resolve) => http.close(() => resolve()));
  Reflect.deleteProperty(http, 'closeIdleConnections');
  return stopped;
}

/** Time for requests that were sent before the shutdown to arrive. */
const QUIET_MS = 500;

/**
 * Connections that the operating system keeps until they are accepted, if it allows as many. Of more, it drops packets: their requests arrive
 * seconds later or never, instead of a quick 503. The default of Node, 511, is less than the requests that may run and wait.
 */
// defence: connections-that-wait
const BACKLOG = 4096;

function listen(http: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', (error) => reject(toListenError(error, { host, port })));
    http.listen({ port, host, backlog: BACKLOG }, () => {
      const address = http.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
