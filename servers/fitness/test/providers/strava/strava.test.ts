import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import type { Activity } from '../../../src/providers/provider.ts';
import { StravaProvider } from '../../../src/providers/strava/strava-provider.ts';
import type { StravaLimits } from '../../../src/providers/strava/strava-settings.ts';
import { MemoryTokenStore } from '../../../src/providers/strava/token-store.ts';
import { StravaStandIn } from '../support/strava-stand-in.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const START = Date.UTC(2026, 10, 18, 12, 7);

let now = START;
let strava: StravaStandIn;
let store: MemoryTokenStore;
const opened: StravaProvider[] = [];

beforeEach(async () => {
  now = START;
  strava = await StravaStandIn.start(() => now);
  store = new MemoryTokenStore();
});

afterEach(async () => {
  for (const provider of opened.splice(0)) await provider.close();
  await strava[Symbol.asyncDispose]();
});

function open({
  key = KEY,
  limits = {},
}: { key?: string; limits?: Partial<StravaLimits> } = {}): StravaProvider {
  const provider = new StravaProvider(
    {
      ...StravaStandIn.CLIENT,
      key,
      limits,
      now: () => now,
      endpoints: strava.endpoints,
      allowPrivate: ['127.0.0.1'],
    },
    store,
  );
  opened.push(provider);
  return provider;
}

/** Follows the redirect to the callback, as a browser does. */
async function browse(
  url: string,
): Promise<{ readonly status: number; readonly text: string; readonly at: string }> {
  const asked = await fetch(url, { redirect: 'manual' });
  const at = asked.headers.get('location') ?? '';
  const response = await fetch(at);
  return { status: response.status, text: await response.text(), at };
}

async function connected(user = 'ann', options: Parameters<typeof open>[0] = {}): Promise<StravaProvider> {
  const provider = open(options);
  const attempt = await provider.connect(user);
  await browse(attempt.url);
  await attempt.finished;
  return provider;
}

const failure = async (promise: Promise<unknown>): Promise<readonly [string, string]> => {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProviderError)) throw new Error('Expected a ProviderError.', { cause: error });
  return [error.failure, error.message];
};

describe('connect', () => {
  test('the address has the client, the scopes, a loopback redirect, a state and a PKCE challenge, but no secret', async () => {
    const { url, expiresAt } = await open().connect('ann');
    const { searchParams, origin, pathname } = new URL(url);
    expect(origin + pathname).toBe(`${strava.origin}/oauth/authorize`);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: '9999',
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/) as string,
      response_type: 'code',
      approval_prompt: 'auto',
      scope: 'read,activity:read_all,profile:read_all',
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
    });
    expect(expiresAt).toBe(START + 600_000);
  });

  test('after the permission, the user is connected and others are not', async () => {
    const provider = open();
    const attempt = await provider.connect('ann');
    expect(await provider.isConnected('ann')).toBe(false);
    const page = await browse(attempt.url);
    expect([page.status, page.text]).toEqual([200, 'Strava is connected. You can close this page.\n']);
    await attempt.finished;
    expect([await provider.isConnected('ann'), await provider.isConnected('bob')]).toEqual([true, false]);
    expect(await provider.findAthlete('ann')).toMatchObject({ id: '134815', sex: 'female', ftp_w: 255 });
    expect((await failure(provider.findAthlete('bob')))[0]).toBe('not-connected');
  });

  test('a state works once', async () => {
    const provider = open();
    const { url } = await provider.connect('ann');
    const { at } = await browse(url);
    const again = await fetch(at);
    expect([again.status, await again.text()]).toEqual([
      400,
      'This address is not valid: it is unknown, was used before, or has expired. Connect again.\n',
    ]);
  });

  test('a wrong state connects nobody, and leaves the right one valid', async () => {
    const provider = open();
    const { url, finished } = await provider.connect('ann');
    const wrong = new URL(url);
    wrong.searchParams.set('state', 'A'.repeat(43));
    expect((await browse(wrong.href)).status).toBe(400);
    expect(await provider.isConnected('ann')).toBe(false);
    expect((await browse(url)).status).toBe(200);
    await finished;
  });

  test('an expired state connects nobody', async () => {
    const provider = open();
    const { url, finished } = await provider.connect('ann');
    now += 600_000;
    expect((await browse(url)).status).toBe(400);
    await expect(finished).rejects.toThrow('The permission was not granted in time.');
    expect(strava.requests).not.toContain('POST /oauth/token');
  });

  test('a later attempt replaces the earlier one of the same user', async () => {
    const provider = open();
    const first = await provider.connect('ann');
    const other = await provider.connect('bob');
    const second = await provider.connect('ann');
    await expect(first.finished).rejects.toThrow('A later attempt to connect replaced this one.');
    expect((await browse(first.url)).status).toBe(400);
    expect((await browse(second.url)).status).toBe(200);
    expect((await browse(other.url)).status).toBe(200);
  });

  test('a code that Strava issued for another challenge is refused', async () => {
    const provider = open();
    const { url, finished } = await provider.connect('ann');
    const changed = new URL(url);
    changed.searchParams.set('code_challenge', 'x'.repeat(43));
    expect((await browse(changed.href)).text).toBe(
      'Strava refused the authorization code (status 400). Connect again.\n',
    );
    await expect(finished).rejects.toBeInstanceOf(ProviderError);
  });

  test('a refused or a partial permission connects nobody', async () => {
    const provider = open();
    strava.granted = undefined;
    const refused = await provider.connect('ann');
    expect((await browse(refused.url)).text).toContain('was not granted in Strava');
    expect((await failure(refused.finished))[0]).toBe('refused');
    strava.granted = ['read'];
    const partial = await provider.connect('ann');
    expect((await browse(partial.url)).text).toContain('The permission to view activities was not granted.');
    expect(await provider.isConnected('ann')).toBe(false);
  });

  test('the callback answers only its own address', async () => {
    const { url } = await open().connect('ann');
    const callback = new URL(new URL(url).searchParams.get('redirect_uri') ?? '');
    expect((await fetch(`${callback.origin}/other`)).status).toBe(404);
    expect((await fetch(callback, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`http://localhost:${callback.port}/callback`)).status).toBe(403);
  });
});

