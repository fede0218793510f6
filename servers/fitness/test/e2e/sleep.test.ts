import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { RECOVERY_WEIGHTS } from '../../src/algorithms/sleep/recovery-score.ts';
import { callJson, callTool } from '../support/clients.ts';
import { CONNECTIONS, findArgument, findIssuePaths } from '../support/connections.ts';
import type { InvalidCall } from '../support/connections.ts';
import { startStack } from '../support/stack.ts';

const DEMONSTRATION = 'These are generated data of the demonstration athlete.';

/** An hour at 160 bpm this morning, with one sample a minute. */
function hourAt160(): string {
  const points = Array.from({ length: 61 }, (_, minute) => {
    const time = new Date(Date.parse('2026-11-18T08:00:00Z') + minute * 60_000).toISOString();
    return `<Trackpoint><Time>${time}</Time><DistanceMeters>${minute * 180}</DistanceMeters><HeartRateBpm><Value>160</Value></HeartRateBpm></Trackpoint>`;
  });
  return `<TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>2026-11-18T08:00:00Z</Id><Lap StartTime="2026-11-18T08:00:00Z"><Track>${points.join('')}</Track></Lap></Activity></Activities></TrainingCenterDatabase>`;
}

const folder = mkdtempSync(join(tmpdir(), 'fitness-sleep-'));
writeFileSync(join(folder, 'hour.tcx'), hourAt160());
const stack = await startStack();
/** The professional caller has one activity in a file, and no sleep. */
const own = await startStack({ environment: { FITNESS_FILES: folder, FITNESS_USER: 'professional' } });
afterAll(async () => {
  await stack.close();
  await own.close();
  rmSync(folder, { recursive: true });
});

const NIGHT = {
  date: '2026-11-18',
  duration_hours: 6.5,
  efficiency_percent: 84,
  deep_sleep_hours: 0.8,
  rem_sleep_hours: 1.2,
  light_sleep_hours: 4.5,
  awakenings: 5,
  hrv_rmssd_ms: 45,
};

/** Nights of these hours from the 1st on. */
function nightsOf(...hours: readonly number[]): readonly { date: string; duration_hours: number }[] {
  return hours.map((duration_hours, index) => ({
    date: `2026-11-${String(index + 1).padStart(2, '0')}`,
    duration_hours,
  }));
}

const WEEK = nightsOf(7, 7, 7, 7, 7, 7, 7);
const BOTH = { sleep_provider: 'synthetic', sleep_data: NIGHT };

const INVALID: readonly InvalidCall[] = [
  ['analyze_sleep_quality', { sleep_provider: 'strava' }, ['sleep_provider']],
  ['analyze_sleep_quality', BOTH, ['sleep_data']],
  ['analyze_sleep_quality', { sleep_data: {} }, ['sleep_data.duration_hours']],
  ['analyze_sleep_quality', { sleep_data: { ...NIGHT, date: '2026-02-30' } }, ['sleep_data.date']],
  [
    'analyze_sleep_quality',
    { sleep_data: { ...NIGHT, duration_hours: 17, efficiency_percent: 0, awakenings: 1.5 } },
    ['sleep_data.duration_hours', 'sleep_data.efficiency_percent', 'sleep_data.awakenings'],
  ],
  ['analyze_sleep_quality', { sleep_data: { ...NIGHT, nap_hours: 1 } }, ['sleep_data.nap_hours']],
  ['analyze_sleep_quality', { sleep_data: { ...NIGHT, duration_hours: 6.3 } }, ['sleep_data.duration_hours']],
  ['analyze_sleep_quality', { recent_hrv_values: [50, 4] }, ['recent_hrv_values.1']],
  ['analyze_sleep_quality', { days_back: 0, baseline_hrv: '50' }, ['baseline_hrv', 'days_back']],
  ['calculate_recovery_score', BOTH, ['sleep_data']],
  [
    'calculate_recovery_score',
    { user_config: { ftp: 601, lthr: 99 } },
    ['user_config.ftp', 'user_config.lthr'],
  ],
  ['calculate_recovery_score', { user_config: { lthr: 180, max_hr: 170 } }, ['user_config.lthr']],
  ['calculate_recovery_score', { user_config: { vo2_max: 50 } }, ['user_config.vo2_max']],
  [
    'calculate_recovery_score',
    { activity_provider: 'garmin', format: 'text' },
    ['activity_provider', 'format'],
  ],
  ['suggest_rest_day', { sleep_data: NIGHT, sleep_provider: 'synthetic' }, ['sleep_data']],
  ['suggest_rest_day', { sleep_data: [NIGHT] }, ['sleep_data']],
  ['track_sleep_trends', { days: 6 }, ['days']],
  ['track_sleep_trends', { days: 91 }, ['days']],
  ['track_sleep_trends', { sleep_history: WEEK.slice(1) }, ['sleep_history']],
  ['track_sleep_trends', { sleep_history: WEEK, sleep_provider: 'synthetic' }, ['sleep_history']],
  [
    'track_sleep_trends',
    { sleep_history: [...WEEK, { date: '2026-11-08', duration_hours: 7, deep_sleep_hours: 8 }, WEEK[0]] },
    ['sleep_history.7.duration_hours', 'sleep_history.8.date'],
  ],
  ['track_sleep_trends', { sleep_history: [...WEEK, { duration_hours: 7 }] }, ['sleep_history.7.date']],
  ['optimize_sleep_schedule', { typical_wake_time: '6:00' }, ['typical_wake_time']],
  ['optimize_sleep_schedule', { typical_wake_time: '24:00' }, ['typical_wake_time']],
  [
    'optimize_sleep_schedule',
    { target_sleep_hours: 3.9, upcoming_workout_intensity: 'very hard' },
    ['upcoming_workout_intensity', 'target_sleep_hours'],
  ],
];

