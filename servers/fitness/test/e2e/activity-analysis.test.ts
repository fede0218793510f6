import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { callJson, callTool, readJson } from '../support/clients.ts';
import { CONNECTIONS, findIssuePaths } from '../support/connections.ts';
import type { InvalidCall } from '../support/connections.ts';
import { startStack } from '../support/stack.ts';

const RUN = 'synthetic-2026-11-17-1';
const RIDE = 'synthetic-2026-11-14-1';
const MARATHON = 'synthetic-2026-02-15-1';
const DEMONSTRATION = 'These are generated data of the demonstration athlete.';

/** An hour at 160 bpm and 6 km/h, at noon of the day before, without an athlete. */
function hourAt160(): string {
  const points = Array.from({ length: 61 }, (_, minute) => {
    const time = new Date(Date.parse('2026-11-17T12:00:00Z') + minute * 60_000).toISOString();
    return `<Trackpoint><Time>${time}</Time><DistanceMeters>${minute * 100}</DistanceMeters><HeartRateBpm><Value>160</Value></HeartRateBpm></Trackpoint>`;
  });
  return `<TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>2026-11-17T12:00:00Z</Id><Lap StartTime="2026-11-17T12:00:00Z"><Track>${points.join('')}</Track></Lap></Activity></Activities></TrainingCenterDatabase>`;
}

const folder = mkdtempSync(join(tmpdir(), 'fitness-analysis-'));
writeFileSync(join(folder, 'hour.tcx'), hourAt160());
const stack = await startStack();
/** The user has one activity in a file, and no athlete profile. */
const own = await startStack({ environment: { FITNESS_FILES: folder, FITNESS_USER: 'user' } });
afterAll(async () => {
  await stack.close();
  await own.close();
  rmSync(folder, { recursive: true });
});

type Row = Readonly<Record<string, unknown>>;

interface Analysis {
  readonly activity: Row;
  readonly metrics: readonly {
    readonly metric: string;
    readonly value: number | null;
    readonly unit: string;
  }[];
  readonly findings: readonly Row[];
  readonly insights: readonly { readonly topic: string; readonly finding: string; readonly reason: string }[];
  readonly heart_rate_zones: readonly Row[];
  readonly power_zones?: readonly Row[];
  readonly power_curve?: readonly Row[] | null;
  readonly splits?: readonly Row[];
  readonly streams?: Readonly<Record<string, readonly number[]>>;
  readonly samples?: number;
  readonly returned?: number;
  readonly figures: readonly Row[];
  readonly notes: readonly string[];
}

/** The values of metrics by name. */
function valuesOf({ metrics }: Pick<Analysis, 'metrics'>): Row {
  return Object.fromEntries(metrics.map(({ metric, value }) => [metric, value]));
}

const INVALID: readonly InvalidCall[] = [
  ['analyze_activity', {}, ['activity_id']],
  ['analyze_activity', { activity_id: '' }, ['activity_id']],
  ['analyze_activity', { activity_id: RUN, max_points: 2, mode: 'all' }, ['mode', 'max_points']],
  ['analyze_activity', { activity_id: RUN, provider: 'garmin', format: 'yaml' }, ['provider', 'format']],
  ['get_activity_intelligence', { activity_id: RUN, include_weather: 'yes' }, ['include_weather']],
  ['get_activity_intelligence', { activity_id: RUN, include_place: true }, ['include_place']],
  ['calculate_metrics', { activity_id: RUN, metrics: [] }, ['metrics']],
  ['calculate_metrics', { activity_id: RUN, metrics: 'tss' }, ['metrics']],
  ['calculate_metrics', { activity_id: RUN, metrics: ['tss', 'watts'] }, ['metrics.1']],
  ['compare_activities', { activity_id: RUN }, ['comparison_type']],
  ['compare_activities', { activity_id: RUN, comparison_type: 'best' }, ['comparison_type']],
];

