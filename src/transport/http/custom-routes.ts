import { DefinitionError } from '../../errors/errors.ts';
import { invalidRequest } from '../../wire/messages/rpc-errors.ts';
import type { BodyLimits, HttpRequest, ResponseHeaders } from './message/http-message.ts';
import { headersOf } from './message/http-details.ts';
import type { HttpOptions, RouteHandler } from './message/http-options.ts';
import { respondError, respondNoRoom } from './message/respond.ts';
import type { EndpointRequest } from './gate/endpoint-request.ts';

/** A request to a custom route; its caller is not authenticated. */
export type RouteRequest = Omit<EndpointRequest, 'identified'>;

const EXAMPLE = "routes: { 'GET /version': () => new Response('1.0.0') }";

/** Custom routes of the application. Handlers get a web-standard `Request` and return a `Response`, on every platform. */
export class CustomRoutes {
  /** By path, then by method. */
  readonly #routes = new Map<string, Map<string, RouteHandler>>();
  readonly #limits: BodyLimits;

  constructor({ routes = {}, path, ...options }: HttpOptions, limits: BodyLimits) {
    this.#limits = limits;
    const { healthPath, livePath, readyPath } = options;
    const health = new Set<unknown>([healthPath, livePath, readyPath]);
    for (const [key, handler] of Object.entries(routes)) {
      const { method, at } = /^(?<method>[A-Z]+) (?<at>\/[^\s?#]*)$/.exec(key)?.groups ?? {};
      const wrong = { option: 'routes', path: [key] };
      if (method === undefined || at === undefined)
        throw new DefinitionError(
          `routes: invalid key "${key}": expected a method and a path: ${EXAMPLE}.`,
          wrong,
        );
      if (typeof handler !== 'function')
        throw new DefinitionError(`routes: the handler of "${key}" must be a function: ${EXAMPLE}.`, wrong);
      if (at === path || health.has(at))
        throw new DefinitionError(
          `routes: "${at}" is already the ${at === path ? 'MCP endpoint' : 'health route'}. Use another path.`,
          wrong,
        );
      const methods = this.#routes.get(at) ?? new Map<string, RouteHandler>();
      this.#routes.set(at, methods.set(method, handler));
    }
  }

  /** Whether a handler exists; for a CORS preflight, whether any handler exists for the path. */
  serves({ method }: HttpRequest, path: string): boolean {
    const methods = this.#routes.get(path);
    return methods !== undefined && (method === 'OPTIONS' || handlerOf(methods, method) !== undefined);
  }

  async handle(request: RouteRequest, path: string): Promise<void> {
    const { http, account } = request;
    const handler = handlerOf(this.#routes.get(path), http.method);
    const body = await this.#readBody(request);
    if (handler === undefined || body === undefined) return;
    const size = body?.byteLength ?? 0;
    if (!account.take(size)) return respondNoRoom(request);
    try {
      const response = await handler(toRequest(http, body));
      await send(response, request);
    } finally {
      account.give(size);
    }
  }

  /** Returns undefined if the body was rejected; the response has been sent. */
  async #readBody(request: RouteRequest): Promise<Uint8Array<ArrayBuffer> | null | undefined> {
    const { http, sink, cors, account } = request;
    if (http.method === 'GET' || http.method === 'HEAD') return null;
    const body = await http.readBody(this.#limits, account);
    if (body.kind === 'text') return toBytes(body.bytes ?? body.text);
    if (body.kind === 'parsed') return toBytes(JSON.stringify(body.value));
    // Unlike messages, bodies of custom routes may have any content.
    if (body.kind === 'unreadable' && body.bytes !== undefined) return toBytes(body.bytes);
    if (body.kind === 'no-room') respondNoRoom(request);
    else if (body.kind === 'too-large') {
      const message = `The body is larger than ${this.#limits.maxBytes} bytes.`;
      const headers = { ...cors, connection: 'close' };
      respondError(sink, { status: 413, error: invalidRequest(message), headers });
    } else {
      const message = 'Bad request: the body is incomplete.';
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

function toBytes(body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? new TextEncoder().encode(body) : (body as Uint8Array<ArrayBuffer>);
}

/** Sends a response as fast as the client reads it. Unread bytes count against the memory budget. */
async function send(response: Response, { http, sink, cors }: RouteRequest): Promise<void> {
  const headers = { ...headersToSend(response), ...cors };
  const reader = response.body?.getReader();
  const isWanted = http.method !== 'HEAD' && reader !== undefined;
  const first = isWanted ? await reader.read() : undefined;
  if (first === undefined || first.done) {
    void reader?.cancel().catch(() => {});
    return sink.respond(response.status, headers);
  }
  const second = await reader?.read();
  // The length of a body that arrived in one chunk is known.
  const length = second?.done === false ? {} : { 'content-length': String(first.value.byteLength) };
  const stream = sink.openStream(response.status, { ...headers, ...length });
  sink.onClose(() => void reader?.cancel().catch(() => {}));
  try {
    await stream.write(first.value);
    for (let piece = second; piece?.done === false && !sink.isClosed; piece = await reader?.read())
      await stream.write(piece.value);
    stream.end();
  } catch {
    // The client must not take a truncated body for a complete one.
    stream.cut(true);
  }
}

function toRequest(http: HttpRequest, body: Uint8Array<ArrayBuffer> | null): Request {
  const host = http.header('host') ?? http.header(':authority') ?? 'localhost';
  const url = new URL(http.target, `http://${host}`);
  return new Request(url, { method: http.method, headers: headersOf(http), body });
}

function headersToSend({ headers }: Response): ResponseHeaders {
  const cookies = headers.getSetCookie();
  // Content length and connection headers are set here.
  const {
    'set-cookie': _cookies,
    'content-length': _length,
    connection: _connection,
    'transfer-encoding': _encoding,
    ...others
  } = Object.fromEntries(headers);
  return cookies.length === 0 ? others : { ...others, 'set-cookie': cookies };
}
