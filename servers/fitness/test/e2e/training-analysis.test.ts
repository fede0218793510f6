import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { FITNESS_WEIGHTS } from '../../src/algorithms/load/fitness-score.ts';
import { callJson, callTool } from '../support/clients.ts';
import type { CallResult } from '../support/clients.ts';
import { CONNECTIONS, findArgument, findIssuePaths } from '../support/connections.ts';
import type { InvalidCall } from '../support/connections.ts';
import { startStack } from '../support/stack.ts';

const DEMONSTRATION = 'These are generated data of the demonstration athlete.';

const folder = mkdtempSync(join(tmpdir(), 'fitness-training-'));
const stack = await startStack();
/** The enterprise caller has an empty folder. */
const empty = await startStack({ environment: { FITNESS_FILES: folder, FITNESS_USER: 'enterprise' } });
afterAll(async () => {
  await stack.close();
  await empty.close();
  rmSync(folder, { recursive: true });
});

type Row = Readonly<Record<string, unknown>>;

const INVALID: readonly InvalidCall[] = [
  ['analyze_performance_trends', {}, ['timeframe', 'metric']],
  ['analyze_performance_trends', { timeframe: 'decade', metric: 'speed' }, ['timeframe', 'metric']],
  [
    'analyze_performance_trends',
    { timeframe: 'week', metric: 'pace', sport_type: 'chess', max_points: 2 },
    ['sport_type', 'max_points'],
  ],
  ['detect_patterns', {}, ['pattern_type']],
  ['detect_patterns', { pattern_type: 'luck', timeframe: 'day' }, ['pattern_type', 'timeframe']],
  [
    'generate_recommendations',
    { recommendation_type: 'shoes', activity_id: '' },
    ['recommendation_type', 'activity_id'],
  ],
  [
    'calculate_fitness_score',
    { timeframe: 'year', sleep_provider: 'strava' },
    ['timeframe', 'sleep_provider'],
  ],
  ['predict_performance', {}, ['target_sport', 'target_distance']],
  [
    'predict_performance',
    { target_sport: 'run', target_distance: 399, target_date: '2027-02-29' },
    ['target_distance', 'target_date'],
  ],
  [
    'analyze_training_load',
    { timeframe: 'year', mode: 'full', format: 'csv' },
    ['timeframe', 'mode', 'format'],
  ],
  ['analyze_training_load', { days: 7 }, ['days']],
];

