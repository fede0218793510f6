import type { HttpContext } from '../../../middleware/context.ts';
import type { HttpRequest } from './http-message.ts';

/** Headers that prove who somebody is. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
]);

/** A request as handlers see it. One is made for every call, so that everything is read when it is asked for. */
export class HttpDetails implements HttpContext {
  readonly #http: HttpRequest;
  #headers: Headers | undefined;

  constructor(http: HttpRequest) {
    this.#http = http;
  }

  get method(): string {
    return this.#http.method;
  }

  get url(): string {
    return this.#http.target;
  }

  get headers(): Headers {
    this.#headers ??= headersOf(this.#http, CREDENTIALS);
    return this.#headers;
  }

  get request(): unknown {
    return this.#http.request;
  }

  get host(): unknown {
    return this.#http.host;
  }
}

/** The headers of a request, but for these. */
export function headersOf(http: HttpRequest, without?: ReadonlySet<string>): Headers {
  const headers = new Headers();
  for (const name of http.headerNames('')) {
    const value = http.header(name);
    // HTTP/2 has names that begin with a colon.
    if (value === undefined || name.startsWith(':') || without?.has(name) === true) continue;
    headers.append(name, value);
  }
  return headers;
}
