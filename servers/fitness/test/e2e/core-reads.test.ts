import { afterAll, describe, expect, test } from 'vitest';
import { callJson, callTool, readJson, VERSIONS } from '../support/clients.ts';
import { CALLERS, startStack, TRANSPORTS } from '../support/stack.ts';

const stack = await startStack();
afterAll(() => stack.close());

interface Activities {
  readonly provider: string;
  readonly total: number;
  readonly returned: number;
  readonly offset: number;
  readonly next_offset?: number;
  readonly activities: readonly Readonly<Record<string, unknown>>[];
  readonly notes: readonly string[];
}

const DEMONSTRATION = 'These are generated data of the demonstration athlete.';
const NEWEST = {
  id: 'synthetic-2026-11-17-1',
  name: 'Intervals 4 × 2 min',
  sport_type: 'run',
  start: '2026-11-17T18:02:15+01:00',
  distance_m: 7036.2,
  moving_time_s: 2399,
  average_heart_rate: 149.4,
  average_power_w: null,
};

const CONNECTIONS = VERSIONS.flatMap((version) =>
  TRANSPORTS.map((transport) => ({ version, transport, caller: 'anonymous' as const })),
);

describe.each(CONNECTIONS)('client $version over $transport, without a token', (connection) => {
  test('lists the newest activities of the demonstration athlete', async () => {
    const client = await stack.connect(connection);
    const found = await callJson<Activities>(client, 'get_activities', { limit: 2 });
    expect(found).toMatchObject({
      provider: 'synthetic',
      total: 542,
      returned: 2,
      offset: 0,
      next_offset: 2,
    });
    expect(found.activities[0]).toEqual(NEWEST);
    expect(found.notes).toEqual([DEMONSTRATION]);
  });

  test('reads the profile and the totals', async () => {
    const client = await stack.connect(connection);
    const { athlete } = await callJson<{ athlete: object }>(client, 'get_athlete');
    expect(athlete).toMatchObject({ name: 'Demonstration athlete', max_heart_rate: 188, ftp_w: 238 });
    const { since, totals } = await callJson<{ since: object; totals: object[] }>(client, 'get_stats');
    expect(since).toEqual({
      last_4_weeks: '2026-10-22',
      year_to_date: '2026-01-01',
      all_time: '2024-11-19',
    });
    expect(totals.slice(0, 2)).toEqual([
      {
        period: 'last_4_weeks',
        sport_type: 'all',
        activities: 23,
        distance_m: 584_326,
        moving_time_s: 103_974,
        elevation_gain_m: 2656,
        energy_kcal: 17_821,
      },
      {
        period: 'last_4_weeks',
        sport_type: 'ride',
        activities: 7,
        distance_m: 467_374,
        moving_time_s: 55_529,
        elevation_gain_m: 2171,
        energy_kcal: 9220,
      },
    ]);
  });

  test.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: 201 }, 'limit'],
    [{ limit: '5' }, 'limit'],
    [{ offset: -1 }, 'offset'],
    [{ after: 1.5 }, 'after'],
    [{ after: 1_700_000_000, before: 1_700_000_000 }, 'before'],
    [{ sport_type: 'chess' }, 'sport_type'],
    [{ mode: 'full' }, 'mode'],
    [{ format: 'xml' }, 'format'],
    [{ provider: 'garmin' }, 'provider'],
    [{ client_secret: 'x' }, 'client_secret'],
  ])('%j is -32602 with the path %s', async (args, path) => {
    const client = await stack.connect(connection);
    const call = callTool(client, 'get_activities', args);
    await expect(call).rejects.toMatchObject({ code: -32_602, data: { issues: [{ path: [path] }] } });
  });
});

test('pages follow each other, and the last one has no next offset', async () => {
  const client = await stack.connect();
  const whole = await callJson<Activities>(client, 'get_activities', { limit: 3 });
  const page = await callJson<Activities>(client, 'get_activities', { limit: 2, offset: 1 });
  expect(page.activities).toEqual(whole.activities.slice(1));
  const last = await callJson<Activities>(client, 'get_activities', { offset: 540 });
  expect(last).toMatchObject({ total: 542, returned: 2, offset: 540 });
  expect(last).not.toHaveProperty('next_offset');
});

test('sport and period select activities: after is inclusive, before exclusive', async () => {
  const client = await stack.connect();
  const start = Date.parse(NEWEST.start) / 1000;
  const at = (args: object): Promise<Activities> => callJson(client, 'get_activities', { ...args });
  expect((await at({ after: start })).activities).toEqual([NEWEST]);
  expect((await at({ after: start, sport_type: 'swim' })).activities).toEqual([]);
  expect((await at({ before: start, limit: 1 })).activities[0]).toMatchObject({ sport_type: 'swim' });
});