describe.each(CONNECTIONS)('client $version over $transport, without a token', (connection) => {
  const connect = () => stack.connect({ ...connection, caller: 'anonymous' });

  test('analyzes a run: figures, metrics, zones and findings, and links to all samples', async () => {
    const { text, blocks } = await callTool(await connect(), 'analyze_activity', { activity_id: RUN });
    const analysis = JSON.parse(text) as Analysis;
    expect(analysis.activity).toMatchObject({ id: RUN, distance_m: 7036.2, conditions: 'cloudy' });
    expect(valuesOf(analysis)).toEqual({
      hr_tss: 51.5,
      trimp_banister: 86.3,
      trimp_edwards: 134.3,
      trimp_lucia: 69.1,
      pace: 341,
      efficiency_factor: 1.18,
      decoupling: 0.8,
      cardiac_drift: 0.3,
      vdot: 33.6,
    });
    expect(analysis.heart_rate_zones).toEqual([
      { zone: 0, min: null, max: 118, seconds: 22, percent: 0.9 },
      { zone: 1, min: 118, max: 132, seconds: 17, percent: 0.7 },
      { zone: 2, min: 132, max: 146, seconds: 1240, percent: 51.7 },
      { zone: 3, min: 146, max: 160, seconds: 649, percent: 27 },
      { zone: 4, min: 160, max: 174, seconds: 229, percent: 9.5 },
      { zone: 5, min: 174, max: 188, seconds: 243, percent: 10.1 },
    ]);
    expect(analysis.findings).toEqual([
      {
        topic: 'effort',
        finding: 'Hard session',
        reason: 'The highest heart rate (179 bpm) reached LTHR (170 bpm).',
      },
      {
        topic: 'pacing',
        finding: 'Even pace',
        reason: 'Speed changed by −0.6 % from the first to the second half.',
      },
      {
        topic: 'endurance',
        finding: 'Heart rate stayed coupled to output',
        reason:
          'Output for each heartbeat changed by −0.8 % from half to half; a loss of up to 5 % is good for a steady session.',
      },
    ]);
    expect(analysis).not.toHaveProperty('streams');
    expect(analysis).not.toHaveProperty('power_zones');
    expect(analysis.notes).toEqual([DEMONSTRATION]);
    expect(blocks.slice(1)).toEqual([
      {
        type: 'resource_link',
        uri: `fitness://exports/activities/${RUN}/streams?provider=synthetic`,
        name: 'All samples of this activity',
        mimeType: 'application/json',
      },
    ]);
  });

  test('explains a race with its weather and place, compared with the time before', async () => {
    const found = await callJson<Analysis>(await connect(), 'get_activity_intelligence', {
      activity_id: MARATHON,
    });
    expect(found).toMatchObject({
      summary: 'Run of 42.2 km in 3:20:01 (4:44 /km), 166 bpm on average.',
      weather: { temperature_c: 1.2, conditions: 'light rain' },
      location: { name: 'Strasbourg', climb_m_per_km: 4.6 },
    });
    expect(found.insights.map(({ topic, finding }) => `${topic}: ${finding}`)).toEqual([
      'effort: Hard session',
      'pacing: Second half faster',
      'endurance: Heart rate stayed coupled to output',
      'distance: Longest run in 90 days',
      'pace: Fastest run in 90 days',
      'load: Higher load than usual',
      'weather: Wet',
      'terrain: Flat',
      'place: Away from the usual places, in Strasbourg',
    ]);
    expect(found.insights[3]?.reason).toBe(
      '42.2 km; the 31 runs of 90 days before had 10.4 km on average and 21.5 km at most.',
    );
  });

  test('calculates the metrics of a ride by their definitions', async () => {
    const metrics = await callJson<Analysis>(await connect(), 'calculate_metrics', { activity_id: RIDE });
    expect(valuesOf(metrics)).toEqual({
      tss: 162.4,
      hr_tss: 248,
      trimp_banister: 399.3,
      trimp_edwards: 659.7,
      trimp_lucia: 329.7,
      normalized_power: 167,
      intensity_factor: 0.7,
      variability_index: 1.02,
      power_to_weight: 2.63,
      work: 1951,
      pace: 121.6,
      efficiency_factor: 1.13,
      decoupling: 7.3,
      cardiac_drift: -0.8,
      ftp_estimate: 175,
      critical_power: 182,
    });
    expect(metrics.power_zones?.map(({ seconds }) => seconds)).toEqual([350, 8653, 2861, 14, 0]);
    expect(
      metrics.power_curve?.filter(({ duration_s }) => [1, 60, 1200].includes(Number(duration_s))),
    ).toMatchObject([{ power_w: 227 }, { power_w: 204 }, { power_w: 184 }]);
    expect(metrics.figures).toEqual([
      { figure: 'ftp', unit: 'W', value: 238, source: 'provider', formula: null },
      { figure: 'lthr', unit: 'bpm', value: 170, source: 'provider', formula: null },
      { figure: 'max_hr', unit: 'bpm', value: 188, source: 'provider', formula: null },
      { figure: 'resting_hr', unit: 'bpm', value: 48, source: 'provider', formula: null },
      { figure: 'weight_kg', unit: 'kg', value: 63.5, source: 'provider', formula: null },
    ]);
  });

  test('compares a marathon with the personal best', async () => {
    const compared = await callJson(await connect(), 'compare_activities', {
      activity_id: MARATHON,
      comparison_type: 'personal_best',
    });
    expect(compared).toMatchObject({
      since: '2024-02-16',
      activities: 1,
      others: [{ id: 'synthetic-2024-11-24-1', moving_time_s: 11_956 }],
    });
    // 12,001 s for 42,195.9 m, and 11,956 s for 42,197.9 m.
    expect((compared as Analysis).metrics.find(({ metric }) => metric === 'pace_s')).toEqual({
      metric: 'pace_s',
      value: 284.4,
      others: 283.3,
      difference: 1.1,
      difference_percent: 0.4,
      better: false,
    });
  });

  test.each(INVALID)('%s with %j is -32602 at %j', async (tool, args, paths) => {
    expect(await findIssuePaths(callTool(await connect(), tool, { ...args }))).toEqual(paths);
  });

  test.each(['analyze_activity', 'get_activity_intelligence', 'calculate_metrics', 'compare_activities'])(
    '%s of an unknown activity is an error that names the tool with the ids',
    async (tool) => {
      const args = {
        activity_id: 'nope',
        ...(tool === 'compare_activities' && { comparison_type: 'recent' }),
      };
      expect(await callTool(await connect(), tool, args)).toMatchObject({
        isError: true,
        text: 'The provider synthetic has no activity "nope".\nSuggestion: Call get_activities with provider "synthetic" for the ids of activities.',
      });
    },
  );
});

