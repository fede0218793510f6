import { z } from 'zod';
import type {
  Activity,
  ActivityFilter,
  ActivityStreams,
  Athlete,
  Provider,
  ProviderFeature,
  SleepNight,
} from '../provider.ts';
import { StravaHttp } from './api/http.ts';
import { RequestQuota } from './api/request-quota.ts';
import { StravaApi } from './api/strava-api.ts';
import { STRAVA_ACTIVITY, toActivity } from './mapping/to-activity.ts';
import { STRAVA_ATHLETE, toAthlete } from './mapping/to-athlete.ts';
import { STRAVA_STREAMS, STREAM_KEYS, toStreams } from './mapping/to-streams.ts';
import { AccessTokens } from './oauth/access-tokens.ts';
import { StravaConnection } from './oauth/connection.ts';
import type { ConnectAttempt, DisconnectOutcome } from './oauth/connection.ts';
import { StoredTokens } from './oauth/stored-tokens.ts';
import { TokenEndpoint } from './oauth/token-endpoint.ts';
import { stravaError } from './strava-error.ts';
import { STRAVA_ENDPOINTS, STRAVA_LIMITS } from './strava-settings.ts';
import type { StravaLimits, StravaSettings } from './strava-settings.ts';
import { TokenSeal } from './token-seal.ts';
import type { TokenStore } from './token-store.ts';

/** Strava's API has no sleep, no heart-rate variability and no weather. */
const FEATURES: readonly ProviderFeature[] = ['activities', 'streams', 'place', 'athlete'];
const PAGE_SIZE = 200;
const MAX_PAGES = 25;
const DAY_S = 86_400;
const ID = /^\d{1,20}$/;

/** Activities of users who have connected their Strava account. */
export class StravaProvider implements Provider {
  readonly name = 'strava';
  readonly features: ReadonlySet<ProviderFeature> = new Set(FEATURES);
  readonly #http: StravaHttp;
  readonly #api: StravaApi;
  readonly #quota: RequestQuota;
  readonly #connection: StravaConnection;

  constructor(settings: StravaSettings, store: TokenStore) {
    for (const name of ['clientId', 'clientSecret'] as const) {
      if (settings[name] === '')
        throw stravaError('not-configured', `The ${name} of the Strava application is empty.`);
    }
    const { endpoints = STRAVA_ENDPOINTS, now = () => Date.now() } = settings;
    const stored = new StoredTokens(store, new TokenSeal(settings.key));
    this.#http = new StravaHttp(settings.allowPrivate);
    const endpoint = new TokenEndpoint(this.#http, settings, endpoints);
    const tokens = new AccessTokens(stored, endpoint, now);
    this.#quota = new RequestQuota({ ...STRAVA_LIMITS, ...settings.limits }, now);
    this.#api = new StravaApi({
      http: this.#http,
      tokens,
      stored,
      quota: this.#quota,
      baseUrl: endpoints.api,
      now,
    });
    this.#connection = new StravaConnection({
      clientId: settings.clientId,
      authorizeUrl: endpoints.authorize,
      callbackPort: settings.callbackPort ?? 0,
      stored,
      tokens,
      endpoint,
      now,
    });
  }

  connect(user: string): Promise<ConnectAttempt> {
    return this.#connection.connect(user);
  }

  /** The attempt of a user that has not ended. */
  findAttempt(user: string): ConnectAttempt | undefined {
    return this.#connection.findAttempt(user);
  }

  isConnected(user: string): Promise<boolean> {
    return this.#connection.isConnected(user);
  }

  async disconnect(user: string): Promise<DisconnectOutcome> {
    this.#api.forget(user);
    return this.#connection.disconnect(user);
  }

  /** Requests that are left, for all users together. */
  remainingRequests(): StravaLimits {
    return this.#quota.remaining();
  }

  async listActivities(
    user: string,
    filter: ActivityFilter = {},
    signal?: AbortSignal,
  ): Promise<readonly Activity[]> {
    const { after, before, sport_type } = filter;
    const query = {
      // Whole days, so that periods that end now share cached responses. Strava's bounds are both exclusive.
      ...(after !== undefined && { after: String(Math.max(0, Math.floor(after / DAY_S) * DAY_S - 1)) }),
      ...(before !== undefined && { before: String(Math.ceil(before / DAY_S) * DAY_S) }),
      per_page: String(PAGE_SIZE),
    };
    const found: Activity[] = [];
    for (let page = 1; ; page += 1) {
      if (page > MAX_PAGES) throw tooMany();
      const some = await this.#api.find({
        user,
        path: 'athlete/activities',
        query: { ...query, page: String(page) },
        schema: z.array(STRAVA_ACTIVITY),
        signal,
      });
      // Pages may be short; only an empty one is the last.
      if (some === undefined || some.length === 0) break;
      found.push(...some.map(toActivity));
    }
    const isWanted = ({ start_time, sport_type: sport }: Activity): boolean =>
      start_time >= (after ?? -Infinity) &&
      start_time < (before ?? Infinity) &&
      (sport_type ?? sport) === sport;
    return found.filter(isWanted).sort((one, other) => other.start_time - one.start_time);
  }

  async findActivity(user: string, id: string, signal?: AbortSignal): Promise<Activity | undefined> {
    if (!ID.test(id)) return undefined;
    const found = await this.#api.find({ user, path: `activities/${id}`, schema: STRAVA_ACTIVITY, signal });
    return found && toActivity(found);
  }

  async findStreams(user: string, id: string, signal?: AbortSignal): Promise<ActivityStreams | undefined> {
    if (!ID.test(id)) return undefined;
    const query = { keys: STREAM_KEYS, key_by_type: 'true' };
    const path = `activities/${id}/streams`;
    const found = await this.#api.find({ user, path, query, schema: STRAVA_STREAMS, signal });
    return found && toStreams(found);
  }

  async findAthlete(user: string, signal?: AbortSignal): Promise<Athlete | undefined> {
    const found = await this.#api.find({ user, path: 'athlete', schema: STRAVA_ATHLETE, signal });
    return found && toAthlete(found);
  }

  async listSleep(): Promise<readonly SleepNight[]> {
    return [];
  }

  async close(): Promise<void> {
    await this.#connection.close();
    this.#http[Symbol.dispose]();
  }
}

function tooMany(): Error {
  const most = PAGE_SIZE * MAX_PAGES;
  return stravaError(
    'unavailable',
    `There are more than ${most} activities. Ask for a shorter period with "after" and "before".`,
  );
}
