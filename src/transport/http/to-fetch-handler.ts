import { toServed } from '../../server/to-served.ts';
import type { Servable } from '../../server/to-served.ts';
import { FetchSink, FetchRequest } from './faces/fetch-face.ts';
import { hasTooManyFields, TOO_MANY_HEADERS } from './message/header-count.ts';
import { HttpEndpoint } from './http-endpoint.ts';
import type { HttpOptions } from './message/http-options.ts';
import { jsonHeaders } from './message/response-headers.ts';
import { encodeError } from '../../wire/messages/json-rpc.ts';
import { invalidRequest } from '../../wire/messages/rpc-errors.ts';

/** A server as a handler of web-standard requests. */
export interface FetchHandler<THost = unknown> {
  /** `host`: anything that `authenticate` and handlers shall find beside the request, such as the `env` of a Worker or the context of Hono. */
  (request: Request, host?: THost): Promise<Response>;
  /** Lets nobody in any more and waits for what is being answered. */
  close(drainMs?: number): Promise<void>;
}

/**
 * A server as a handler for Hono, Next, Workers, Bun and Deno: a request in, a response out.
 *
 * @example
 * const handle = toFetchHandler(server, { allowedHosts: ['api.example.com'] });
 * app.all('/mcp', (context) => handle(context.req.raw));
 */
export function toFetchHandler<TContext extends object, THost = unknown>(
  server: Servable<TContext>,
  options: HttpOptions<Request, THost> = {},
): FetchHandler<THost> {
  const endpoint = new HttpEndpoint(toServed(server), options as HttpOptions);
  const handle = (request: Request, host?: THost): Promise<Response> => {
    if (hasTooManyFields(request.headers)) return Promise.resolve(refuseTooMany());
    const sink = new FetchSink(request, endpoint);
    void endpoint.handle(new FetchRequest(request, host), sink);
    return sink.response;
  };
  return Object.assign(handle, { close: (drainMs?: number) => endpoint.close(drainMs) });
}

function refuseTooMany(): Response {
  const body = encodeError(undefined, invalidRequest(TOO_MANY_HEADERS));
  return new Response(body, { status: 431, headers: jsonHeaders() });
}