describe('analyze_activity', () => {
  test('mode detailed adds splits and at most max_points samples, with the peak', async () => {
    const client = await stack.connect();
    const args = { activity_id: RUN, mode: 'detailed', max_points: 20 };
    const found = await callJson<Analysis>(client, 'analyze_activity', args);
    expect([found.samples, found.returned, found.streams?.['time_s']?.length]).toEqual([2400, 20, 20]);
    expect(Math.max(...(found.streams?.['heart_rate'] ?? []))).toBe(179);
    expect(found.splits).toHaveLength(8);
    expect(found.splits?.[0]).toMatchObject({ end_m: 1002, average_power_w: null });
    const seconds = found.splits?.reduce((sum, split) => sum + Number(split['seconds']), 0);
    // Pauses belong to the splits: the elapsed time.
    expect(seconds).toBe(2485);
  });

  test('the most samples of a long ride are within the size limit, and all of them are a resource', async () => {
    const client = await stack.connect();
    // Four hours: the longest recording of the demonstration athlete.
    const activity_id = 'synthetic-2025-10-04-1';
    const args = { activity_id, mode: 'detailed', max_points: 5000 };
    const found = await callJson<Analysis>(client, 'analyze_activity', args);
    expect(found.returned).toBeGreaterThan(4900);
    const uri = `fitness://exports/activities/${activity_id}/streams?provider=synthetic`;
    expect(await readJson(client, uri)).toMatchObject({ samples: found.samples });
  });

  test('the exported samples of the link are complete', async () => {
    const client = await stack.connect({ caller: 'anonymous' });
    const { blocks } = await callTool(client, 'analyze_activity', { activity_id: RUN });
    const [, link] = blocks;
    if (link?.type !== 'resource_link') throw new Error('no link');
    expect(await readJson(client, link.uri)).toMatchObject({
      activity_id: RUN,
      samples: 2400,
      returned: 2400,
    });
  });

  test('format toon is made of tables', async () => {
    const client = await stack.connect();
    const { text } = await callTool(client, 'analyze_activity', { activity_id: RUN, format: 'toon' });
    expect(text).toContain('metrics[9]{metric,value,unit,method}:');
    expect(text).toContain('heart_rate_zones[6]{zone,min,max,seconds,percent}:');
    expect(text).toContain('  5,174,188,243,10.1\n');
  });
});