/** The size of the picture of a result. */
function sizeOf({ blocks }: CallResult): readonly number[] {
  const [, image] = blocks;
  if (image?.type !== 'image' || image.mimeType !== 'image/png') throw new Error('no PNG');
  const png = Buffer.from(image.data, 'base64');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

describe.each(CONNECTIONS)('client $version over $transport', (connection) => {
  const connect = () => stack.connect({ ...connection, caller: 'enterprise' });

  test('analyzes the training load, with a chart', async () => {
    const result = await callTool(await connect(), 'analyze_training_load', {});
    expect(JSON.parse(result.text)).toMatchObject({
      timeframe: 'month',
      from: '2026-10-20',
      to: '2026-11-18',
      fitness_ctl: 60.8,
      fatigue_atl: 60.4,
      form_tsb: 0.4,
      form_status: 'fresh',
      ramp_rate: -0.1,
      workload_ratio: 0.94,
      workload_range: 'optimal',
      load_of_7_days: 427,
      monotony: 1.07,
      strain: 455.2,
      overtraining_risk: 'low',
      signs: [],
      notes: [DEMONSTRATION],
    });
    expect(sizeOf(result)).toEqual([800, 480]);
  });

  test('finds the trend of power of rides, with a chart', async () => {
    const result = await callTool(await connect(), 'analyze_performance_trends', {
      timeframe: 'quarter',
      metric: 'power',
    });
    expect(JSON.parse(result.text)).toMatchObject({
      sport_type: 'ride',
      unit: 'W',
      values: 23,
      mean: 174.4,
      direction: 'unclear',
      assessment: null,
      change_per_week: 0.99,
      change_percent: 6.8,
      r_squared: 0.1,
    });
    expect(sizeOf(result)).toEqual([800, 480]);
  });

  test('detects the rhythm of training', async () => {
    const found = await callJson(await connect(), 'detect_patterns', {
      pattern_type: 'training_consistency',
    });
    expect(found).toMatchObject({
      from: '2026-08-24',
      to: '2026-11-15',
      consistency_score: 85.8,
      mean_days_per_week: 5.6,
      findings: [
        { pattern: 'weekly_rhythm', detected: true },
        { pattern: 'volume', detected: false, finding: 'Volume is stable' },
        { pattern: 'hard_easy', detected: false },
      ],
    });
  });

  test('scores fitness from four parts', async () => {
    expect(await callJson(await connect(), 'calculate_fitness_score')).toMatchObject({
      timeframe: 'quarter',
      // 0.25 · 83.6 + 0.35 · 60.8 + 0.25 · 67 + 0.15 · 100
      fitness_score: 73.9,
      parts: [
        { part: 'consistency', weight_percent: 25, score: 83.6 },
        { part: 'load', weight_percent: 35, score: 60.8 },
        { part: 'volume', weight_percent: 25, score: 67 },
        { part: 'balance', weight_percent: 15, score: 100 },
      ],
    });
  });

  test('predicts a marathon from the half marathon of September', async () => {
    const predicted = await callJson(await connect(), 'predict_performance', {
      target_sport: 'run',
      target_distance: 42_195,
    });
    expect(predicted).toMatchObject({
      target: {
        distance_m: 42_195,
        vdot_time_s: 11_840,
        vdot_time: '3:17:20',
        riegel_time_s: 11_861,
        riegel_time: '3:17:41',
        pace: '4:41 /km',
      },
      vdot: 48,
      based_on: { id: 'synthetic-2026-09-27-1', moving_time_s: 5689 },
      confidence: 'medium',
      doubts: [
        'The longest run in 90 days, 21.4 km, is less than 60 % of the target: the formulas assume training for it.',
      ],
    });
  });

  test('recommends by rules, the most important first', async () => {
    const { recommendations } = await callJson<{ recommendations: Row[] }>(
      await connect(),
      'generate_recommendations',
    );
    expect(recommendations.map(({ type, priority }) => `${String(priority)} ${String(type)}`)).toEqual([
      'medium training',
      'medium equipment',
      'low recovery',
      'low nutrition',
      'low nutrition',
    ]);
    expect(recommendations[0]).toEqual({
      type: 'training',
      priority: 'medium',
      recommendation: 'Keep more of your sessions easy.',
      reason:
        '7 of 23 sessions in four weeks reached the threshold; 10 to 30 % are usual for endurance athletes.',
    });
  });

  test.each(INVALID)('%s with %j is -32602 at %j', async (tool, args, paths) => {
    expect(await findIssuePaths(callTool(await connect(), tool, { ...args }))).toEqual(paths);
  });
});

describe('analyze_training_load', () => {
  const analyze = async (args: object) =>
    callJson<Row>(await stack.connect({ caller: 'professional' }), 'analyze_training_load', { ...args });

  test('the load of a day does not depend on the timeframe', async () => {
    for (const timeframe of ['week', 'month', 'quarter'])
      expect(await analyze({ timeframe })).toMatchObject({ fitness_ctl: 60.8, fatigue_atl: 60.4 });
  });

  test('rows are weeks, and in mode detailed days', async () => {
    const { weeks } = await analyze({});
    expect(weeks).toHaveLength(5);
    expect((weeks as Row[])[4]).toEqual({
      date: '2026-11-12',
      days: 7,
      load: 427,
      activities: 5,
      hours: 6.8,
      ctl: 60.8,
      atl: 60.4,
      tsb: 0.4,
    });
    const { days } = await analyze({ mode: 'detailed' });
    expect(days).toHaveLength(30);
    expect((days as Row[]).slice(-3).map(({ date, load }) => [date, load])).toEqual([
      ['2026-11-16', 48.2],
      ['2026-11-17', 51.5],
      ['2026-11-18', 0],
    ]);
  });

  test('with sleep_provider, the result has sleep, HRV and recovery', async () => {
    expect(await analyze({ sleep_provider: 'synthetic' })).toMatchObject({
      recovery_score: 81.9,
      recovery_category: 'excellent',
      sleep: { sleep_provider: 'synthetic', night: '2026-11-18', nights: 6, hrv: { status: 'normal' } },
      notes: [DEMONSTRATION],
    });
  });

  test('the thresholds and the time constants of the caller are used', async () => {
    const client = await stack.connect({ caller: 'professional' });
    await callTool(client, 'set_fitness_config', { configuration: { ftp: 476 } });
    await callTool(client, 'update_user_configuration', { profile: 'research' });
    const { fitness_ctl, figures } = await callJson<Row>(client, 'analyze_training_load');
    expect(figures).toMatchObject([{ figure: 'ftp', value: 476, source: 'fitness_config' }, { value: 170 }]);
    // Twice the FTP is a quarter of the load of rides, over 45 instead of 42 days.
    expect(fitness_ctl).toBe(42.1);
    await callTool(client, 'delete_fitness_config', { configuration_name: 'default' });
    await callTool(client, 'update_user_configuration', { profile: 'recreational' });
  });

  test('without activities all values are 0 or null with a note, and the chart says so', async () => {
    const client = await empty.connect({ caller: 'enterprise' });
    const result = await callTool(client, 'analyze_training_load');
    expect(JSON.parse(result.text)).toMatchObject({
      provider: 'files',
      fitness_ctl: 0,
      workload_ratio: null,
      monotony: null,
      notes: [
        'There is no activity in this time.',
        'workload_ratio: The workload ratio needs 28 days of load; there are 0.',
        'monotony: Monotony needs a week with training.',
        'ramp_rate: The ramp rate needs eight days of chronic load; there are 0.',
      ],
    });
    expect(sizeOf(result)).toEqual([800, 480]);
  });
});

describe('analyze_performance_trends', () => {
  const analyze = async (args: object) =>
    callJson<Row>(await stack.connect({ caller: 'anonymous' }), 'analyze_performance_trends', { ...args });

  test.each([
    [
      { timeframe: 'year', metric: 'pace' },
      { sport_type: 'run', unit: 's/km', values: 140, mean: 344.1 },
    ],
    [
      { timeframe: 'quarter', metric: 'pace', sport_type: 'swim' },
      { sport_type: 'swim', unit: 's/100m', values: 6 },
    ],
    [
      { timeframe: 'sixmonths', metric: 'heart_rate', sport_type: 'ride' },
      { unit: 'bpm', values: 44, direction: 'rising', assessment: null, change_percent: 2.9 },
    ],
    [
      { timeframe: 'year', metric: 'distance', sport_type: 'run' },
      { unit: 'km', values: 52, highest: 48 },
    ],
    [
      { timeframe: 'week', metric: 'duration' },
      { sport_type: 'all', unit: 'hours', values: 7, highest: 3.3 },
    ],
  ])('%j', async (args, expected) => {
    expect(await analyze(args)).toMatchObject(expected);
  });

  test('rows are blocks of days, and in mode detailed the values, at most max_points', async () => {
    const { rows } = await analyze({ timeframe: 'year', metric: 'pace' });
    expect(rows).toHaveLength(13);
    expect((rows as Row[])[12]).toEqual({ date: '2026-10-22', days: 28, activities: 12, value: 355.9 });
    const detailed = await analyze({ timeframe: 'year', metric: 'pace', mode: 'detailed', max_points: 10 });
    const values = (detailed['rows'] as Row[]).map(({ value }) => value);
    expect(values).toHaveLength(8);
    expect([Math.min(...(values as number[])), Math.max(...(values as number[]))]).toEqual([254.8, 377.5]);
    expect((detailed['rows'] as Row[]).at(-1)).toEqual({
      date: '2026-11-17',
      value: 341,
      activity_id: 'synthetic-2026-11-17-1',
      name: 'Intervals 4 × 2 min',
    });
  });

  test('a metric that no activity has is a result with a note and an empty chart', async () => {
    const client = await stack.connect();
    const result = await callTool(client, 'analyze_performance_trends', {
      timeframe: 'month',
      metric: 'power',
      sport_type: 'swim',
    });
    expect(JSON.parse(result.text)).toMatchObject({
      values: 0,
      mean: null,
      direction: null,
      rows: [],
      notes: [
        DEMONSTRATION,
        'trend: A trend needs at least four values; there are 0.',
        'None of 2 activities in this time has the metric power.',
      ],
    });
    expect(sizeOf(result)).toEqual([800, 480]);
  });
});

describe('detect_patterns', () => {
  const detect = async (args: object) =>
    callJson<Row>(await stack.connect({ caller: 'anonymous' }), 'detect_patterns', { ...args });

  test('seasonal_trends compares the months of two years, or of one', async () => {
    expect(await detect({ pattern_type: 'seasonal_trends' })).toMatchObject({
      from: '2024-12-01',
      to: '2026-10-31',
      peak_month: 'August',
      lowest_month: 'April',
      findings: [{ detected: true, finding: 'Training depends on the season' }],
    });
    const year = await detect({ pattern_type: 'seasonal_trends', timeframe: 'year' });
    expect(year).toMatchObject({ from: '2025-11-01', to: '2026-10-31' });
    expect(year['months']).toHaveLength(12);
  });

  test('performance_plateaus judges each sport by output for each heartbeat', async () => {
    const found = await detect({ pattern_type: 'performance_plateaus' });
    expect(found).toMatchObject({
      metric: 'efficiency_factor',
      sports: [
        { sport_type: 'ride', values: 23, plateau: false },
        { sport_type: 'run', values: 37, plateau: false },
        { sport_type: 'swim', values: 6, plateau: true, change_percent: -0.3 },
      ],
      notes: [DEMONSTRATION, 'hikes: A plateau needs at least six values; there are 1.'],
    });
  });

  test('injury_risk reads the load up to today', async () => {
    expect(await detect({ pattern_type: 'injury_risk' })).toMatchObject({
      risk: 'low',
      workload_ratio: 0.94,
      // As that of analyze_training_load.
      ramp_rate: -0.1,
      findings: [{ detected: false, finding: 'No sign of a raised risk' }],
    });
    const week = await detect({ pattern_type: 'injury_risk', timeframe: 'week' });
    expect(week).toMatchObject({ workload_ratio: 0.94, ramp_rate: -0.1 });
    expect(week['weeks']).toHaveLength(1);
  });

  test('the load of less than 28 days says nothing about the risk of injury', async () => {
    const client = await empty.connect({ caller: 'enterprise' });
    expect(await callTool(client, 'detect_patterns', { pattern_type: 'injury_risk' })).toMatchObject({
      isError: true,
      text: 'The workload ratio needs 28 days of load; there are 0.\nSuggestion: Record some weeks of training first.',
    });
  });

  test.each([
    ['training_consistency', 'week', 'Consistency needs at least four whole weeks; there are 1.'],
    ['seasonal_trends', 'sixmonths', 'A seasonal trend needs at least twelve months; there are 6.'],
  ])('%s over a %s is an error with the reason', async (pattern_type, timeframe, message) => {
    const client = await stack.connect();
    expect(await callTool(client, 'detect_patterns', { pattern_type, timeframe })).toMatchObject({
      isError: true,
      text: `${message}\nSuggestion: Use a longer timeframe.`,
    });
  });
});

describe('calculate_fitness_score', () => {
  test('with sleep_provider, the mean sleep score of seven days adjusts it', async () => {
    const client = await stack.connect();
    expect(await findArgument(client, 'calculate_fitness_score', 'sleep_provider')).toMatchObject({
      enum: ['synthetic'],
    });
    const found = await callJson(client, 'calculate_fitness_score', { sleep_provider: 'synthetic' });
    expect(found).toMatchObject({
      unadjusted_score: 73.9,
      adjustment_percent: 5,
      // 73.9 · 1.05
      fitness_score: 77.6,
      sleep: { sleep_provider: 'synthetic', nights: 6, mean_sleep_score: 93.4 },
    });
  });

  test('without activities it is 0', async () => {
    const client = await empty.connect({ caller: 'enterprise' });
    expect(await callJson(client, 'calculate_fitness_score')).toMatchObject({
      fitness_score: 0,
      parts: [{ score: 0 }, { score: 0 }, { score: 0 }, { part: 'balance', score: null }],
    });
  });
});

test('README and description state the weights of the fitness score', async () => {
  const { consistency, load, volume, balance } = FITNESS_WEIGHTS;
  expect([consistency, load, volume, balance]).toEqual([25, 35, 25, 15]);
  const client = await stack.connect();
  const { tools } = await client.listTools();
  const description = tools.find(({ name }) => name === 'calculate_fitness_score')?.description;
  expect(description).toContain(
    `${consistency} % consistency, ${load} % load, ${volume} % volume, ${balance} % balance`,
  );
  expect(readFileSync(new URL('../../README.md', import.meta.url), 'utf8')).toContain(
    `load (CTL) ${load} %, consistency ${consistency} %, volume ${volume} %, balance of easy and hard ${balance} %`,
  );
});

describe('predict_performance', () => {
  const call = async (args: object) =>
    callTool(await stack.connect({ caller: 'enterprise' }), 'predict_performance', {
      target_sport: 'run',
      target_distance: 10_000,
      ...args,
    });

  test('a date adds the time that training can reach: one point of VDOT in six weeks', async () => {
    const { text } = await call({ target_date: '2027-03-14' });
    expect(JSON.parse(text)).toMatchObject({
      vdot: 48,
      target: { vdot_time_s: 2568 },
      with_training: { weeks: 16, vdot: 50, time: '41:20' },
    });
  });

  test.each([
    [
      { target_sport: 'ride' },
      'Times of rides cannot be predicted: VDOT and the exponent of Riegel are fitted to running.\nSuggestion: Use target_sport "run".',
    ],
    [
      { target_distance: 100_000 },
      "vdot: Distance is 100000 m: expected 800 to 50000 m. riegel: Riegel's formula holds for 3.5 to 230 minutes; 100000 m would take 493.4 minutes.",
    ],
  ])('%j is an error with the reason', async (args, text) => {
    expect(await call(args)).toMatchObject({ isError: true, text });
  });

  test('a race before today is -32602', async () => {
    await expect(call({ target_date: '2026-11-17' })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('target_date: must be today, 2026-11-18, or later') as string,
    });
  });

  test('without a run that VDOT applies to it is an error', async () => {
    const client = await empty.connect({ caller: 'enterprise' });
    const args = { target_sport: 'run', target_distance: 5000 };
    expect(await callTool(client, 'predict_performance', args)).toMatchObject({
      isError: true,
      text: 'There is no run of 180 days that VDOT applies to: 0.8 to 50 km in 3.5 to 240 minutes.',
    });
  });
});

