import type { IncomingMessage, ServerResponse } from 'node:http';
import { toServed } from '../../server/to-served.ts';
import type { Servable } from '../../server/to-served.ts';
import { hasTooManyHeaders, TOO_MANY_HEADERS } from './message/header-count.ts';
import { HttpEndpoint } from './http-endpoint.ts';
import type { HttpOptions } from './message/http-options.ts';
import { NodeRequest, NodeSink } from './faces/node-face.ts';
import { jsonHeaders } from './message/response-headers.ts';
import { encodeError } from '../../wire/messages/json-rpc.ts';
import { invalidRequest } from '../../wire/messages/rpc-errors.ts';

/** A handler of `node:http` requests, returned by {@link toNodeHandler}. */
export interface NodeHandler<TRequest extends IncomingMessage = IncomingMessage, THost = unknown> {
  /**
   * `body` is the parsed body, if a framework has read it and the request does not have it. `host` is passed to `authenticate` and to
   * handlers with the request, for example the request of Fastify.
   */
  (request: TRequest, response: ServerResponse, body?: unknown, host?: THost): void;
  /** Rejects new requests and waits up to `drainMs` for running ones. Default: 10,000. */
  close(drainMs?: number): Promise<void>;
}

/**
 * Returns a handler for `node:http` and Express. For Fastify: `(request, reply) => { reply.hijack(); handle(request.raw, reply.raw,
 * request.body, request); }`.
 *
 * @example
 * app.all('/mcp', toNodeHandler(server, { allowedHosts: ['api.example.com'] }));
 */
export function toNodeHandler<
  TContext extends object,
  TRequest extends IncomingMessage = IncomingMessage,
  THost = unknown,
>(server: Servable<TContext>, options: HttpOptions<TRequest, THost> = {}): NodeHandler<TRequest, THost> {
  return handlerOf(new HttpEndpoint(toServed(server), options as HttpOptions));
}

/** Converts an endpoint to a handler of `node:http`. */
export function handlerOf(endpoint: HttpEndpoint): NodeHandler {
  // Rest parameters: Express treats a function with four parameters as an error handler.
  const handle = (request: IncomingMessage, response: ServerResponse, ...given: unknown[]): void => {
    const [body, host] = given;
    // The connection has ended; requests that were pipelined on it are ignored.
    if (request.socket.writableEnded) return;
    const refusal = refusalOf(request);
    if (refusal !== undefined) return refuse(request, response, refusal);
    // Express passes `next` here.
    const read = typeof body === 'function' ? undefined : body;
    void endpoint.handle(new NodeRequest(request, read, host), new NodeSink(response, endpoint));
  };
  return Object.assign(handle, { close: (drainMs?: number) => endpoint.close(drainMs) });
}

/** Rejection of a request whose headers or framing cannot be trusted. */
interface Refusal {
  readonly status: number;
  readonly message: string;
}

const TOO_MANY: Refusal = { status: 431, message: TOO_MANY_HEADERS };
const MISFRAMED: Refusal = { status: 400, message: 'Bad request: HTTP/1.0 has no Transfer-Encoding.' };

// defence: framing
function refusalOf(request: IncomingMessage): Refusal | undefined {
  // First, because the headers checked below may be among those that Node.js dropped.
  if (hasTooManyHeaders(request)) return TOO_MANY;
  // RFC 9112, 6.1: HTTP/1.0 has no chunked encoding, so implementations differ on where such a request ends.
  const { httpVersion, headers } = request;
  // defence: no-chunks-in-http-1-0
  return httpVersion === '1.0' && headers['transfer-encoding'] !== undefined ? MISFRAMED : undefined;
}

function refuse({ socket }: IncomingMessage, response: ServerResponse, { status, message }: Refusal): void {
  const body = encodeError(undefined, invalidRequest(message));
  response.writeHead(status, jsonHeaders({ connection: 'close' })).end(body);
  // Immediately: the next request may already have been read.
  socket.destroySoon();
}
