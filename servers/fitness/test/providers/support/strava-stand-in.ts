import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { StravaEndpoints } from '../../../src/providers/strava/strava-settings.ts';

/**
 * Strava's OAuth and API on the loopback address, written from its public documentation: https://developers.strava.com/docs/authentication,
 * https://developers.strava.com/docs/rate-limits and https://developers.strava.com/docs/reference. It also verifies PKCE.
 */
export class StravaStandIn implements AsyncDisposable {
  /** Seconds until new access tokens expire. */
  tokenLifetimeS = 21_600;
  /** Scopes that the athlete leaves checked; undefined: the athlete refuses. */
  granted: readonly string[] | undefined = ['read', 'activity:read_all', 'profile:read_all'];
  /** Read limits of the application: quarter of an hour, day. */
  limits: readonly [number, number] = [100, 1000];
  usage: [number, number] = [0, 0];
  reportsUsage = true;
  /** Requests as `GET /api/v3/athlete`. */
  readonly requests: string[] = [];
  activities: readonly Record<string, unknown>[] = [];
  streams = new Map<string, Record<string, unknown>>();
  athlete: Record<string, unknown> = {
    id: 134_815,
    firstname: 'Marianne',
    lastname: 'Teutenberg',
    sex: 'F',
    weight: 61,
    ftp: 255,
  };
  readonly #server: Server;
  readonly #now: () => number;
  readonly #codes = new Map<string, { readonly challenge: string; readonly redirect: string }>();
  readonly #access = new Map<string, number>();
  readonly #refresh = new Set<string>();

  static readonly CLIENT = { clientId: '9999', clientSecret: 'client-secret-of-the-tests' };