describe('tokens', () => {
  test('are stored sealed', async () => {
    await connected();
    const sealed = await store.find('ann', 'strava');
    expect(sealed).toMatch(/^v1\.[\w-]{16}\.[\w-]{22}\.[\w-]+$/);
    expect(Buffer.from(sealed ?? '', 'base64url').toString('latin1')).not.toContain('accessToken');
  });

  test('are renewed five minutes before they expire, once for parallel requests', async () => {
    const provider = await connected();
    now += (21_600 - 301) * 1000;
    await provider.findAthlete('ann');
    expect(strava.requests.filter((request) => request === 'POST /oauth/token')).toHaveLength(1);
    now += 1000;
    await Promise.all([
      provider.findAthlete('ann'),
      provider.listActivities('ann'),
      provider.findActivity('ann', '1'),
    ]);
    expect(strava.requests.filter((request) => request === 'POST /oauth/token')).toHaveLength(2);
  });

  test('that Strava refuses are renewed once, then the request is repeated', async () => {
    const provider = await connected();
    strava.expireAccess();
    expect(await provider.findAthlete('ann')).toMatchObject({ name: 'Marianne Teutenberg' });
    expect(strava.requests.slice(-3)).toEqual([
      'GET /api/v3/athlete',
      'POST /oauth/token',
      'GET /api/v3/athlete',
    ]);
  });

  test('that were revoked are removed, and the user must connect again', async () => {
    const provider = await connected();
    strava.revokeAll();
    expect(await failure(provider.findAthlete('ann'))).toEqual([
      'not-connected',
      'Strava no longer accepts the permission: it was revoked. Connect Strava again with connect_provider.',
    ]);
    expect(await provider.isConnected('ann')).toBe(false);
  });

  test('that were tampered with, or belong to another user, are not opened', async () => {
    const provider = await connected();
    const sealed = (await store.find('ann', 'strava')) ?? '';
    await store.save('bob', 'strava', sealed);
    expect((await failure(provider.findAthlete('bob')))[1]).toContain('cannot be decrypted');
    const [version, nonce, tag, data = ''] = sealed.split('.');
    const changed = (data.startsWith('A') ? 'B' : 'A') + data.slice(1);
    await store.save('ann', 'strava', [version, nonce, tag, changed].join('.'));
    expect(await failure(provider.findAthlete('ann'))).toEqual([
      'not-connected',
      'The stored token cannot be decrypted: FITNESS_KEY has changed, or the token was modified. Connect the provider again.',
    ]);
  });

  test('are not opened with another key', async () => {
    await connected();
    const other = open({ key: Buffer.alloc(32, 8).toString('base64') });
    expect((await failure(other.findAthlete('ann')))[0]).toBe('not-connected');
  });

  test.each([
    ['', 'FITNESS_KEY is not set'],
    ['short', 'FITNESS_KEY must be 32 bytes in Base64'],
    [Buffer.alloc(16).toString('base64'), 'FITNESS_KEY must be 32 bytes in Base64'],
  ])('need a key: "%s"', (key, message) => {
    expect(() => open({ key })).toThrow(message);
  });
});

