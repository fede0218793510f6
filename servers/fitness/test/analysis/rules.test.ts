import { describe, expect, test } from 'vitest';
import { compareMetrics } from '../../src/analysis/comparison/compare.ts';
import { listContextFindings } from '../../src/analysis/findings/context-findings.ts';
import { listSessionFindings } from '../../src/analysis/findings/session-findings.ts';
import { listPlaceFindings, listWeatherFindings } from '../../src/analysis/findings/surroundings.ts';
import { activityLoad } from '../../src/analysis/load/activity-load.ts';
import { edwardsOf } from '../../src/analysis/metrics/heart-metrics.ts';
import { findBasePerformance } from '../../src/analysis/prediction/base-performance.ts';
import { judgeConfidence } from '../../src/analysis/prediction/confidence.ts';
import { findIntensity } from '../../src/analysis/session-intensity.ts';
import type { Session } from '../../src/analysis/session.ts';
import { listSplits } from '../../src/analysis/splits.ts';
import { trendOf } from '../../src/analysis/trends/trend.ts';
import { estimateFromActivities } from '../../src/athlete/estimates.ts';
import { DEFAULTS } from '../../src/configuration/parameters.ts';
import type { Activity } from '../../src/providers/provider.ts';
import { reasonOf, valueOf } from '../algorithms/outcome.ts';
import { activityOf, athleteOf, NOON } from './support/samples.ts';

const DAY = 86_400;

describe('load of an activity', () => {
  const ride = activityOf({ sport_type: 'ride', normalized_power_w: 200, average_power_w: 150 });

  test('a ride with power has TSS by normalized power', () => {
    // (200 / 250)² · 100; average power would give 36.
    expect(valueOf(activityLoad(ride, athleteOf()))).toBeCloseTo(64);
  });

  test('without FTP, and in other sports, it is hrTSS', () => {
    // (140 / 170)² · 100
    expect(valueOf(activityLoad(ride, athleteOf({ ftp: null })))).toBeCloseTo(67.82, 2);
    expect(valueOf(activityLoad({ ...ride, sport_type: 'run' }, athleteOf()))).toBeCloseTo(67.82, 2);
  });

  test('without heart rate and power it is refused', () => {
    expect(reasonOf(activityLoad(activityOf({ average_heart_rate: null }), athleteOf()))).toBe(
      'The activity has no heart rate data.',
    );
    expect(reasonOf(activityLoad(activityOf(), athleteOf({ lthr: null })))).toBe(
      "The athlete's lthr is not known: set it with set_fitness_config.",
    );
  });
});

describe('estimates', () => {
  const now = NOON * 1000;
  const ride = { sport_type: 'ride', average_power_w: 200, moving_time_s: 1200 } as const;

  test('FTP is 95 % of the best ride of 20 minutes in 90 days, and LTHR belongs to the highest heart rate', () => {
    const activities = [
      activityOf({ id: 'short', ...ride, moving_time_s: 1199, average_power_w: 300 }),
      activityOf({ id: 'best', ...ride, average_power_w: 220 }),
      activityOf({
        id: 'old',
        ...ride,
        average_power_w: 260,
        start_time: NOON - 91 * DAY,
        max_heart_rate: 191,
      }),
      activityOf({ id: 'run', ...ride, sport_type: 'run', average_power_w: 280 }),
    ];
    expect(estimateFromActivities(activities, DEFAULTS, now)).toEqual({
      max_hr: { value: 191, formula: 'Highest heart rate in 365 days, in old' },
      lthr: { value: 168, formula: '88 % of max_hr' },
      ftp: {
        value: 209,
        formula: '95 % of the highest average power of a ride from 20 minutes in 90 days, best',
      },
    });
  });

  test('implausible values are no estimate', () => {
    const broken = activityOf({ ...ride, average_power_w: 20, max_heart_rate: 255 });
    expect(estimateFromActivities([broken], DEFAULTS, now)).toEqual({
      max_hr: undefined,
      lthr: undefined,
      ftp: undefined,
    });
    expect(estimateFromActivities([], DEFAULTS, now).max_hr).toBeUndefined();
  });
});

describe('intensity of a session', () => {
  test.each([
    ['a highest heart rate of LTHR', { max_heart_rate: 170 }, true],
    ['a highest heart rate below LTHR', { max_heart_rate: 169 }, false],
    ['a ride at 85 % of FTP', { sport_type: 'ride', normalized_power_w: 212.5 }, true],
    ['a ride at 84 % of FTP with a low heart rate', { sport_type: 'ride', normalized_power_w: 210 }, false],
    ['power of a run', { normalized_power_w: 300 }, false],
  ] as const)('%s', (_, changes, isHard) => {
    expect(findIntensity(activityOf(changes), athleteOf())?.isHard).toBe(isHard);
  });

  test('without heart rate and power, or with an implausible heart rate, it is unknown', () => {
    expect(findIntensity(activityOf({ max_heart_rate: null }), athleteOf())).toBeUndefined();
    expect(findIntensity(activityOf({ max_heart_rate: 255 }), athleteOf())).toBeUndefined();
  });
});

