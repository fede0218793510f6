import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { assertKnown } from '../../errors/assert-known.ts';
import { DefinitionError } from '../../errors/errors.ts';
import { toServed } from '../../server/to-served.ts';
import type { Servable } from '../../server/to-served.ts';
import { HttpEndpoint } from './http-endpoint.ts';
import { toLandingPage } from './landing-page.ts';
import { HTTP_OPTION_NAMES } from './message/assert-http-options.ts';
import { HTTP_DEFAULTS } from './message/http-options.ts';
import type { HttpOptions } from './message/http-options.ts';
import { toListenError } from './listen-error.ts';
import { handlerOf } from './to-node-handler.ts';
import { assertStrayErrorPolicy, watchStrayErrors } from '../stray-errors.ts';
import type { StrayErrorPolicy } from '../stray-errors.ts';

/** Options of {@link serveHttp}. */
export interface ServeHttpOptions extends HttpOptions<IncomingMessage, undefined> {
  /** Default: `127.0.0.1`, this machine alone. Any other needs `allowedHosts`. */
  readonly host?: string;
  /** Default: 3000; 0 picks a free one. */
  readonly port?: number;
  /** How long `close` waits for answers. Default: 10 s. */
  readonly drainMs?: number;
  /** How long `close` goes on serving after its health says that it closes. Default: 2 s where somebody asks for its health, else 0. */
  readonly readyDelayMs?: number;
  /** What happens when a handler lets a promise reject that nobody waits for: `log` it, or `exit` once everything is answered. Default: `log`. */
  readonly onStrayError?: StrayErrorPolicy;
  /** How long a client may take to send the headers of a request. Default: 10 s. */
  readonly headersTimeoutMs?: number;
  /** How long a client may take to send a whole request. Default: 30 s. */
  readonly requestTimeoutMs?: number;
  /** How long a connection is kept open between two requests. Default: 72 s. */
  readonly idleConnectionMs?: number;
  /**
   * A page at `/` that tells people with a browser what this is and how clients are connected. Default: true on this machine alone, else false.
   */
  readonly landingPage?: boolean;
}

/** A server that answers over HTTP. */
export interface RunningHttp extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Answers what was read, lets nobody in any more, and frees the port. */
  close(): Promise<void>;
}

/**
 * Serves a server, or a registry as it is, over HTTP.
 *
 * @example
 * await using running = await serveHttp(server, { port: 0 });
 * console.log(running.url);
 */
