/** Configuration of the operator; nothing of it is an argument of a tool. */
export interface StravaSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** 32 bytes in Base64. */
  readonly key: string | undefined;
  /** Port of the loopback callback; 0: any free port. Default: 0. */
  readonly callbackPort?: number;
  readonly limits?: Partial<StravaLimits>;
  /** Unix time in milliseconds. Default: the system's clock. */
  readonly now?: () => number;
  /** Addresses of Strava. */
  readonly endpoints?: StravaEndpoints;
  /** Private hosts that requests may reach. Default: none. */
  readonly allowPrivate?: readonly string[];
}

/** Requests of the whole application, as Strava counts them: in quarters of an hour and in days of UTC. */
export interface StravaLimits {
  readonly quarterHour: number;
  readonly day: number;
}

/**
 * Strava's limits of requests that only read: https://developers.strava.com/docs/rate-limits. Its limits of all requests (200 and 2,000)
 * cannot be reached before.
 */
export const STRAVA_LIMITS: StravaLimits = { quarterHour: 100, day: 1000 };

export interface StravaEndpoints {
  readonly authorize: string;
  readonly token: string;
  readonly deauthorize: string;
  /** With a slash at its end. */
  readonly api: string;
}

export const STRAVA_ENDPOINTS: StravaEndpoints = {
  authorize: 'https://www.strava.com/oauth/authorize',
  token: 'https://www.strava.com/oauth/token',
  deauthorize: 'https://www.strava.com/oauth/deauthorize',
  api: 'https://www.strava.com/api/v3/',
};

export const STRAVA_SCOPES = ['read', 'activity:read_all', 'profile:read_all'] as const;