describe.each(CONNECTIONS)('client $version over $transport', (connection) => {
  const connect = () => stack.connect({ ...connection, caller: 'enterprise' });

  // Duration between 6 and 7 h: 65; efficiency between 75 and 85 %: 77; stages 0.4 · 12.31/15 + 0.4 · 18.46/20 + 0.2 · 30.77/40:
  // 85.1. 0.4 · 65 + 0.35 · 85.1 + 0.25 · 77 = 75.0. HRV 45 of 50 ms: −10 %.
  test('a night of the call is scored, and each value that it does not reach is a finding', async () => {
    const args = { sleep_data: NIGHT, baseline_hrv: 50 };
    expect(await callJson(await connect(), 'analyze_sleep_quality', args)).toEqual({
      sleep_provider: null,
      night: NIGHT,
      category: 'good',
      score: 75,
      duration_score: 65,
      efficiency_score: 77,
      stages_score: 85.1,
      stages: { deep_percent: 12.3, rem_percent: 18.5, light_percent: 69.2 },
      hrv: { rmssd_ms: 45, baseline_ms: 50, change_percent: -10, status: 'fatigued', score: 40 },
      findings: [
        'Duration (6.5 h) is below 7 h.',
        'Efficiency (84 %) is below 85 %: much time in bed was awake.',
        'There were 5 awakenings: usual are 0 to 3.',
        'Deep sleep is 12 % of sleep: usual are 15 to 25 %.',
        'REM sleep is 18 % of sleep: usual are 20 to 25 %.',
      ],
    });
  });

  test('the newest night of a provider is compared with the HRV of the nights before', async () => {
    const found = await callJson<{ night: object; hrv: object }>(await connect(), 'analyze_sleep_quality');
    expect(found).toMatchObject({
      sleep_provider: 'synthetic',
      night: { date: '2026-11-18', duration_hours: 6.46, hrv_rmssd_ms: 51.4 },
      // The mean of the twelve nights before, which add up to 637.8 ms.
      hrv: { rmssd_ms: 51.4, baseline_ms: 53.2, change_percent: -3.3, status: 'normal', score: 70 },
      notes: [DEMONSTRATION],
    });
  });

  test('recovery and the rest day name the providers, and their parts add up to the score', async () => {
    const client = await connect();
    interface Score {
      readonly recovery_score: number;
      readonly parts: readonly { readonly score: number; readonly weight_percent: number }[];
    }
    const found = await callJson<Score>(client, 'calculate_recovery_score');
    expect(found).toMatchObject({
      activity_provider: 'synthetic',
      sleep_provider: 'synthetic',
      night: '2026-11-18',
      parts: [{ part: 'form' }, { part: 'sleep' }, { part: 'hrv' }],
      notes: [DEMONSTRATION],
    });
    expect(found.parts.map(({ weight_percent }) => weight_percent)).toEqual([40, 35, 25]);
    const sum = found.parts.reduce((so, { score, weight_percent }) => so + (score * weight_percent) / 100, 0);
    expect(Math.abs(sum - found.recovery_score)).toBeLessThan(0.11);
    const rest = await callJson<Score>(client, 'suggest_rest_day');
    expect(rest).toMatchObject({ ...found, decision: 'train', reasons: ['Recovery (82) is 60 or more.'] });
    expect(await callJson(client, 'suggest_rest_day')).toEqual(rest);
  });

  test('the trend of a provider has a row for each night and a PNG', async () => {
    const { text, blocks } = await callTool(await connect(), 'track_sleep_trends', {
      sleep_provider: 'synthetic',
    });
    const found = JSON.parse(text) as { rows: readonly object[] };
    expect(found).toMatchObject({ sleep_provider: 'synthetic', nights: 13, direction: 'declining' });
    expect(found.rows).toHaveLength(13);
    expect(found.rows[12]).toEqual({
      date: '2026-11-18',
      score: 85.52,
      category: 'excellent',
      duration_hours: 6.46,
      efficiency_percent: 91.3,
      hrv_rmssd_ms: 51.4,
    });
    const [, image] = blocks;
    expect(image).toMatchObject({
      type: 'image',
      mimeType: 'image/png',
      annotations: { audience: ['user'] },
    });
    const bytes = Buffer.from((image as { readonly data: string }).data, 'base64');
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  });

  test('a hard workout tomorrow moves bedtime', async () => {
    const found = await callJson(await connect(), 'optimize_sleep_schedule', {
      upcoming_workout_intensity: 'high',
      typical_wake_time: '07:15',
    });
    expect(found).toMatchObject({
      sleep_hours: 8.5,
      bedtime: '22:15',
      wake_time: '07:15',
      reasons: ['0.5 h more, because the next workout is hard.'],
      activity_provider: 'synthetic',
      sleep_provider: 'synthetic',
    });
  });

  test.each(INVALID)('%s %j is -32602 with the path of each invalid value', async (tool, args, paths) => {
    const client = await connect();
    expect(await findIssuePaths(callTool(client, tool, { ...args }))).toEqual(paths);
  });
});