describe('disconnect', () => {
  test('revokes the permission and removes the tokens', async () => {
    const provider = await connected();
    expect(await provider.disconnect('ann')).toEqual({ wasConnected: true, isRevoked: true });
    expect([strava.isPermitted, await store.find('ann', 'strava')]).toEqual([false, undefined]);
    expect(await provider.disconnect('ann')).toEqual({ wasConnected: false, isRevoked: false });
  });

  test('removes the tokens if Strava cannot be reached', async () => {
    const provider = await connected();
    await strava[Symbol.asyncDispose]();
    expect(await provider.disconnect('ann')).toEqual({ wasConnected: true, isRevoked: false });
    expect(await provider.isConnected('ann')).toBe(false);
    strava = await StravaStandIn.start(() => now);
  });
});

describe('limits', () => {
  test('the request over the setting is not sent, and the error has the time of the next one', async () => {
    const provider = await connected('ann', { limits: { quarterHour: 2 } });
    await provider.findAthlete('ann');
    await provider.findActivity('ann', '1');
    const sent = strava.requests.length;
    const error = await provider.findActivity('ann', '2').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      failure: 'rate-limited',
      retryAt: Date.UTC(2026, 10, 18, 12, 15),
      message:
        'The limit of 2 Strava requests in 15 minutes is used up. The next request is possible at 2026-11-18T12:15:00.000Z.',
    });
    expect(strava.requests).toHaveLength(sent);
    now = Date.UTC(2026, 10, 18, 12, 15);
    expect(await provider.findActivity('ann', '2')).toBeUndefined();
  });

  test('parallel requests do not exceed the setting, also if Strava does not report its count', async () => {
    strava.reportsUsage = false;
    const provider = await connected('ann', { limits: { quarterHour: 3 } });
    const before = strava.requests.length;
    const ids = ['1', '2', '3', '4', '5', '6', '7', '8'];
    const settled = await Promise.allSettled(ids.map((id) => provider.findActivity('ann', id)));
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(5);
    expect(strava.requests).toHaveLength(before + 3);
  });

  test('the limit of a day ends at midnight UTC', async () => {
    const provider = await connected('ann', { limits: { day: 1 } });
    await provider.findAthlete('ann');
    const error = await provider.findActivity('ann', '2').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ retryAt: Date.UTC(2026, 10, 19) });
  });

  test('requests of other processes, which Strava reports, count', async () => {
    const provider = await connected();
    expect(provider.remainingRequests()).toEqual({ quarterHour: 100, day: 1000 });
    strava.usage = [98, 600];
    await provider.findAthlete('ann');
    expect(provider.remainingRequests()).toEqual({ quarterHour: 1, day: 399 });
  });

  test('after a 429, nothing is sent until the next period', async () => {
    const provider = await connected();
    strava.limits = [0, 1000];
    expect((await failure(provider.findAthlete('ann')))[0]).toBe('rate-limited');
    const sent = strava.requests.length;
    expect((await failure(provider.findAthlete('ann')))[1]).toContain('2026-11-18T12:15:00.000Z');
    expect(strava.requests).toHaveLength(sent);
    strava.limits = [100, 0];
    now += 15 * 60_000;
    expect((await failure(provider.findAthlete('ann')))[1]).toContain(
      'a day is used up. The next request is possible at 2026-11-19',
    );
  });

  test('responses of the last five minutes are used again, for the same user only', async () => {
    const provider = await connected();
    await provider.findAthlete('ann');
    await provider.findAthlete('ann');
    expect(strava.requests.filter((request) => request === 'GET /api/v3/athlete')).toHaveLength(1);
    now += 300_001;
    await provider.findAthlete('ann');
    expect(strava.requests.filter((request) => request === 'GET /api/v3/athlete')).toHaveLength(2);
  });
});

