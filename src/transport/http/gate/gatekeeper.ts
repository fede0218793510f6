import { DefinitionError } from '../../../errors/errors.ts';
import type { HttpHeaders, HttpRequest } from '../message/http-message.ts';

/** Hosts of this machine. */
const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Options of {@link Gatekeeper}. */
export interface GatekeeperOptions {
  readonly allowedHosts?: readonly string[] | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
}

/** Why a request is turned away, before anything of it is looked at. */
export interface TurnedAway {
  readonly status: 400 | 403;
  readonly message: string;
}

/**
 * Looks at the host and the origin of every request. A page in a browser can make requests to this machine, and a name that first led
 * elsewhere can be made to lead here: the host and the origin are what such requests cannot hide.
 */
export class Gatekeeper {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #parsed = new Map<string, ParsedHost>();

  constructor({ allowedHosts = LOCAL_HOSTS, allowedOrigins = [] }: GatekeeperOptions) {
    assertList('allowedHosts', allowedHosts);
    assertList('allowedOrigins', allowedOrigins);
    this.#hosts = new Set(allowedHosts.map(readAllowedHost));
    this.#origins = new Set(allowedOrigins.map(readAllowedOrigin));
  }

  #isServed({ host, hostname }: ParsedHost): boolean {
    return this.#hosts.has(hostname) || this.#hosts.has(host);
  }

  /** Whether the URL names another host than the header. Where a framework puts its own host there, that has to be an allowed one. */
  #isForeign({ urlHost }: HttpRequest, { hostname }: ParsedHost): boolean {
    if (urlHost === undefined) return false;
    const parsed = this.#parse(urlHost);
    return parsed === undefined || (parsed.hostname !== hostname && !this.#isServed(parsed));
  }

  /** Why the request must not be served; undefined when it may. */
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

  /** Clients name the same few hosts again and again. */
  #parse(host: string): ParsedHost | undefined {
    const known = this.#parsed.get(host);
    if (known !== undefined) return known;
    const parsed = parseHost(host);
    if (parsed === undefined || (!this.#hosts.has(parsed.hostname) && !this.#hosts.has(parsed.host)))
      return parsed;
    // A name has few spellings that are served; whoever goes through them all only costs itself.
    if (this.#parsed.size >= MAX_PARSED) this.#parsed.clear();
    this.#parsed.set(host, parsed);
    return parsed;
  }

  /** The headers that let a page of an allowed origin read the answer. None for origins that were not named. */
  corsHeaders(request: HttpRequest): HttpHeaders {
    const origin = request.header('origin');
    // Others get another answer, which a cache must not give to those that are named.
    if (origin === undefined || !this.#origins.has(origin))
      return this.#origins.size === 0 ? NO_HEADERS : VARY;
    return {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After',
      vary: 'Origin',
    };
  }

  /** The answer to a browser that asks before it sends; undefined when the origin was not named. */
  preflightHeaders(request: HttpRequest): HttpHeaders | undefined {
    const cors = this.corsHeaders(request);
    if (cors === NO_HEADERS || cors === VARY) return undefined;
    // Names of arguments travel as headers too, so that the list is open. It never holds more than was asked for.
    const asked = request.header('access-control-request-headers') ?? '';
    const allowed = asked
      .split(',')
      .map((name) => name.trim())
      .filter((name) => ALLOWED_HEADER.test(name));
    return {
      ...cors,
      'access-control-allow-methods': 'POST, GET, DELETE, OPTIONS',
      'access-control-allow-headers': allowed.join(', '),
      'access-control-max-age': '600',
    };
  }
}

/** Node keeps only the first of these headers. A proxy in front of it may have decided by the last. */
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

/** A name or an address, and perhaps a port; nothing else that a URL might have there. */
const HOST = /^(?<hostname>[\w.-]+|\[[\da-f:.]+\])(?::(?<port>\d{1,5}))?$/i;

interface ParsedHost {
  readonly host: string;
  readonly hostname: string;
}

/** So many spellings of hosts are remembered. */
const MAX_PARSED = 64;

function parseHost(host: string): ParsedHost | undefined {
  const { hostname, port } = HOST.exec(host)?.groups ?? {};
  if (hostname === undefined) return undefined;
  // Names are the same in small and large letters, and with a dot at their end.
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return { hostname: name, host: port === undefined ? name : `${name}:${port}` };
}

/** A target may be a whole URL; then it must name the same host as the header. */
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

function assertList(name: string, value: unknown): void {
  if (!Array.isArray(value)) throw new DefinitionError(`${name} must be a list: ${name}: ['…'].`);
}

function readAllowedHost(host: string): string {
  const parsed = typeof host === 'string' ? parseHost(host) : undefined;
  if (parsed === undefined)
    throw new DefinitionError(
      `allowedHosts: "${String(host)}" is not a host; write "api.example.com" or "api.example.com:8443".`,
      { option: 'allowedHosts', received: String(host) },
    );
  return parsed.host;
}

function readAllowedOrigin(origin: string): string {
  try {
    const { origin: exact } = new URL(origin);
    if (exact !== 'null' && exact === origin && !exact.includes('*')) return exact;
  } catch {
    // Said below.
  }
  throw new DefinitionError(
    `allowedOrigins: "${String(origin)}" is not an origin; write "https://app.example.com", without a path and without wildcards.`,
    { option: 'allowedOrigins', received: String(origin) },
  );
}