// One hour at the threshold is 100: CTL 100 · (1 − e^(−1/42)) = 2.35, ATL 100 · (1 − e^(−1/7)) = 13.31, form −10.96.
// Form between −15 (30) and −10 (60): 54.2. With HRV 0.4 · 54.24 + 0.35 · 75.04 + 0.25 · 40 = 57.96.
const HOUR = { sleep_data: NIGHT, baseline_hrv: 50, user_config: { lthr: 160 } };

describe('a caller with own activities', () => {
  test('recovery is computed with the threshold of the call', async () => {
    const client = await own.connect({ caller: 'professional' });
    const found = await callJson<{ figures: object[] }>(client, 'calculate_recovery_score', HOUR);
    expect(found).toMatchObject({
      recovery_score: 58,
      category: 'fair',
      activity_provider: 'files',
      sleep_provider: null,
      parts: [
        { part: 'form', value: -11, unit: 'TSB', score: 54.2, weight_percent: 40 },
        { part: 'sleep', value: 6.5, unit: 'h', score: 75, weight_percent: 35 },
        { part: 'hrv', value: 45, unit: 'ms', score: 40, weight_percent: 25 },
      ],
    });
    expect(found.figures).toContainEqual(
      expect.objectContaining({ figure: 'lthr', value: 160, source: 'argument' }),
    );
  });

  // With 2 / (N + 1): ATL 100 · 2/8 = 25, CTL 100 · 2/43 = 4.65; with 15 days instead of 7: ATL 100 · (1 − e^(−1/15)) = 6.45.
  test.each([
    [{ load_smoothing: 'span' }, -20.3],
    [{ atl_days: 15 }, -4.1],
    [{ ctl_days: 8 }, -1.6],
  ])('form follows from the parameter %j', async (parameters, form) => {
    const client = await own.connect({ caller: 'professional' });
    await callJson(client, 'update_user_configuration', { parameters });
    expect(await callJson(client, 'calculate_recovery_score', HOUR)).toMatchObject({
      parts: [{ value: form }, {}, {}],
    });
    const reset = Object.fromEntries(Object.keys(parameters).map((name) => [name, null]));
    await callJson(client, 'update_user_configuration', { parameters: reset });
  });

  // 0.55 · 54.24 + 0.45 · 75.04 = 63.6.
  test('without HRV the weights are 55 and 45 %, and the result says why', async () => {
    const client = await own.connect({ caller: 'professional' });
    const { hrv_rmssd_ms: _hrv, ...night } = NIGHT;
    const found = await callJson<{ notes: string[] }>(client, 'calculate_recovery_score', {
      ...HOUR,
      sleep_data: night,
    });
    expect(found).toMatchObject({
      recovery_score: 63.6,
      hrv: null,
      parts: [{ weight_percent: 55 }, { weight_percent: 45 }],
    });
    expect(found.notes).toContain('hrv: The last night has no HRV.');
  });

  // The stored threshold of 120 bpm makes the hour 100 · (160 / 120)²= 178: above 115 % of the threshold, so it counts as no load.
  test('the stored configuration is used, and activities that do not fit it are counted', async () => {
    const client = await own.connect({ caller: 'professional' });
    await callJson(client, 'set_fitness_config', { configuration: { lthr: 120 } });
    const { user_config: _config, ...args } = HOUR;
    const found = await callJson<{ notes: string[]; figures: object[] }>(client, 'suggest_rest_day', args);
    expect(found.figures).toContainEqual(
      expect.objectContaining({ figure: 'lthr', value: 120, source: 'fitness_config' }),
    );
    expect(found.notes).toContainEqual(expect.stringMatching(/^1 of 1 activities count as no load: /));
    await callJson(client, 'delete_fitness_config', { configuration_name: 'default' });
  });

  test('a short night after a hard day is a rest day, with the reasons', async () => {
    const client = await own.connect({ caller: 'professional' });
    const args = {
      user_config: HOUR.user_config,
      sleep_data: { duration_hours: 5 },
      recent_hrv_values: [49, 50, 51, 40],
    };
    // Sleep 20, HRV 40 ms of a mean of 50 ms: 20. 0.4 · 54.24 + 0.35 · 20 + 0.25 · 20 = 33.7.
    expect(await callJson(client, 'suggest_rest_day', args)).toMatchObject({
      decision: 'rest',
      recovery_score: 33.7,
      reasons: ['Recovery (34) is below 40.'],
      hrv: { rmssd_ms: 40, change_percent: -20, status: 'suppressed' },
    });
  });

  test('sleep of the demonstration athlete never takes the place of sleep that the caller does not have', async () => {
    const client = await own.connect({ caller: 'professional' });
    for (const tool of ['analyze_sleep_quality', 'calculate_recovery_score', 'track_sleep_trends'])
      expect(await callTool(client, tool)).toMatchObject({
        isError: true,
        text: 'You have no sleep data at files.\nSuggestion: Give them with the call, or use the provider synthetic for generated ones.',
      });
    expect(await callJson(client, 'calculate_recovery_score', { sleep_provider: 'synthetic' })).toMatchObject(
      {
        activity_provider: 'files',
        sleep_provider: 'synthetic',
        notes: expect.arrayContaining([DEMONSTRATION]),
      },
    );
  });

  test('the schedule needs no sleep, and says that there is none', async () => {
    const client = await own.connect({ caller: 'admin' });
    expect(await callJson(client, 'optimize_sleep_schedule')).toMatchObject({ sleep_provider: 'synthetic' });
    const files = await startStack({ environment: { FITNESS_FILES: folder, FITNESS_USER: 'enterprise' } });
    const owner = await files.connect({ caller: 'enterprise' });
    // Form −10.96: half an hour more.
    const found = await callJson<{ notes: string[] }>(owner, 'optimize_sleep_schedule', {
      user_config: { lthr: 160 },
    });
    expect(found).toMatchObject({
      bedtime: '21:00',
      sleep_hours: 8.5,
      reasons: ['0.5 h more, because form (-11.0) is below −10.'],
      activity_provider: 'files',
      sleep_provider: null,
      recent_average_hours: null,
    });
    expect(found.notes).toContain('The provider files has no sleep data.');
    await files.close();
  });
});