export async function serveHttp<TContext extends object>(
  server: Servable<TContext>,
  options: ServeHttpOptions = {},
): Promise<RunningHttp> {
  const { host = '127.0.0.1', port = 3000, ...rest } = options;
  const { headersTimeoutMs, requestTimeoutMs, idleConnectionMs, drainMs, readyDelayMs, ...theirs } = rest;
  const { onStrayError = 'log', landingPage = isLocal(host), ...others } = theirs;
  const { path = '/mcp', healthPath = '/health' } = others;
  assertAddress({ host, port, path }, options);
  assertStrayErrorPolicy('serveHttp', onStrayError);
  const served = toServed(server);
  let url = '';
  const showsPage = landingPage && path !== '/' && healthPath !== '/';
  const page = { 'GET /': () => toLandingPage(served.introduction.info, url) };
  const routes = { ...(showsPage ? page : {}), ...others.routes };
  const endpoint = new HttpEndpoint(served, { ...(others as HttpOptions), path, healthPath, routes });
  const http = createHttpServer(
    {
      // defence: time-for-headers
      headersTimeout: headersTimeoutMs ?? HTTP_DEFAULTS.headersTimeoutMs,
      // defence: time-for-requests
      requestTimeout: requestTimeoutMs ?? HTTP_DEFAULTS.requestTimeoutMs,
      keepAliveTimeout: idleConnectionMs ?? HTTP_DEFAULTS.idleConnectionMs,
      // How late a client that takes too long may be found out.
      connectionsCheckingInterval: Math.min(2000, headersTimeoutMs ?? HTTP_DEFAULTS.headersTimeoutMs),
    },
    handlerOf(endpoint),
  );
  const actualPort = await listen(http, host, port);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closed ??= shutDown(http, endpoint, { drainMs, readyDelayMs }).finally(stopWatching));
  const stopWatching = watchStrayErrors({ served, policy: onStrayError, close });
  const shown = host.includes(':') ? `[${host}]` : host;
  url = `http://${shown}:${actualPort}${path}`;
  return {
    url,
    port: actualPort,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Beside those of every server behind HTTP. */
const OWN_OPTIONS: Readonly<Record<Exclude<keyof ServeHttpOptions, keyof HttpOptions>, true>> = {
  host: true,
  port: true,
  drainMs: true,
  readyDelayMs: true,
  onStrayError: true,
  headersTimeoutMs: true,
  requestTimeoutMs: true,
  idleConnectionMs: true,
  landingPage: true,
};

function assertAddress(
  { host, port, path }: { host: string; port: number; path: string },
  options: ServeHttpOptions,
): void {
  assertKnown('The options of serveHttp', options, [...Object.keys(OWN_OPTIONS), ...HTTP_OPTION_NAMES]);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw wrong('port', 'a whole number from 0 to 65535', port);
  for (const name of DURATIONS) {
    const value = options[name] ?? 0;
    if (!Number.isFinite(value) || value < 0 || value > MAX_MS)
      throw wrong(name, `a number of milliseconds up to ${MAX_MS}`, value);
  }
  if (!path.startsWith('/'))
    throw new DefinitionError(`serveHttp: path must begin with "/"; it is "${path}".`);
  // defence: hosts-of-an-open-address
  if (!isLocal(host) && options.allowedHosts === undefined) {
    throw new DefinitionError(
      `serveHttp: the host "${host}" can be reached from other machines. Name the hosts it is called by: allowedHosts: ['api.example.com'].`,
      { option: 'allowedHosts', reason: 'hosts-not-named', received: host },
    );
  }
}

/** Whether only this machine can connect to it. */
function isLocal(host: string): boolean {
  return ['127.0.0.1', 'localhost', '::1'].includes(host);
}

function wrong(option: string, expected: string, value: unknown): DefinitionError {
  const received = JSON.stringify(value);
  return new DefinitionError(`serveHttp: ${option} must be ${expected}; it is ${received}.`, {
    reason: 'wrong-value',
    option,
    expected,
    received,
  });
}

/** Timers can wait no longer. */
const MAX_MS = 2_147_483_647;

const DURATIONS = [
  'drainMs',
  'readyDelayMs',
  'headersTimeoutMs',
  'requestTimeoutMs',
  'idleConnectionMs',
] as const;

/** How long it takes, in all. */
interface ShutDownTimes {
  readonly drainMs: number | undefined;
  readonly readyDelayMs: number | undefined;
}

async function shutDown(http: Server, endpoint: HttpEndpoint, times: ShutDownTimes): Promise<void> {
  const { drainMs = HTTP_DEFAULTS.drainMs, readyDelayMs } = times;
  // Still listening: whoever asks for its health learns that it closes, and sends the next requests elsewhere.
  endpoint.announceClose();
  const delayMs = readyDelayMs ?? (endpoint.isWatched ? HTTP_DEFAULTS.readyDelayMs : 0);
  // defence: notice-before-closing
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  const stopped = new Promise<void>((resolve) => http.close(() => resolve()));
  // What comes over connections that are still open is answered like anything else; each of them ends with its answer.
  await endpoint.drain(drainMs, delayMs > 0 ? QUIET_MS : 0);
  // Connections that wait for a next request would wait for ever.
  http.closeIdleConnections();
  const cut = setTimeout(() => http.closeAllConnections(), 100);
  await stopped;
  clearTimeout(cut);
}

/** Who was on its way when nobody was let in any more has arrived by then. */
const QUIET_MS = 500;

function listen(http: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', (error) => reject(toListenError(error, { host, port })));
    http.listen(port, host, () => {
      const address = http.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
