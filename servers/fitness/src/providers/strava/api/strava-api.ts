import type { z } from 'zod';
import { revoked } from '../oauth/access-tokens.ts';
import type { AccessTokens } from '../oauth/access-tokens.ts';
import type { StoredTokens } from '../oauth/stored-tokens.ts';
import { stravaError } from '../strava-error.ts';
import { parseJson } from './http.ts';
import type { HttpResponse, StravaHttp } from './http.ts';
import type { RequestQuota } from './request-quota.ts';
import { ResponseCache } from './response-cache.ts';

export interface ApiParts {
  readonly http: StravaHttp;
  readonly tokens: AccessTokens;
  readonly stored: StoredTokens;
  readonly quota: RequestQuota;
  readonly baseUrl: string;
  readonly now: () => number;
}

export interface ApiRequest<TSchema extends z.ZodType> {
  readonly user: string;
  /** For example `athlete/activities`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly schema: TSchema;
  readonly signal?: AbortSignal | undefined;
}

/** Reads from Strava's API for a user, within its limits. */
export class StravaApi {
  readonly #parts: ApiParts;
  readonly #cache: ResponseCache;

  constructor(parts: ApiParts) {
    this.#parts = parts;
    this.#cache = new ResponseCache(parts.now);
  }

  /** Undefined if Strava has no such resource (404). */
  async find<TSchema extends z.ZodType>(
    request: ApiRequest<TSchema>,
  ): Promise<z.output<TSchema> | undefined> {
    const { user, path, query = {}, schema } = request;
    const url = new URL(path, this.#parts.baseUrl);
    url.search = new URLSearchParams(query).toString();
    // Also for cached responses: nobody else may read them, and nobody after the end of the permission.
    const token = await this.#parts.tokens.get(user);
    // The token is a part of the key: after a connection with another account, no response of the earlier one is left.
    const key = `${token} ${url.href}`;
    const cached = this.#cache.find(user, key);
    if (cached !== undefined) return cached.value as z.output<TSchema>;
    const response = await this.#send(request, url, token);
    if (response.status === 404) return undefined;
    const parsed = schema.safeParse(parseJson(response));
    if (!parsed.success) {
      const place = parsed.error.issues[0]?.path.join('.') ?? '';
      throw stravaError(
        'invalid-response',
        `The response of Strava to ${path} is not as documented, at "${place}".`,
      );
    }
    this.#cache.keep(user, key, { value: parsed.data, bytes: response.body.length });
    return parsed.data;
  }

  /** Removes cached responses of a user. */
  forget(user: string): void {
    this.#cache.forget(user);
  }

  async #send(
    request: Pick<ApiRequest<z.ZodType>, 'user' | 'path' | 'signal'>,
    url: URL,
    token: string,
  ): Promise<HttpResponse> {
    const { user, path, signal } = request;
    const first = await this.#count({ url, accessToken: token, signal });
    if (first.status !== 401) return assertStatus(first, path);
    const replaced = await this.#parts.tokens.replace(user, token);
    const second = await this.#count({ url, accessToken: replaced, signal });
    if (second.status !== 401) return assertStatus(second, path);
    await this.#parts.stored.remove(user);
    this.forget(user);
    throw revoked();
  }

  async #count(request: Parameters<StravaHttp['send']>[0]): Promise<HttpResponse> {
    const { quota, http } = this.#parts;
    quota.take();
    const response = await http.send(request);
    const usage = pairOf(response, 'x-readratelimit-usage') ?? pairOf(response, 'x-ratelimit-usage');
    if (response.status === 429) throw quota.refuse(isDayFull(response));
    if (usage !== undefined) quota.report(usage);
    return response;
  }
}

function assertStatus(response: HttpResponse, path: string): HttpResponse {
  const { status } = response;
  if (status === 200 || status === 404) return response;
  if (status === 403) {
    throw stravaError(
      'refused',
      `Strava does not allow ${path} (status 403). Connect again and grant all permissions.`,
    );
  }
  throw stravaError('unavailable', `Strava responded to ${path} with status ${status}. Try again later.`);
}

/** Whether the limit of reading requests or that of all requests of this day is used up. */
function isDayFull(response: HttpResponse): boolean {
  return ['x-readratelimit', 'x-ratelimit'].some((name) => {
    const [usage, limits] = [pairOf(response, `${name}-usage`), pairOf(response, `${name}-limit`)];
    return usage !== undefined && limits !== undefined && usage[1] >= limits[1];
  });
}

/** For example `12,345`: quarter of an hour, day. */
function pairOf({ headers }: HttpResponse, name: string): readonly [number, number] | undefined {
  const [, quarter, day] = /^\s*(\d{1,9})\s*,\s*(\d{1,9})\s*$/.exec(headers.get(name) ?? '') ?? [];
  return quarter === undefined || day === undefined ? undefined : [Number(quarter), Number(day)];
}
