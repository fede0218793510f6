import { createServer as createHttpServer } from 'node:http';
import type { Server } from 'node:http';
import { assertKnown } from '../../errors/assert-known.ts';
import { DefinitionError } from '../../errors/errors.ts';
import type { ToolwrightServer } from '../../server/create-server.ts';
import { servedOf } from '../../server/served-of.ts';
import { HttpEndpoint } from './http-endpoint.ts';
import { HTTP_DEFAULTS } from './http-options.ts';
import type { HttpOptions } from './http-options.ts';
import { handlerOf } from './to-node-handler.ts';

/** Options of {@link serveHttp}. */
export interface ServeHttpOptions extends HttpOptions {
  /** Default: `127.0.0.1`, this machine alone. Any other needs `allowedHosts`. */
  readonly host?: string;
  /** Default: 3000; 0 picks a free one. */
  readonly port?: number;
  /** How long `close` waits for answers. Default: 10 s. */
  readonly drainMs?: number;
}

/** A server that answers over HTTP. */
export interface RunningHttp extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Lets nobody in any more, answers what was read, and frees the port. */
  close(): Promise<void>;
}

/**
 * Serves over HTTP.
 *
 * @example
 * await using running = await serveHttp(server, { port: 0 });
 * console.log(running.url);
 */
export async function serveHttp<TContext extends object>(
  server: ToolwrightServer<TContext>,
  options: ServeHttpOptions = {},
): Promise<RunningHttp> {
  const { host = '127.0.0.1', port = 3000, drainMs = HTTP_DEFAULTS.drainMs, ...rest } = options;
  const { path = '/mcp', healthPath = '/health', ...others } = rest;
  assertAddress({ host, port, path }, options);
  const endpoint = new HttpEndpoint(servedOf(server), { path, healthPath, ...others });
  const http = createHttpServer(
    {
      headersTimeout: HTTP_DEFAULTS.headersTimeoutMs,
      requestTimeout: HTTP_DEFAULTS.requestTimeoutMs,
      keepAliveTimeout: HTTP_DEFAULTS.idleConnectionMs,
      connectionsCheckingInterval: 2000,
    },
    handlerOf(endpoint),
  );
  const actualPort = await listen(http, host, port);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= shutDown(http, endpoint, drainMs));
  const shown = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${shown}:${actualPort}${path}`,
    port: actualPort,
    close,
    [Symbol.asyncDispose]: close,
  };
}

const OPTIONS: readonly (keyof ServeHttpOptions)[] = [
  'host',
  'port',
  'drainMs',
  'path',
  'allowedHosts',
  'allowedOrigins',
  'authenticate',
  'authenticateTimeoutMs',
  'healthPath',
  'sessions',
  'sse',
  'keepAliveMs',
];

function assertAddress(
  { host, port, path }: { host: string; port: number; path: string },
  options: ServeHttpOptions,
): void {
  assertKnown('The options of serveHttp', options, OPTIONS);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new DefinitionError(
      `serveHttp: port must be a whole number from 0 to 65535; it is ${JSON.stringify(port)}.`,
    );
  if (!Number.isFinite(options.drainMs ?? 0) || (options.drainMs ?? 0) < 0)
    throw new DefinitionError(
      `serveHttp: drainMs must be a number of milliseconds; it is ${JSON.stringify(options.drainMs)}.`,
    );
  if (!path.startsWith('/'))
    throw new DefinitionError(`serveHttp: path must begin with "/"; it is "${path}".`);
  const isLocal = ['127.0.0.1', 'localhost', '::1'].includes(host);
  if (!isLocal && options.allowedHosts === undefined) {
    throw new DefinitionError(
      `serveHttp: the host "${host}" can be reached from other machines. Name the hosts it is called by: allowedHosts: ['api.example.com'].`,
    );
  }
}

async function shutDown(http: Server, endpoint: HttpEndpoint, drainMs: number): Promise<void> {
  // Still listening: who comes now is told that the server closes, and so is whoever asks for its health.
  await endpoint.close(drainMs);
  const stopped = new Promise<void>((resolve) => http.close(() => resolve()));
  // Connections that wait for a next request would wait for ever.
  http.closeIdleConnections();
  const cut = setTimeout(() => http.closeAllConnections(), 100);
  await stopped;
  clearTimeout(cut);
}

function listen(http: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new DefinitionError(`serveHttp: port ${port} is taken. Choose another one; 0 picks a free one.`, {
              cause: error,
            })
          : error,
      );
    });
    http.listen(port, host, () => {
      const address = http.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