describe('trend', () => {
  const pointsOf = (...values: readonly number[]) => values.map((value, day) => ({ day, value }));

  test.each([
    [[100, 101, 102, 103, 104], 'rising'],
    [[104, 103, 102, 101, 100], 'falling'],
    [[100, 100.1, 100, 100.1, 100], 'stable'],
    [[100, 140, 90, 130, 110], 'unclear'],
  ] as const)('%j is %s', (values, direction) => {
    expect(valueOf(trendOf(pointsOf(...values))).direction).toBe(direction);
  });

  test('the change is that of the line over the whole time', () => {
    const { change_per_week, change_percent, r_squared, reason } = valueOf(
      trendOf(pointsOf(100, 101, 102, 103, 104)),
    );
    expect([change_per_week, r_squared]).toEqual([7, 1]);
    // 4 of 102.
    expect(change_percent).toBeCloseTo(3.92, 2);
    expect(reason).toBe('The line changes by 3.9 % over the whole time and explains 100 % of the variation.');
  });

  test('three values, and values of 0, have none', () => {
    expect(reasonOf(trendOf(pointsOf(1, 2, 3)))).toBe('A trend needs at least four values; there are 3.');
    expect(reasonOf(trendOf(pointsOf(0, 0, 0, 0)))).toBe('A trend needs values above 0.');
  });
});

describe('findings', () => {
  const sessionOf = (
    changes: Parameters<typeof activityOf>[0] = {},
    streams?: Session['streams'],
  ): Session => ({
    activity: activityOf(changes),
    streams,
    athlete: athleteOf(),
  });
  const seconds = Array.from({ length: 1200 }, (_, index) => index);

  test.each([
    ['Second half faster', 3, 3.2],
    ['Second half slower', 3.2, 3],
    ['Even pace', 3, 3.08],
  ])('%s', (finding, first, second) => {
    const speed_mps = seconds.map((time) => (time < 600 ? first : second));
    const found = listSessionFindings(sessionOf({}, { time_s: seconds, speed_mps }));
    expect(found.find(({ topic }) => topic === 'pacing')?.finding).toBe(finding);
    // Hills decide on the speed of a ride.
    const ride = listSessionFindings(sessionOf({ sport_type: 'ride' }, { time_s: seconds, speed_mps }));
    expect(ride.find(({ topic }) => topic === 'pacing')).toBeUndefined();
  });

  test.each([
    ['Steady power', 105],
    ['Slightly varied power', 110],
    ['Power with many surges', 115],
  ])('%s', (finding, normalized_power_w) => {
    const session = sessionOf({ sport_type: 'ride', average_power_w: 100, normalized_power_w });
    expect(listSessionFindings(session).find(({ topic }) => topic === 'steadiness')?.finding).toBe(finding);
  });

  test('pauses of more than 10 % are named', () => {
    const found = listSessionFindings(sessionOf({ elapsed_time_s: 4200 }));
    expect(found.find(({ topic }) => topic === 'pauses')?.reason).toBe('10 of 70 minutes were pauses.');
  });

  test('implausible samples of heart rate are missing, not 0', () => {
    const time_s = Array.from({ length: 1300 }, (_, index) => index);
    const heart_rate = time_s.map((time) => (time % 2 === 0 ? 140 : 0));
    const session = sessionOf({}, { time_s, heart_rate });
    // 1299 seconds at 74 % of the maximum, which count three times.
    expect(valueOf(edwardsOf(session))).toBeCloseTo(64.95, 9);
  });

  describe('in comparison with the time before', () => {
    const before = [1, 2, 3].map((days) =>
      activityOf({ id: `b${days}`, start_time: NOON - DAY - days * DAY }),
    );
    const findingsOf = (changes: Parameters<typeof activityOf>[0], others = before): readonly string[] =>
      listContextFindings({
        activity: activityOf(changes),
        before: others,
        days: 90,
        athlete: athleteOf(),
      }).map(({ finding }) => finding);

    test.each([
      [{}, ['Usual pace']],
      [{ distance_m: 10_001 }, ['Longest run in 90 days', 'Fastest run in 90 days']],
      [{ distance_m: 6900, moving_time_s: 2484 }, ['Shorter than usual', 'Usual pace']],
      [{ moving_time_s: 4000 }, ['Slower than usual']],
      [{ average_heart_rate: 180 }, ['Usual pace', 'Higher load than usual']],
    ])('%j', (changes, expected) => {
      expect(findingsOf(changes)).toEqual(expected);
    });

    test('a long break, and the first activity', () => {
      const old = [activityOf({ start_time: NOON - 20 * DAY })];
      expect(findingsOf({}, old)).toEqual(['First run in 19 days']);
      expect(findingsOf({}, [])).toEqual(['First run in 90 days']);
    });
  });

  test.each([
    [{ temperature_c: 25 }, ['Heat']],
    [{ temperature_c: 0 }, ['Frost']],
    [{ wind_mps: 8, conditions: 'light rain' }, ['Strong wind', 'Wet']],
    [{}, ['Good conditions']],
  ])('weather %j', (changes, expected) => {
    const weather = { temperature_c: 15, humidity_percent: 50, wind_mps: 2, conditions: 'clear', ...changes };
    expect(listWeatherFindings(weather).map(({ finding }) => finding)).toEqual(expected);
  });

  test('terrain is judged by climb for each kilometre, and a start 25 km away is elsewhere', () => {
    const home = { latitude: 48, longitude: 7.8, name: null };
    const at = (latitude: number, elevation_gain_m: number): readonly string[] =>
      listPlaceFindings(activityOf({ place: { ...home, latitude }, elevation_gain_m }), [
        activityOf({ place: home }),
      ]).map(({ finding }) => finding);
    expect(at(48, 99)).toEqual(['Flat']);
    expect(at(48, 100)).toEqual(['Rolling']);
    // 0.2 and 0.25 degrees are 22 and 28 km.
    expect(at(48.2, 200)).toEqual(['Hilly']);
    expect(at(48.25, 200)).toEqual(['Hilly', 'Away from the usual places']);
  });
});