test('the trend of nights of the call follows their dates, also with gaps', async () => {
  const client = await stack.connect({ caller: 'professional' });
  const steady = await callJson(client, 'track_sleep_trends', { sleep_history: WEEK });
  expect(steady).toMatchObject({
    sleep_provider: null,
    direction: 'stable',
    average_score: 80,
    change_per_week: 0,
    average_hours: 7,
  });
  const rising = nightsOf(6, 6, 6, 7, 7, 7, 8).map((night, index) => ({
    ...night,
    date: `2026-10-${String(2 * index + 1).padStart(2, '0')}`,
  }));
  // Scores 50, 50, 50, 80, 80, 80, 100 on the days 1, 3 … 13: Σ(x − 7)(y − 70) / Σ(x − 7)² = 480 / 112 a day.
  const found = await callJson(client, 'track_sleep_trends', { sleep_history: rising.toReversed() });
  expect(found).toMatchObject({ direction: 'improving', average_score: 70, change_per_week: 30 });
});

test('README and description state the weights of the code', async () => {
  const { form, sleep, hrv } = RECOVERY_WEIGHTS.with_hrv;
  const percent = (share: number): number => Math.round(100 * share);
  const without = RECOVERY_WEIGHTS.without_hrv;
  const weights = `form ${percent(form)} %, sleep ${percent(sleep)} %, HRV ${percent(hrv)} %; without HRV form ${percent(without.form)} % and sleep ${percent(without.sleep)} %`;
  expect(weights).toBe('form 40 %, sleep 35 %, HRV 25 %; without HRV form 55 % and sleep 45 %');
  const client = await stack.connect({ caller: 'professional' });
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === 'calculate_recovery_score')?.description).toContain(weights);
  expect(readFileSync(new URL('../../README.md', import.meta.url), 'utf8')).toContain(weights);
});