  static async start(now: () => number): Promise<StravaStandIn> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new StravaStandIn(server, now);
  }

  private constructor(server: Server, now: () => number) {
    this.#server = server;
    this.#now = now;
    server.on('request', (request, response) => void this.#respond(request, response));
  }

  get endpoints(): StravaEndpoints {
    const { origin } = this;
    return {
      authorize: `${origin}/oauth/authorize`,
      token: `${origin}/oauth/token`,
      deauthorize: `${origin}/oauth/deauthorize`,
      api: `${origin}/api/v3/`,
    };
  }

  get origin(): string {
    const address = this.#server.address();
    if (typeof address !== 'object' || address === null) throw new Error('The stand-in is closed.');
    return `http://127.0.0.1:${address.port}`;
  }

  /** The athlete removes the application in the settings of Strava. */
  revokeAll(): void {
    this.#access.clear();
    this.#refresh.clear();
  }

  /** Access tokens end, refresh tokens stay. */
  expireAccess(): void {
    this.#access.clear();
  }

  get isPermitted(): boolean {
    return this.#refresh.size > 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    this.requests.push(`${request.method} ${url.pathname}`);
    const form = new URLSearchParams(await readBody(request));
    const key = `${request.method} ${url.pathname}`;
    if (key === 'GET /oauth/authorize') return this.#authorize(url.searchParams, response);
    if (key === 'POST /oauth/token') return this.#token(form, response);
    if (key === 'POST /oauth/deauthorize') return this.#deauthorize(form, response);
    return this.#api(request, url, response);
  }

  #authorize(query: URLSearchParams, response: ServerResponse): void {
    const redirect = query.get('redirect_uri') ?? '';
    const isValid =
      query.get('client_id') === StravaStandIn.CLIENT.clientId &&
      query.get('response_type') === 'code' &&
      query.get('code_challenge_method') === 'S256' &&
      URL.canParse(redirect);
    if (!isValid) return send(response, 400, fault('Application', 'redirect_uri', 'invalid'));
    const target = new URL(redirect);
    target.searchParams.set('state', query.get('state') ?? '');
    if (this.granted === undefined) {
      target.searchParams.set('error', 'access_denied');
    } else {
      const code = randomBytes(20).toString('hex');
      this.#codes.set(code, { challenge: query.get('code_challenge') ?? '', redirect });
      target.searchParams.set('code', code);
      target.searchParams.set('scope', this.granted.join(','));
    }
    response.writeHead(302, { location: target.href }).end();
  }

  #token(form: URLSearchParams, response: ServerResponse): void {
    const { clientId, clientSecret } = StravaStandIn.CLIENT;
    if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
      return send(response, 401, fault('Application', 'client_secret', 'invalid'));
    }
    if (form.get('grant_type') === 'refresh_token') {
      const isKnown = this.#refresh.delete(form.get('refresh_token') ?? '');
      return isKnown
        ? this.#issue(response)
        : send(response, 400, fault('RefreshToken', 'refresh_token', 'invalid'));
    }
    const code = form.get('code') ?? '';
    const issued = this.#codes.get(code);
    this.#codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (issued === undefined || issued.challenge !== challenge) {
      return send(response, 400, fault('AuthorizationCode', 'code', 'invalid'));
    }
    return this.#issue(response, { athlete: this.athlete });
  }

  #issue(response: ServerResponse, more: Record<string, unknown> = {}): void {
    const expires = Math.floor(this.#now() / 1000) + this.tokenLifetimeS;
    const access = randomBytes(20).toString('hex');
    const refresh = randomBytes(20).toString('hex');
    this.#access.set(access, expires);
    this.#refresh.add(refresh);
    send(response, 200, {
      token_type: 'Bearer',
      expires_at: expires,
      expires_in: this.tokenLifetimeS,
      refresh_token: refresh,
      access_token: access,
      ...more,
    });
  }

  #deauthorize(form: URLSearchParams, response: ServerResponse): void {
    const token = form.get('access_token') ?? '';
    if (!this.#isValid(token)) return send(response, 401, fault('Athlete', 'access_token', 'invalid'));
    this.revokeAll();
    send(response, 200, { access_token: token });
  }

  #api(request: IncomingMessage, url: URL, response: ServerResponse): void {
    this.usage = [this.usage[0] + 1, this.usage[1] + 1];
    if (this.reportsUsage) this.#reportUsage(response);
    if (this.usage[0] > this.limits[0] || this.usage[1] > this.limits[1]) {
      return send(response, 429, {
        ...fault('Application', 'read rate limit', 'exceeded'),
        message: 'Rate Limit Exceeded',
      });
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!this.#isValid(token)) return send(response, 401, fault('Athlete', 'access_token', 'invalid'));
    const found = this.#find(url);
    return found === undefined
      ? send(response, 404, fault('Activity', 'id', 'not found'))
      : send(response, 200, found);
  }

  #reportUsage(response: ServerResponse): void {
    response.setHeader('x-ratelimit-limit', '200,2000');
    response.setHeader('x-ratelimit-usage', this.usage.join(','));
    response.setHeader('x-readratelimit-limit', this.limits.join(','));
    response.setHeader('x-readratelimit-usage', this.usage.join(','));
  }

  #find({ pathname, searchParams }: URL): unknown {
    if (pathname === '/api/v3/athlete') return this.athlete;
    if (pathname === '/api/v3/athlete/activities') return this.#list(searchParams);
    const [, id = '', isStreams] = /^\/api\/v3\/activities\/(\d+)(\/streams)?$/.exec(pathname) ?? [];
    if (isStreams === undefined) return this.activities.find((activity) => String(activity['id']) === id);
    return this.streams.get(id);
  }

  #list(query: URLSearchParams): readonly unknown[] {
    const after = Number(query.get('after') ?? '0');
    const before = Number(query.get('before') ?? '1e12');
    const size = Number(query.get('per_page') ?? '30');
    const page = Number(query.get('page') ?? '1');
    const wanted = this.activities.filter((activity) => {
      const start = Date.parse(String(activity['start_date'])) / 1000;
      return start > after && start < before;
    });
    return wanted.slice((page - 1) * size, page * size);
  }

  #isValid(token: string): boolean {
    return (this.#access.get(token) ?? 0) > this.#now() / 1000;
  }
}

function fault(resource: string, field: string, code: string): Record<string, unknown> {
  return { message: 'Bad Request', errors: [{ resource, field, code }] };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}