describe('generate_recommendations', () => {
  test('nutrition and recovery are for the given activity', async () => {
    const client = await stack.connect({ caller: 'professional' });
    const { recommendations } = await callJson<{ recommendations: Row[] }>(
      client,
      'generate_recommendations',
      {
        recommendation_type: 'nutrition',
        activity_id: 'synthetic-2026-02-15-1',
      },
    );
    // 1.2 and 1 g/kg of carbohydrate, 0.3 g/kg of protein but at least 20 g, for 63.5 kg.
    expect(recommendations.map(({ recommendation }) => recommendation)).toEqual([
      'After Marathon: 76 g of carbohydrate and 20 g of protein within 2 hours.',
      'During a session like it: up to 90 g of carbohydrate an hour.',
      'Before a session like it: 64 g of carbohydrate 1 to 3 hours earlier.',
    ]);
  });

  test('without activities, each type has one recommendation', async () => {
    const client = await empty.connect({ caller: 'enterprise' });
    const { recommendations, notes } = await callJson<{ recommendations: Row[]; notes: string[] }>(
      client,
      'generate_recommendations',
    );
    expect(recommendations.map(({ type }) => type)).toEqual([
      'training',
      'recovery',
      'nutrition',
      'equipment',
    ]);
    expect(notes).toEqual(['There is no activity in this time.', 'The provider files has no sleep data.']);
  });

  test('an unknown activity is an error', async () => {
    const client = await stack.connect({ caller: 'professional' });
    expect(await callTool(client, 'generate_recommendations', { activity_id: 'nope' })).toMatchObject({
      isError: true,
    });
  });
});