test('an old night is no base of recovery', async () => {
  const client = await stack.connect({ caller: 'professional' });
  const args = { sleep_data: { ...NIGHT, date: '2026-11-16' } };
  expect(await callTool(client, 'calculate_recovery_score', args)).toMatchObject({
    isError: true,
    text: 'The newest night is of 2026-11-16: recovery needs the last night.\nSuggestion: Give the last night as sleep_data.',
  });
});

test('a provider without enough nights is an error with the reason', async () => {
  const client = await stack.connect({ caller: 'professional' });
  const first = await callTool(client, 'track_sleep_trends', { days: 7 });
  expect(first).toMatchObject({
    isError: true,
    text: 'A sleep trend needs at least seven nights; there are 6.',
  });
});

test('the sleep provider is one of those with sleep data', async () => {
  const client = await own.connect({ caller: 'professional' });
  expect(await findArgument(client, 'calculate_recovery_score', 'sleep_provider')).toEqual({
    type: 'string',
    enum: ['synthetic'],
  });
  expect(await findArgument(client, 'calculate_recovery_score', 'activity_provider')).toEqual({
    type: 'string',
    enum: ['synthetic', 'files'],
  });
});

test('format toon is a table of nights', async () => {
  const client = await stack.connect({ caller: 'professional' });
  const { text } = await callTool(client, 'track_sleep_trends', { sleep_history: WEEK, format: 'toon' });
  expect(text).toContain(
    'rows[7]{date,score,category,duration_hours,efficiency_percent,hrv_rmssd_ms}:\n  2026-11-01,80,excellent,7,null,null',
  );
});

test('the plan starter and anonymous callers have no sleep tools, professional has four', async () => {
  const names = async (caller: 'anonymous' | 'starter' | 'professional' | 'enterprise'): Promise<number> =>
    (await (await stack.connect({ caller })).listTools()).tools.filter(({ name }) =>
      /sleep|recovery|rest_day/.test(name),
    ).length;
  expect(await names('anonymous')).toBe(0);
  expect(await names('starter')).toBe(0);
  expect(await names('professional')).toBe(4);
  expect(await names('enterprise')).toBe(5);
});
