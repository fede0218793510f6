import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ToolwrightServer } from '../../server/create-server.ts';
import { servedOf } from '../../server/served-of.ts';
import { HttpEndpoint } from './http-endpoint.ts';
import type { HttpOptions } from './http-options.ts';
import { NodeRequest, NodeSink } from './node-face.ts';

/** A server as a handler of `node:http`. */
export interface NodeHandler {
  /** `body`: what somebody has read and parsed already, where the request does not carry it itself. */
  (request: IncomingMessage, response: ServerResponse, body?: unknown): void;
  /** Lets nobody in any more and waits for what is being answered. */
  close(drainMs?: number): Promise<void>;
}

/**
 * A server as a handler for `node:http`, Express, or Fastify: `(request, reply) => { reply.hijack(); handle(request.raw, reply.raw, request.body); }`.
 *
 * @example
 * app.all('/mcp', toNodeHandler(server, { allowedHosts: ['api.example.com'] }));
 */
export function toNodeHandler<TContext extends object>(
  server: ToolwrightServer<TContext>,
  options: HttpOptions = {},
): NodeHandler {
  return handlerOf(new HttpEndpoint(servedOf(server), options));
}

/** An endpoint as a handler. */
export function handlerOf(endpoint: HttpEndpoint): NodeHandler {
  const handle = (request: IncomingMessage, response: ServerResponse, body?: unknown): void => {
    // Whoever comes back should find another server.
    if (endpoint.isDraining) response.shouldKeepAlive = false;
    // Express gives the next handler there.
    const read = typeof body === 'function' ? undefined : body;
    void endpoint.handle(new NodeRequest(request, read), new NodeSink(response, endpoint.stallLimit));
  };
  return Object.assign(handle, { close: (drainMs?: number) => endpoint.close(drainMs) });
}
