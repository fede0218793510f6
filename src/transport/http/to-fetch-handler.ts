import { toServed } from '../../server/to-served.ts';
import type { Servable } from '../../server/to-served.ts';
import { FetchSink, FetchRequest } from './faces/fetch-face.ts';
import { hasTooManyFields, TOO_MANY_HEADERS } from './message/header-count.ts';
import { HttpEndpoint } from './http-endpoint.ts';
import type { HttpOptions } from './message/http-options.ts';
import { jsonHeaders } from './message/response-headers.ts';
import { encodeError } from '../../wire/messages/json-rpc.ts';
import { invalidRequest } from '../../wire/messages/rpc-errors.ts';

/** A handler of web-standard requests, returned by {@link toFetchHandler}. */
export interface FetchHandler<THost = unknown> {
  /** `host` is passed to `authenticate` and to handlers with the request, for example the `env` of a Worker or the context of Hono. */
  (request: Request, host?: THost): Promise<Response>;
  /** Rejects new requests and waits up to `drainMs` for running ones. Default: 10,000. */
  close(drainMs?: number): Promise<void>;
}

/**
 * Returns a handler for Hono, Next, Workers, Bun and Deno: it takes a `Request` and returns a `Response`.
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
