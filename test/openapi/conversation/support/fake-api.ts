import { headerOf, RecordingServer } from '../../support/recording-server.ts';
import type { Answer, RecordedRequest } from '../../support/recording-server.ts';

/** A request to an endpoint of a fake API. */
export interface ApiRequest extends RecordedRequest {
  /** The values of `{…}` in the path, each decoded exactly once. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** The response of an endpoint. An object or an array is sent as JSON, strings and bytes unchanged. */
export interface ApiResponse extends Omit<Answer, 'body'> {
  readonly body?: string | Uint8Array | object;
}

export type Endpoint = (request: ApiRequest) => ApiResponse;

/**
 * Endpoints by method and path: `GET /projects/{id}`. `{id}` is one segment of the raw request target, so `a%2Fb` is one and `a/b` is two;
 * `{path+}` at the end is one or more segments.
 */
export type Endpoints = Readonly<Record<string, Endpoint>>;

export interface FakeApiOptions {
  readonly endpoints: Endpoints;
  /** Rejects a request before its endpoint sees it. */
  readonly reject: (request: RecordedRequest) => ApiResponse | undefined;
}

/** An API with hand-written endpoints. It records every raw request. */
export class FakeApi {
  readonly #server: RecordingServer;
  /** Requests without a matching endpoint. */
  readonly strays: string[] = [];

  private constructor(server: RecordingServer) {
    this.#server = server;
  }

  static async start({ endpoints, reject }: FakeApiOptions): Promise<FakeApi> {
    const api = new FakeApi(await RecordingServer.start());
    api.#server.answer = (request) => toAnswer(reject(request) ?? api.#respond(request, endpoints));
    return api;
  }

  get origin(): string {
    return this.#server.origin;
  }

  /** The raw requests since the previous call. */
  take(): readonly RecordedRequest[] {
    return this.#server.take();
  }

  close(): void {
    this.#server.close();
  }

  #respond(request: RecordedRequest, endpoints: Endpoints): ApiResponse {
    const [raw = '', query = ''] = request.target.split('?');
    for (const [key, endpoint] of Object.entries(endpoints)) {
      const [method, template = ''] = key.split(' ');
      const path = method === request.method ? matchPath(template, raw) : undefined;
      if (path !== undefined) return endpoint({ ...request, path, query: new URLSearchParams(query) });
    }
    this.strays.push(lineOf(request));
    return { status: 404, body: { message: 'There is no such endpoint' } };
  }
}

/** The raw request line: `GET /projects/a%2Fb?page=2`. */
export function lineOf({ method, target }: RecordedRequest): string {
  return `${method} ${target}`;
}

/** The JSON body of a request; undefined if it has another type, or is not JSON. */
export function readJson<TBody extends object>(request: RecordedRequest): Partial<TBody> | undefined {
  if (!/^application\/json(?:;|$)/.test(headerOf(request, 'content-type') ?? '')) return undefined;
  try {
    return JSON.parse(request.body.toString('utf8')) as Partial<TBody>;
  } catch {
    return undefined;
  }
}

function matchPath(template: string, raw: string): Record<string, string> | undefined {
  const given = raw.split('/');
  const wanted = template.split('/');
  const spans = template.endsWith('+}');
  if (spans ? given.length < wanted.length : given.length !== wanted.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const isLast = index === wanted.length - 1;
    const segment = spans && isLast ? given.slice(index).join('/') : (given[index] ?? '');
    if (!part.startsWith('{')) {
      if (segment !== part) return undefined;
    } else if (segment === '') return undefined;
    else values[part.slice(1, part.endsWith('+}') ? -2 : -1)] = decodeURIComponent(segment);
  }
  return values;
}

function toAnswer({ body, ...rest }: ApiResponse): Answer {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array)
    return body === undefined ? rest : { ...rest, body };
  const headers = { 'content-type': 'application/json; charset=utf-8', ...rest.headers };
  return { ...rest, headers, body: JSON.stringify(body) };
}