describe('calculate_metrics', () => {
  test('selected metrics that do not apply are null, with the reason', async () => {
    const client = await stack.connect();
    const metrics = ['tss', 'intensity_factor', 'normalized_power', 'hr_tss', 'power_curve'];
    const found = await callJson<Analysis>(client, 'calculate_metrics', { activity_id: RUN, metrics });
    expect(valuesOf(found)).toEqual({
      tss: null,
      hr_tss: 51.5,
      normalized_power: null,
      intensity_factor: null,
    });
    expect(found.power_curve).toBeNull();
    expect(found.notes).toEqual([
      DEMONSTRATION,
      'tss, intensity_factor: FTP does not apply to runs.',
      'normalized_power: The activity has no power data.',
      'power_curve: The activity has no samples of power.',
    ]);
  });

  // In another system, TSS by normalized power always failed, so its result was that of average power.
  test('TSS is from normalized power, not from average power', async () => {
    const client = await stack.connect();
    const { metrics } = await callJson<Analysis>(client, 'calculate_metrics', {
      activity_id: 'synthetic-2026-11-11-1',
      metrics: ['tss', 'normalized_power'],
    });
    const activity = await callJson<Analysis>(client, 'analyze_activity', {
      activity_id: 'synthetic-2026-11-11-1',
    });
    expect(activity.activity).toMatchObject({
      average_power_w: 182.1,
      normalized_power_w: 195.8,
      moving_time_s: 4139,
    });
    // 4139 / 3600 · (195.8 / 238)² · 100; average power would give 67.3.
    expect(valuesOf({ metrics })).toEqual({ tss: 77.8, normalized_power: 195.8 });
  });
});

describe('get_activity_intelligence', () => {
  test('weather and place can be left out', async () => {
    const client = await stack.connect();
    const args = { activity_id: MARATHON, include_weather: false, include_location: false };
    const found = await callJson<Analysis>(client, 'get_activity_intelligence', args);
    expect(found).not.toHaveProperty('weather');
    expect(found).not.toHaveProperty('location');
    expect(found.insights.map(({ topic }) => topic)).not.toEqual(expect.arrayContaining(['weather']));
    expect(found.insights).toHaveLength(6);
  });

  test('the same call has the same result', async () => {
    const client = await stack.connect();
    const once = await callTool(client, 'get_activity_intelligence', { activity_id: RIDE });
    expect(await callTool(client, 'get_activity_intelligence', { activity_id: RIDE })).toEqual(once);
  });
});

describe('compare_activities', () => {
  const compare = async (args: object) =>
    callJson<Analysis & Row>(await stack.connect(), 'compare_activities', { activity_id: RUN, ...args });

  test('recent has the five runs before it, average all of 90 days, similar those within 10 % of the distance', async () => {
    const recent = await compare({ comparison_type: 'recent' });
    expect((recent['others'] as Row[]).map(({ id }) => id)).toEqual([
      'synthetic-2026-11-15-1',
      'synthetic-2026-11-12-1',
      'synthetic-2026-11-10-1',
      'synthetic-2026-11-08-1',
      'synthetic-2026-11-05-1',
    ]);
    expect(await compare({ comparison_type: 'average' })).toMatchObject({ activities: 37 });
    const similar = await compare({ comparison_type: 'similar_activities' });
    const distances = (similar['others'] as Row[]).map(({ distance_m }) => Number(distance_m));
    expect(distances).toHaveLength(10);
    expect(Math.max(...distances)).toBeLessThanOrEqual(1.1 * 7036.2);
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(0.9 * 7036.2);
  });

  test('without a comparable activity the others are null, with a note', async () => {
    const found = await compare({ activity_id: 'synthetic-2026-11-09-1', comparison_type: 'personal_best' });
    expect(found).toMatchObject({ activities: 0, others: [] });
    expect(found.metrics[0]).toEqual({
      metric: 'moving_time_s',
      value: 1727,
      others: null,
      difference: null,
      difference_percent: null,
      better: null,
    });
    expect(found.notes).toEqual([DEMONSTRATION, 'There is no such activity to compare with.']);
  });
});