describe('data', () => {
  const ride = {
    id: 154_504_250_376_823,
    name: 'Afternoon Ride',
    sport_type: 'MountainBikeRide',
    start_date: '2026-11-10T14:00:00Z',
    utc_offset: 3600,
    moving_time: 4500,
    elapsed_time: 4620,
    distance: 28_099,
    total_elevation_gain: 516,
    average_heartrate: 140.3,
    max_heartrate: 178,
    average_watts: 185.5,
    max_watts: 743,
    weighted_average_watts: 230,
    device_watts: true,
    average_cadence: 78.5,
    calories: 870.2,
    kilojoules: 780.5,
    start_latlng: [37.83, -122.26],
  };

  test('an activity is mapped field by field', async () => {
    strava.activities = [ride];
    const provider = await connected();
    expect(await provider.findActivity('ann', '154504250376823')).toEqual({
      id: '154504250376823',
      name: 'Afternoon Ride',
      sport_type: 'ride',
      start_time: 1_794_319_200,
      utc_offset_s: 3600,
      moving_time_s: 4500,
      elapsed_time_s: 4620,
      distance_m: 28_099,
      elevation_gain_m: 516,
      average_heart_rate: 140.3,
      max_heart_rate: 178,
      average_power_w: 185.5,
      max_power_w: 743,
      normalized_power_w: 230,
      average_cadence_rpm: 78.5,
      energy_kcal: 870.2,
      place: { latitude: 37.83, longitude: -122.26, name: null },
      weather: null,
    } satisfies Activity);
  });

  test('values that Strava lacks or has estimated are null', async () => {
    const strength = {
      id: 2,
      name: 'Gym',
      type: 'WeightTraining',
      start_date: '2026-11-11T14:00:00Z',
      moving_time: 1800,
      elapsed_time: 1800,
      distance: 0,
      total_elevation_gain: 0,
      start_latlng: [],
    };
    strava.activities = [{ ...ride, id: 1, device_watts: false, calories: undefined }, strength];
    const provider = await connected();
    expect(await provider.findActivity('ann', '1')).toMatchObject({
      average_power_w: null,
      normalized_power_w: null,
      energy_kcal: null,
    });
    expect(await provider.findActivity('ann', '2')).toMatchObject({
      sport_type: 'strength',
      distance_m: null,
      elevation_gain_m: null,
      place: null,
      utc_offset_s: null,
    });
  });

  test('a list has all pages, the newest first, within the bounds', async () => {
    strava.activities = Array.from({ length: 450 }, (_, index) => ({
      ...ride,
      id: index + 1,
      start_date: new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString(),
      sport_type: index % 2 === 0 ? 'TrailRun' : 'Yoga',
    }));
    const provider = await connected();
    const all = await provider.listActivities('ann');
    expect([all.length, all[0]?.id, all.at(-1)?.id]).toEqual([450, '450', '1']);
    expect(strava.requests.filter((request) => request.endsWith('activities'))).toHaveLength(4);
    const hour = Date.UTC(2026, 0, 1) / 1000;
    const some = await provider.listActivities('ann', {
      after: hour + 3600,
      before: hour + 4 * 3600,
      sport_type: 'run',
    });
    expect(some.map(({ id, start_time }) => [id, start_time - hour])).toEqual([['3', 7200]]);
    const midnight = await provider.listActivities('ann', { after: hour, before: hour + 1 });
    expect(midnight.map(({ id }) => id)).toEqual(['1']);
    const both = await provider.listActivities('ann', { after: hour + 3600, before: hour + 4 * 3600 });
    expect(both.map(({ id }) => id)).toEqual(['4', '3', '2']);
  });

  test('lists of nearly the same period share their requests', async () => {
    strava.activities = [ride];
    const provider = await connected();
    const after = now / 1000 - 30 * 86_400;
    expect(await provider.listActivities('ann', { after, before: now / 1000 })).toHaveLength(1);
    const sent = strava.requests.length;
    expect(await provider.listActivities('ann', { after: after + 9, before: now / 1000 + 9 })).toHaveLength(
      1,
    );
    expect(strava.requests).toHaveLength(sent);
  });

  test('streams are mapped; streams of another length are left out', async () => {
    strava.streams.set('5', {
      time: { data: [0, 1, 3] },
      latlng: { data: [[48, 7.8], null, [48.1, 7.9]] },
      heartrate: { data: [90, null, 95] },
      watts: { data: [200, 210] },
      velocity_smooth: { data: [0, 5.5, 6] },
    });
    const provider = await connected();
    expect(await provider.findStreams('ann', '5')).toEqual({
      time_s: [0, 1, 3],
      latitude: [48, null, 48.1],
      longitude: [7.8, null, 7.9],
      heart_rate: [90, null, 95],
      speed_mps: [0, 5.5, 6],
    });
    expect(await provider.findStreams('ann', '6')).toBeUndefined();
    expect(await provider.findStreams('ann', '../athlete')).toBeUndefined();
  });

  test('the provider says that it lacks sleep, variability and weather', async () => {
    const provider = open();
    expect([...provider.features]).toEqual(['activities', 'streams', 'place', 'athlete']);
    expect(await provider.listSleep()).toEqual([]);
  });

  test('a response that is not as documented is an error with its place', async () => {
    strava.activities = [{ ...ride, id: 7, moving_time: 'long' }];
    const provider = await connected();
    expect(await failure(provider.findActivity('ann', '7'))).toEqual([
      'invalid-response',
      'The response of Strava to activities/7 is not as documented, at "moving_time".',
    ]);
  });
});
