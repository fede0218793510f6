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

/** A server as a handler of `node:http`. */
export interface NodeHandler<TRequest extends IncomingMessage = IncomingMessage, THost = unknown> {
  /**
   * `body`: what somebody has read and parsed already, where the request does not carry it itself. `host`: anything that `authenticate` and
   * handlers shall find beside the request, such as the request of Fastify.
   */
  (request: TRequest, response: ServerResponse, body?: unknown, host?: THost): void;
  /** Lets nobody in any more and waits for what is being answered. */
  close(drainMs?: number): Promise<void>;
}

/**
 * A server as a handler for `node:http`, Express, or Fastify: `(request, reply) => { reply.hijack(); handle(request.raw, reply.raw, request.body, request); }`.
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

/** An endpoint as a handler. */
export function handlerOf(endpoint: HttpEndpoint): NodeHandler {
  // Express takes a function of four parameters for one that handles errors.
  const handle = (request: IncomingMessage, response: ServerResponse, ...given: unknown[]): void => {
    const [body, host] = given;
    // The connection is over, whatever else came with what ended it.
    if (request.socket.writableEnded) return;
    const refusal = refusalOf(request);
    if (refusal !== undefined) return refuse(request, response, refusal);
    // Express gives the next handler there.
    const read = typeof body === 'function' ? undefined : body;
    void endpoint.handle(new NodeRequest(request, read, host), new NodeSink(response, endpoint));
  };
  return Object.assign(handle, { close: (drainMs?: number) => endpoint.close(drainMs) });
}

/** Why nothing of a request can be trusted, not even where it ends. */
interface Refusal {
  readonly status: number;
  readonly message: string;
}

const TOO_MANY: Refusal = { status: 431, message: TOO_MANY_HEADERS };
const MISFRAMED: Refusal = { status: 400, message: 'Bad request: HTTP/1.0 has no Transfer-Encoding.' };

// defence: framing
function refusalOf(request: IncomingMessage): Refusal | undefined {
  // First: what is looked for among the headers may be one of those that were dropped.
  if (hasTooManyHeaders(request)) return TOO_MANY;
  // RFC 9112, 6.1: HTTP/1.0 has no chunks, so that readers differ on where such a request ends and the next one begins.
  const { httpVersion, headers } = request;
  // defence: no-chunks-in-http-1-0
  return httpVersion === '1.0' && headers['transfer-encoding'] !== undefined ? MISFRAMED : undefined;
}

function refuse({ socket }: IncomingMessage, response: ServerResponse, { status, message }: Refusal): void {
  const body = encodeError(undefined, invalidRequest(message));
  response.writeHead(status, jsonHeaders({ connection: 'close' })).end(body);
  // At once: the next request may have been read already.
  socket.destroySoon();
}