describe('a provider without an athlete, weather and rows of every second', () => {
  async function findId(): Promise<string> {
    const client = await own.connect();
    const { activities } = await callJson<{ activities: { id: string }[] }>(client, 'get_activities');
    return activities[0]?.id ?? '';
  }

  test('figures are estimates with their formulas, and the result says what is missing', async () => {
    const client = await own.connect();
    const activity_id = await findId();
    const found = await callJson<Analysis>(client, 'calculate_metrics', {
      activity_id,
      metrics: ['hr_tss', 'trimp_banister', 'heart_rate_zones'],
    });
    expect(found.figures.slice(0, 4)).toEqual([
      { figure: 'ftp', unit: 'W', value: null, source: null, formula: null },
      { figure: 'lthr', unit: 'bpm', value: 141, source: 'estimate', formula: '88 % of max_hr' },
      {
        figure: 'max_hr',
        unit: 'bpm',
        value: 160,
        source: 'estimate',
        formula: `Highest heart rate in 365 days, in ${activity_id}`,
      },
      { figure: 'resting_hr', unit: 'bpm', value: null, source: null, formula: null },
    ]);
    // (160 / 141)² · 100
    expect(valuesOf(found)).toEqual({ hr_tss: 128.8, trimp_banister: null });
    expect(found.notes).toEqual([
      'trimp_banister: TRIMP of Banister depends on sex, which the provider does not know.',
      "heart_rate_zones: The athlete's resting_hr is not known: set it with set_fitness_config.",
    ]);
  });

  test('the fitness configuration of the caller takes precedence, with its zones', async () => {
    const client = await own.connect();
    const activity_id = await findId();
    const zone = (min: number, max: number): object => ({ min, max });
    await callTool(client, 'set_fitness_config', {
      configuration: {
        lthr: 165,
        max_hr: 190,
        resting_hr: 50,
        heart_rate_zones: {
          zone1: zone(100, 120),
          zone2: zone(120, 140),
          zone3: zone(140, 155),
          zone4: zone(155, 165),
          zone5: zone(165, 190),
        },
      },
    });
    const found = await callJson<Analysis>(client, 'calculate_metrics', {
      activity_id,
      metrics: ['hr_tss', 'heart_rate_zones'],
    });
    // (160 / 165)² · 100
    expect(valuesOf(found)).toEqual({ hr_tss: 94 });
    expect(found.figures[1]).toEqual({
      figure: 'lthr',
      unit: 'bpm',
      value: 165,
      source: 'fitness_config',
      formula: null,
    });
    expect(found.heart_rate_zones.find(({ zone: number }) => number === 4)).toMatchObject({
      min: 155,
      max: 165,
      percent: 100,
    });
    await callTool(client, 'delete_fitness_config', { configuration_name: 'default' });
  });

  test('the result says what the provider lacks', async () => {
    const client = await own.connect();
    const activity_id = await findId();
    const found = await callJson<Analysis>(client, 'get_activity_intelligence', { activity_id });
    expect(found).toMatchObject({ weather: null, location: null });
    expect(found.notes).toEqual(['The provider files has no weather.', 'This activity has no place.']);
    const alone = await callJson<Analysis>(client, 'analyze_activity', { activity_id });
    expect(alone.notes).toEqual(['The provider files has no weather.']);
  });

  test('activities of others are unknown', async () => {
    const activity_id = await findId();
    const other = await own.connect({ caller: 'starter' });
    expect(await callTool(other, 'analyze_activity', { activity_id, provider: 'files' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('You have no data at files.') as string,
    });
    expect(await callTool(other, 'analyze_activity', { activity_id })).toMatchObject({
      isError: true,
      text: expect.stringContaining('The provider synthetic has no activity') as string,
    });
  });
});
