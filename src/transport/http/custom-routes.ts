import { DefinitionError } from '../../errors/errors.ts';
import { invalidRequest } from '../../wire/messages/rpc-errors.ts';
import type { BodyLimits, HttpRequest, ResponseHeaders } from './message/http-message.ts';
import { headersOf } from './message/http-details.ts';
import type { HttpOptions, RouteHandler } from './message/http-options.ts';
import { respondError, respondNoRoom } from './message/respond.ts';
import type { EndpointRequest } from './gate/endpoint-request.ts';

/** A request to a route: who sends it is not known. */
export type RouteRequest = Omit<EndpointRequest, 'identified'>;

const EXAMPLE = "routes: { 'GET /version': () => new Response('1.0.0') }";

/** Routes of an application, beside the endpoint. Handlers get web-standard requests, and return such responses, on every platform. */
export class CustomRoutes {
  /** By path, then by method. */
  readonly #routes = new Map<string, Map<string, RouteHandler>>();
  readonly #limits: BodyLimits;

  constructor({ routes = {}, path, healthPath }: HttpOptions, limits: BodyLimits) {
    this.#limits = limits;
    for (const [key, handler] of Object.entries(routes)) {
      const { method, at } = /^(?<method>[A-Z]+) (?<at>\/[^\s?#]*)$/.exec(key)?.groups ?? {};
      const wrong = { option: 'routes', path: [key] };
      if (method === undefined || at === undefined)
        throw new DefinitionError(`routes: "${key}" is not a method and a path: ${EXAMPLE}.`, wrong);
      if (typeof handler !== 'function')
        throw new DefinitionError(`routes: the handler of "${key}" must be a function: ${EXAMPLE}.`, wrong);
      if (at === path || at === healthPath)
        throw new DefinitionError(
          `routes: "${at}" is the ${at === path ? 'MCP endpoint' : 'health route'}.`,
          wrong,
        );
      const methods = this.#routes.get(at) ?? new Map<string, RouteHandler>();
      this.#routes.set(at, methods.set(method, handler));
    }
  }

  /** Whether there is a handler; of a browser's preflight, whether there is any for the path. */
  serves({ method }: HttpRequest, path: string): boolean {
    const methods = this.#routes.get(path);
    return methods !== undefined && (method === 'OPTIONS' || handlerOf(methods, method) !== undefined);
  }

  async handle(request: RouteRequest, path: string): Promise<void> {
    const { http, sink, cors } = request;
    const handler = handlerOf(this.#routes.get(path), http.method);
    const body = await this.#readBody(request);
    if (handler === undefined || body === undefined) return;
    const response = await handler(toRequest(http, body));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const headers = { ...headersToSend(response), ...cors };
    sink.respond(response.status, headers, bytes.length === 0 ? undefined : { head: '', bytes });
  }

  /** Undefined where the client has been told why it is not read. */
  async #readBody(request: RouteRequest): Promise<string | null | undefined> {
    const { http, sink, cors, account } = request;
    if (http.method === 'GET' || http.method === 'HEAD') return null;
    const body = await http.readBody(this.#limits, account);
    if (body.kind === 'text') return body.text;
    if (body.kind === 'parsed') return JSON.stringify(body.value);
    if (body.kind === 'no-room') respondNoRoom(request);
    else if (body.kind === 'too-large') {
      const message = `The body is larger than ${this.#limits.maxBytes} bytes.`;
      const headers = { ...cors, connection: 'close' };
      respondError(sink, { status: 413, error: invalidRequest(message), headers });
    } else {
      const message = 'Bad request: the body was cut off, or is not UTF-8.';
      respondError(sink, { status: 400, error: invalidRequest(message), headers: cors });
    }
    return undefined;
  }
}

function handlerOf(
  methods: ReadonlyMap<string, RouteHandler> | undefined,
  method: string,
): RouteHandler | undefined {
  return methods?.get(method === 'HEAD' ? 'GET' : method);
}

function toRequest(http: HttpRequest, body: string | null): Request {
  const host = http.header('host') ?? http.header(':authority') ?? 'localhost';
  const url = new URL(http.target, `http://${host}`);
  return new Request(url, { method: http.method, headers: headersOf(http), body });
}

function headersToSend({ headers }: Response): ResponseHeaders {
  const cookies = headers.getSetCookie();
  // The length is that of the bytes that are sent; whether the connection ends is decided here.
  const {
    'set-cookie': _cookies,
    'content-length': _length,
    connection: _connection,
    'transfer-encoding': _encoding,
    ...others
  } = Object.fromEntries(headers);
  return cookies.length === 0 ? others : { ...others, 'set-cookie': cookies };
}
