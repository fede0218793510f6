import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createBudgetApi } from '../budget-api.ts';
import type { BudgetApi, BudgetApiOptions } from '../budget-api.ts';
import { BASE_PATH } from './router.ts';

export interface ServeOptions extends BudgetApiOptions {
  /** Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Default: 0, a free port. */
  readonly port?: number | undefined;
}

/** A YNAB API at an address. */
export interface ServedBudgetApi {
  /** The base URL, with `/v1`. */
  readonly url: string;
  /** Ends the server and its connections, then closes the file. */
  close(): Promise<void>;
}

/** Serves a YNAB API over HTTP. */
export async function serveBudgetApi(options: ServeOptions): Promise<ServedBudgetApi> {
  const { host = '127.0.0.1', port = 0 } = options;
  const api = createBudgetApi(options);
  const server = createServer((request, response) => {
    void handle(api, request, response);
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    api.close();
    throw error;
  }
  // A server that listens on a TCP port has an address with a port.
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}${BASE_PATH}`,
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
      api.close();
    },
  };
}

async function handle(api: BudgetApi, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  try {
    const reply = await api.fetch(toRequest(incoming));
    const body = Buffer.from(await reply.arrayBuffer());
    outgoing.statusCode = reply.status;
    for (const [name, value] of reply.headers) outgoing.setHeader(name, value);
    outgoing.setHeader('content-length', body.length);
    // An unread body would be taken for the next request of the connection.
    if (!incoming.complete) outgoing.setHeader('connection', 'close');
    outgoing.end(body);
  } catch {
    // The request line or a header does not make a Request.
    outgoing.statusCode = 400;
    outgoing.setHeader('content-type', 'application/json');
    outgoing.setHeader('connection', 'close');
    outgoing.end('{"error":{"id":"400","name":"bad_request","detail":"The request is not valid HTTP"}}');
  }
}

function toRequest(incoming: IncomingMessage): Request {
  const { method = 'GET', url = '/', headers } = incoming;
  const target = new URL(url, 'http://localhost');
  const given = { authorization: headers.authorization ?? '' };
  if (method === 'GET' || method === 'HEAD') return new Request(target, { method, headers: given });
  return new Request(target, {
    method,
    headers: given,
    body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>,
    duplex: 'half',
  });
}