test('mode detailed has all figures, place and weather in rows without nested objects', async () => {
  const client = await stack.connect();
  const { activities } = await callJson<Activities>(client, 'get_activities', { limit: 1, mode: 'detailed' });
  expect(activities).toEqual([
    {
      ...NEWEST,
      elapsed_time_s: 2485,
      elevation_gain_m: 31.7,
      max_heart_rate: 179,
      max_power_w: null,
      normalized_power_w: null,
      average_cadence_rpm: 84.5,
      energy_kcal: 463,
      place: 'Freiburg im Breisgau',
      latitude: 47.999,
      longitude: 7.842,
      temperature_c: 7.8,
      humidity_percent: 69,
      wind_mps: 2.9,
      conditions: 'cloudy',
    },
  ]);
});

test('format toon is a table, and an unknown format is not silently JSON', async () => {
  const client = await stack.connect();
  const { text } = await callTool(client, 'get_activities', { limit: 1, format: 'toon' });
  expect(text.split('\n').slice(5, 7)).toEqual([
    'activities[1]{id,name,sport_type,start,distance_m,moving_time_s,average_heart_rate,average_power_w}:',
    '  synthetic-2026-11-17-1,Intervals 4 × 2 min,run,"2026-11-17T18:02:15+01:00",7036.2,2399,149.4,null',
  ]);
  await expect(callTool(client, 'get_activities', { format: 'TOON' })).rejects.toMatchObject({
    code: -32_602,
  });
});

test('a page that is not all links to all activities with the same filter', async () => {
  const client = await stack.connect();
  const { blocks } = await callTool(client, 'get_activities', { limit: 2, sport_type: 'run' });
  expect(blocks.slice(1)).toEqual([
    {
      type: 'resource_link',
      uri: 'fitness://exports/activities?provider=synthetic&sport_type=run',
      name: 'All activities of this result, with all figures',
      mimeType: 'application/json',
    },
  ]);
  const uri = 'fitness://exports/activities?provider=synthetic&sport_type=run';
  const whole = await readJson<Activities>(client, uri);
  expect(whole).toMatchObject({ total: 284 });
  expect(whole.activities).toHaveLength(284);
  expect(whole.activities[0]).toMatchObject(NEWEST);
  const complete = await callTool(client, 'get_activities', {
    limit: 200,
    after: 1_760_000_000,
    sport_type: 'ski',
  });
  expect(complete.blocks).toHaveLength(1);
});

test('every caller sees the public tools, in both exposures that list them', async () => {
  for (const caller of CALLERS) {
    const client = await stack.connect({ caller });
    const { tools } = await client.listTools();
    expect(tools.slice(0, 3).map(({ name }) => name)).toEqual(['get_activities', 'get_athlete', 'get_stats']);
  }
  const grouped = await startStack({ environment: { FITNESS_EXPOSURE: 'grouped' } });
  const client = await grouped.connect({ caller: 'anonymous' });
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('core');
  const found = await callJson<Activities>(client, 'core', { action: 'get_activities', limit: 1 });
  expect(found.activities).toEqual([NEWEST]);
  await grouped.close();
});

test('with search, a tool is found by other words and called', async () => {
  const searching = await startStack({ environment: { FITNESS_EXPOSURE: 'search' } });
  const client = await searching.connect({ caller: 'anonymous' });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['search_tools', 'describe_tool', 'call_tool']);
  const { text } = await callTool(client, 'search_tools', { query: 'my latest workouts', limit: 1 });
  expect(text).toContain('get_activities');
  const called = { name: 'get_activities', arguments: { limit: 1 } };
  expect((await callJson<Activities>(client, 'call_tool', called)).activities).toEqual([NEWEST]);
  await searching.close();
});

test('FITNESS_INVALID_ARGUMENTS=tool-error gives a result with isError', async () => {
  const lenient = await startStack({ environment: { FITNESS_INVALID_ARGUMENTS: 'tool-error' } });
  const client = await lenient.connect();
  const { text, isError } = await callTool(client, 'get_activities', { limit: 0, sport_type: 'chess' });
  expect(isError).toBe(true);
  expect(text).toContain('- limit: ');
  expect(text).toContain('- sport_type: ');
  await lenient.close();
});

test('an invalid token is a 401, not an anonymous caller', async () => {
  const response = await fetch(await stack.url(), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer fit_0123456789abcdef_wrong',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  expect(response.status).toBe(401);
});

test('a disabled tool is neither listed nor called, and its export cannot be read', async () => {
  const limited = await startStack({ environment: { FITNESS_DISABLED_TOOLS: 'get_activities' } });
  const client = await limited.connect({ caller: 'admin' });
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('get_activities');
  await expect(callTool(client, 'get_activities')).rejects.toThrow(/Unknown tool: get_activities/);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ name }) => name)).toEqual(['streams']);
  await expect(client.readResource({ uri: 'fitness://exports/activities' })).rejects.toThrow(/not found/);
  await limited.close();
});
