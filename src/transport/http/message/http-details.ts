import type { CallHttp } from '../../../pipeline/context/call.ts';
import { credentialsIn } from './hide-credentials.ts';
import type { HttpRequest } from './http-message.ts';

/** Headers with credentials. */
const CREDENTIALS: readonly string[] = ['authorization', 'proxy-authorization', 'cookie', 'x-api-key'];

/** The HTTP request as handlers see it. Created for every call, so its members are computed lazily. */
export class HttpDetails implements CallHttp {
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
    this.#headers ??= headersOf(this.#http, this.#credentialHeaders);
    return this.#headers;
  }

  get credentials(): readonly string[] {
    return credentialsIn(this.#http, this.#credentialHeaders);
  }

  get #credentialHeaders(): readonly string[] {
    return [...CREDENTIALS, ...(this.#http.credentialHeaders ?? [])];
  }

  get request(): unknown {
    return this.#http.request;
  }

  get host(): unknown {
    return this.#http.host;
  }
}

/** Headers of a request, except those in `without`. */
export function headersOf(http: HttpRequest, without: readonly string[] = []): Headers {
  const headers = new Headers();
  for (const name of http.headerNames('')) {
    const value = http.header(name);
    // Names of HTTP/2 pseudo-headers begin with a colon.
    if (value === undefined || name.startsWith(':') || without.includes(name)) continue;
    headers.append(name, value);
  }
  return headers;
}
