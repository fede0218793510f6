import { wrongValue } from '../../../errors/options/wrong-value.ts';
import type { HttpHeaders, HttpRequest } from '../message/http-message.ts';

/** Host names of this machine. */
const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Options of {@link Gatekeeper}. */
export interface GatekeeperOptions {
  readonly allowedHosts?: readonly string[] | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Headers that callers send credentials in, beside `Authorization`. In lower case. */
  readonly credentialHeaders?: readonly string[] | undefined;
}

/** Rejection of a request before it is read. */
export interface TurnedAway {
  readonly status: 400 | 403;
  readonly message: string;
}

/**
 * Checks the host and the origin of every request. A web page can send requests to this machine, directly or by DNS rebinding, but cannot
 * forge these two headers.
 */
export class Gatekeeper {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #credentialHeaders: readonly string[];
  readonly #parsed = new Map<string, ParsedHost>();

  constructor({
    allowedHosts = LOCAL_HOSTS,
    allowedOrigins = [],
    credentialHeaders = [],
  }: GatekeeperOptions) {
    this.#hosts = new Set(allowedHosts.map(readAllowedHost));
    this.#origins = new Set(allowedOrigins.map(readAllowedOrigin));
    this.#credentialHeaders = credentialHeaders;
  }

  #isServed({ host, hostname }: ParsedHost): boolean {
    return this.#hosts.has(hostname) || this.#hosts.has(host);
  }

  /** Whether the URL names another host than the header. If a framework puts its own host there, that must be an allowed one. */
  #isForeign({ urlHost }: HttpRequest, { hostname }: ParsedHost): boolean {
    if (urlHost === undefined) return false;
    const parsed = this.#parse(urlHost);
    return parsed === undefined || (parsed.hostname !== hostname && !this.#isServed(parsed));
  }

  /** Error of a request that must not be served; undefined if it may. */
  check(request: HttpRequest): TurnedAway | undefined {
    const host = request.header('host') ?? request.header(':authority');
    const parsed = host === undefined ? undefined : this.#parse(host);
    if (parsed === undefined || !isSameHost(request.target, parsed.host) || this.#isForeign(request, parsed))
      return BAD_HOST;
    const repeated = request.findRepeated(SINGLE);
    if (repeated !== undefined)
      return { status: 400, message: `Bad request: the header ${repeated} must not be repeated.` };
    // defence: served-hosts
    if (!this.#isServed(parsed)) {
      return {
        status: 403,
        message: `Forbidden: the host "${parsed.host}" is not served. Add it to allowedHosts to serve it.`,
      };
    }
    const origin = request.header('origin');
    if (origin === undefined || this.#origins.has(origin) || isLocalOrigin(origin)) return undefined;
    return {
      status: 403,
      message: 'Forbidden: this origin is not allowed. Add it to allowedOrigins to allow it.',
    };
  }

  /** Cached: clients send the same few hosts again and again. */
  #parse(host: string): ParsedHost | undefined {
    const known = this.#parsed.get(host);
    if (known !== undefined) return known;
    const parsed = parseHost(host);
    if (parsed === undefined || (!this.#hosts.has(parsed.hostname) && !this.#hosts.has(parsed.host)))
      return parsed;
    // Few spellings of a host are allowed; a client that tries all of them only slows down itself.
    if (this.#parsed.size >= MAX_PARSED) this.#parsed.clear();
    this.#parsed.set(host, parsed);
    return parsed;
  }

  /** CORS headers for an allowed origin; none for other origins. */
  corsHeaders(request: HttpRequest): HttpHeaders {
    const origin = request.header('origin');
    // Other origins get a different response, which a cache must not return to allowed ones.
    if (origin === undefined || !this.#origins.has(origin))
      return this.#origins.size === 0 ? NO_HEADERS : VARY;
    return {
      'access-control-allow-origin': origin,
      'access-control-expose-headers':
        'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, DPoP-Nonce, Retry-After',
      vary: 'Origin',
    };
  }

  /** Headers of the response to a CORS preflight; undefined if the origin is not allowed. */
  preflightHeaders(request: HttpRequest): HttpHeaders | undefined {
    const cors = this.corsHeaders(request);
    if (cors === NO_HEADERS || cors === VARY) return undefined;
    // Arguments can be headers with any name, so the requested headers are returned.
    const asked = request.header('access-control-request-headers') ?? '';
    const allowed = asked
      .split(',')
      .map((name) => name.trim())
      .filter((name) => ALLOWED_HEADER.test(name) || this.#credentialHeaders.includes(name.toLowerCase()));
    return {
      ...cors,
      'access-control-allow-methods': 'POST, GET, DELETE, OPTIONS',
      'access-control-allow-headers': allowed.join(', '),
      'access-control-max-age': '600',
    };
  }
}

/** Node.js keeps only the first of these headers, but a proxy may have used the last. */
// defence: single-headers
const SINGLE: readonly string[] = ['host', 'authorization', 'content-type'];

const BAD_HOST: TurnedAway = {
  status: 400,
  message: 'Bad request: the Host header is missing or not valid.',
};

const NO_HEADERS: HttpHeaders = {};
const VARY: HttpHeaders = { vary: 'Origin' };

const ALLOWED_HEADER =
  /^(?:content-type|accept|authorization|last-event-id|traceparent|tracestate|baggage|mcp-[\w-]+)$/i;

/** A host name or IP address with an optional port. */
const HOST = /^(?<hostname>[\w.-]+|\[[\da-f:.]+\])(?::(?<port>\d{1,5}))?$/i;

interface ParsedHost {
  readonly host: string;
  readonly hostname: string;
}

/** Maximum number of cached hosts. */
const MAX_PARSED = 64;

function parseHost(host: string): ParsedHost | undefined {
  const { hostname, port } = HOST.exec(host)?.groups ?? {};
  if (hostname === undefined) return undefined;
  // Host names are case-insensitive and may end with a dot.
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return { hostname: name, host: port === undefined ? name : `${name}:${port}` };
}

/** The request target may be an absolute URL; then its host must equal the header. */
// defence: host-in-the-target
function isSameHost(target: string, host: string): boolean {
  if (target.startsWith('/') || target === '*') return true;
  const { authority } = /^https?:\/\/(?<authority>[^/?#]*)/i.exec(target)?.groups ?? {};
  return authority !== undefined && parseHost(authority)?.host === host;
}

// defence: origin-of-a-page
function isLocalOrigin(origin: string): boolean {
  const { rest } = /^https?:\/\/(?<rest>[^/?#@]+)$/i.exec(origin)?.groups ?? {};
  const parsed = rest === undefined ? undefined : parseHost(rest);
  return parsed !== undefined && LOCAL_HOSTS.includes(parsed.hostname);
}

function readAllowedHost(host: string, index: number): string {
  const parsed = typeof host === 'string' ? parseHost(host) : undefined;
  if (parsed === undefined)
    throw wrongValue('HTTP', {
      option: 'allowedHosts',
      path: [index],
      expected: 'a host such as "api.example.com" or "api.example.com:8443"',
      value: host,
    });
  return parsed.host;
}

function readAllowedOrigin(origin: string, index: number): string {
  try {
    const { origin: exact } = new URL(origin);
    if (exact !== 'null' && exact === origin && !exact.includes('*')) return exact;
  } catch {
    // Handled below.
  }
  throw wrongValue('HTTP', {
    option: 'allowedOrigins',
    path: [index],
    expected: 'an origin such as "https://app.example.com", without a path and without wildcards',
    value: origin,
  });
}
