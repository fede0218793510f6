import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { ProviderError } from '../../provider-error.ts';
import { stravaError } from '../strava-error.ts';

/** Parameters that the browser brings back. */
export interface CallbackParameters {
  readonly state: string;
  readonly code: string | undefined;
  readonly scope: string;
  readonly error: string | undefined;
}

/** Handles a callback. Returns a sentence for the page; throws if the connection failed. */
export type HandleCallback = (parameters: CallbackParameters) => Promise<string>;

const HOST = '127.0.0.1';
const PATH = '/callback';
const MAX_PARAMETER = 2048;

/** Receives the redirect from Strava on the loopback address only. */
export class CallbackServer {
  readonly #handle: HandleCallback;
  readonly #port: number;
  #started: Promise<Server> | undefined;

  constructor(port: number, handle: HandleCallback) {
    if (!Number.isInteger(port) || port < 0 || port > 65_535) {
      throw new RangeError(
        `Invalid callback port: ${port}. Use a port from 1 to 65535, or 0 for any free port.`,
      );
    }
    this.#port = port;
    this.#handle = handle;
  }

  /** Starts listening on first use. Resolves to the redirect URI. */
  async listen(): Promise<string> {
    this.#started ??= this.#start();
    try {
      return originOf(await this.#started) + PATH;
    } catch (cause) {
      this.#started = undefined;
      const place = `${HOST}:${this.#port}`;
      throw stravaError(
        'not-configured',
        `The callback of Strava cannot listen on ${place}: set another port.`,
        { cause },
      );
    }
  }

  async close(): Promise<void> {
    const server = await this.#started?.catch(() => undefined);
    this.#started = undefined;
    if (server === undefined) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  #start(): Promise<Server> {
    return new Promise((resolve, reject) => {
      const server = createServer({ maxHeaderSize: 16_384, requestTimeout: 10_000 });
      server.on('request', (request, response) => void this.#respond(server, request, response));
      server.once('error', reject);
      server.listen(this.#port, HOST, () => resolve(server.unref()));
    });
  }

  async #respond(server: Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const origin = originOf(server);
    const url = URL.canParse(request.url ?? '', origin) ? new URL(request.url ?? '', origin) : undefined;
    // A page of another site that resolves its own name to this address has another Host.
    if (`http://${request.headers.host}` !== origin)
      return send(response, 403, 'This host name is not allowed.');
    if (request.method !== 'GET' || url?.pathname !== PATH)
      return send(response, 404, 'There is no such page.');
    try {
      send(response, 200, await this.#handle(parametersOf(url.searchParams)));
    } catch (error) {
      // Other errors, for example of a database, are not for the browser.
      const message =
        error instanceof ProviderError ? error.message : 'The connection failed. Connect again.';
      send(response, 400, message);
    }
  }
}

function parametersOf(query: URLSearchParams): CallbackParameters {
  const get = (name: string): string | undefined => query.get(name)?.slice(0, MAX_PARAMETER);
  return { state: get('state') ?? '', code: get('code'), scope: get('scope') ?? '', error: get('error') };
}

function originOf(server: Server): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://${HOST}:${port}`;
}

/** Plain text: nothing in a message can become markup. */
function send(response: ServerResponse, status: number, message: string): void {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'",
    connection: 'close',
  };
  response.writeHead(status, headers).end(`${message}\n`);
}