describe('base of a prediction', () => {
  const race = (id: string, time: number, days: number) =>
    activityOf({ id, distance_m: 10_000, moving_time_s: time, start_time: NOON - days * DAY });

  test('it is the newest run within 3 % of the highest VDOT', () => {
    // VDOT 51.9, 51.3 and 45.3.
    const runs = [race('best', 2400, 100), race('newer', 2425, 50), race('easy', 2700, 5)];
    expect(findBasePerformance(runs)?.activity.id).toBe('newer');
    expect(findBasePerformance([runs[0] ?? activityOf(), race('easy', 2700, 5)])?.activity.id).toBe('best');
    expect(findBasePerformance([activityOf({ distance_m: 500 })])).toBeUndefined();
  });

  test('each doubt lowers the confidence', () => {
    const base = {
      activity: { ...race('r', 2400, 10), max_heart_rate: 180 },
      distance_m: 10_000,
      vdot: 51.9,
    };
    const judge = (target_m: number, activity: Activity = base.activity) =>
      judgeConfidence({
        base: { ...base, activity },
        runs: [activity],
        target_m,
        athlete: athleteOf(),
        now: NOON * 1000,
      });
    expect(judge(10_000)).toEqual({ confidence: 'high', doubts: [] });
    expect(judge(10_000, { ...base.activity, max_heart_rate: 160 }).confidence).toBe('medium');
    expect(judge(42_195).doubts).toEqual([
      'Its distance, 10.0 km, is far from the target, 42.2 km.',
      'The longest run in 90 days, 10.0 km, is less than 60 % of the target: the formulas assume training for it.',
    ]);
    const old = { ...base.activity, start_time: NOON - 100 * DAY, max_heart_rate: null };
    expect(judge(10_000, old)).toEqual({
      confidence: 'low',
      doubts: ['The run is 100 days old.', 'Without heart rate, it is unknown whether the run was all out.'],
    });
  });
});

describe('splits', () => {
  test('a run has splits of one kilometre, the last one shorter, with their means', () => {
    const time_s = Array.from({ length: 841 }, (_, index) => index);
    const streams = {
      time_s,
      distance_m: time_s.map((time) => time * 3),
      heart_rate: time_s.map((time) => (time <= 400 ? 140 : 150)),
    };
    const session = { activity: activityOf(), streams, athlete: athleteOf() };
    expect(listSplits(session)).toEqual([
      {
        end_m: 1002,
        seconds: 334,
        speed_mps: 3,
        average_heart_rate: 140,
        average_power_w: null,
        climb_m: null,
      },
      {
        end_m: 2001,
        seconds: 333,
        speed_mps: 3,
        average_heart_rate: 148,
        average_power_w: null,
        climb_m: null,
      },
      {
        end_m: 2520,
        seconds: 173,
        speed_mps: 3,
        average_heart_rate: 150,
        average_power_w: null,
        climb_m: null,
      },
    ]);
  });

  test('long activities have at most 30, and those without distance none', () => {
    const time_s = Array.from({ length: 20_001 }, (_, index) => index);
    const streams = { time_s, distance_m: time_s.map((time) => time * 10) };
    expect(listSplits({ activity: activityOf(), streams, athlete: athleteOf() })).toHaveLength(20);
    expect(listSplits({ activity: activityOf(), streams: { time_s }, athlete: athleteOf() })).toEqual([]);
    expect(listSplits({ activity: activityOf(), streams: undefined, athlete: athleteOf() })).toEqual([]);
  });
});

test('a comparison has the metrics of the activity, and says which is better', () => {
  const [one, two] = [activityOf(), activityOf({ moving_time_s: 4000, average_heart_rate: null })];
  const rows = compareMetrics(one, [two, { ...two, moving_time_s: 3800 }], athleteOf());
  expect(rows.map(({ metric, value, others, better }) => [metric, value, others, better])).toEqual([
    ['distance_m', 10_000, 10_000, null],
    ['moving_time_s', 3600, 3900, null],
    ['elevation_gain_m', 50, 50, null],
    ['pace_s', 360, 390, true],
    ['average_heart_rate', 140, null, null],
    ['efficiency_factor', 1.19, null, null],
    ['load', 67.8, null, null],
  ]);
});
