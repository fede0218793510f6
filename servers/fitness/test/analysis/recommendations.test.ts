import { describe, expect, test } from 'vitest';
import { recommend } from '../../src/analysis/recommendations/recommend.ts';
import type { RecommendationType } from '../../src/analysis/recommendations/recommendation.ts';
import type { TrainingFacts } from '../../src/analysis/recommendations/training-facts.ts';
import type { SleepNight } from '../../src/providers/provider.ts';
import { activityOf, athleteOf } from './support/samples.ts';

/** An athlete whose values are all in their ranges: 10 sessions in four weeks, two of them hard. */
function factsOf(changes: Partial<TrainingFacts> = {}): TrainingFacts {
  const easy = Array.from({ length: 8 }, () => activityOf());
  const hard = Array.from({ length: 2 }, () => activityOf({ max_heart_rate: 175 }));
  return {
    athlete: athleteOf(),
    load: {
      fitness_ctl: 50,
      fatigue_atl: 52,
      form_tsb: -2,
      form_status: 'productive',
      ramp_rate: 1,
      workload_ratio: 1,
      workload_range: 'optimal',
      load_of_7_days: 350,
      monotony: 1.2,
      strain: 420,
      overtraining_risk: 'low',
      signs: [],
    },
    weekly_load: 340,
    consistency: { weeks: 12, mean_days_per_week: 3, score: 80, usual_weekdays: [2, 4, 6] },
    days_in_a_row: 2,
    four_weeks: [...easy, ...hard],
    half_year: [...easy, ...hard],
    activity: activityOf(),
    nights: [],
    notes: [],
    ...changes,
  };
}

function loadOf(changes: Partial<TrainingFacts['load']>): Pick<TrainingFacts, 'load'> {
  return { load: { ...factsOf().load, ...changes } };
}

function nightsOf(hours: number, hrv: number): readonly SleepNight[] {
  return Array.from({ length: 7 }, (_, index) => ({
    date: `2026-11-${12 + index}`,
    duration_hours: hours,
    efficiency_percent: null,
    deep_sleep_hours: null,
    rem_sleep_hours: null,
    light_sleep_hours: null,
    awakenings: null,
    // The last night differs from the others.
    hrv_rmssd_ms: index === 6 ? hrv : 60,
  }));
}

/** Priority and text of the recommendations of a type. */
function adviceOf(type: RecommendationType, changes: Partial<TrainingFacts> = {}): readonly string[] {
  return recommend(factsOf(changes), type).map(
    ({ priority, recommendation }) => `${priority}: ${recommendation}`,
  );
}

describe('training', () => {
  test.each<[string, Partial<TrainingFacts>, string]>([
    ['nothing', {}, 'low: Keep your weekly load.'],
    ['a form below −20', loadOf({ form_tsb: -21 }), 'high: Reduce the load of this week by a third.'],
    [
      'two signs of overtraining',
      loadOf({ overtraining_risk: 'high' }),
      'high: Reduce the load of this week by a third.',
    ],
    [
      'a form above 10',
      loadOf({ form_tsb: 10.1 }),
      'medium: Race, or raise the load: fitness falls otherwise.',
    ],
    [
      'a workload ratio above 1.3',
      loadOf({ workload_ratio: 1.31 }),
      'medium: Do not raise the load: at most 374 TSS in the next week.',
    ],
    [
      'a workload ratio above 1.5',
      loadOf({ workload_ratio: 1.51 }),
      'high: Do not raise the load: at most 374 TSS in the next week.',
    ],
    [
      'a workload ratio below 0.8 with a positive form',
      loadOf({ workload_ratio: 0.79, form_tsb: 5 }),
      'low: You can train more: up to 374 TSS in the next week.',
    ],
    [
      'a workload ratio below 0.8 with a negative form',
      loadOf({ workload_ratio: 0.79 }),
      'low: Keep your weekly load.',
    ],
    [
      'a monotony above 2',
      loadOf({ monotony: 2.1 }),
      'medium: Vary the load: follow hard days with easy or free ones.',
    ],
    [
      'irregular weeks',
      { consistency: { weeks: 12, mean_days_per_week: 3.4, score: 59, usual_weekdays: [] } },
      'medium: Train on 3 days every week.',
    ],
    [
      'more than 30 % hard sessions',
      {
        four_weeks: Array.from({ length: 10 }, (_, index) =>
          activityOf({ max_heart_rate: index < 4 ? 175 : 150 }),
        ),
      },
      'medium: Keep more of your sessions easy.',
    ],
    [
      'less than 10 % hard sessions',
      { four_weeks: Array.from({ length: 10 }, () => activityOf()) },
      'low: Add one hard session a week, such as intervals.',
    ],
    ['no activity', { four_weeks: [] }, 'medium: Begin with two or three easy sessions a week.'],
  ])('%s', (_, changes, expected) => {
    expect(adviceOf('training', changes)).toEqual([expected]);
  });
});

describe('recovery', () => {
  const DONE = 'low: Run is recovered by the next day.';

  test.each<[string, Partial<TrainingFacts>, readonly string[]]>([
    ['six days in a row', { days_in_a_row: 6 }, [DONE]],
    ['seven days in a row', { days_in_a_row: 7 }, ['medium: Take a day without training.', DONE]],
    ['14 days in a row', { days_in_a_row: 14 }, ['high: Take a day without training.', DONE]],
    // (160 / 170)² · 100 an hour: 177, 354 and 531 for two, four and six hours.
    ['a load of 177', { activity: longRun(2) }, ['medium: Run needs an easy day after it.']],
    ['a load of 354', { activity: longRun(4) }, ['high: Run needs two easy days after it.']],
    ['a load of 531', { activity: longRun(6) }, ['high: Run needs several easy days after it.']],
    ['enough sleep and usual HRV', { nights: nightsOf(7, 60) }, [DONE]],
    ['less than 7 hours of sleep', { nights: nightsOf(6.9, 60) }, ['medium: Sleep at least 7 hours.', DONE]],
    ['less than 6 hours of sleep', { nights: nightsOf(5.9, 60) }, ['high: Sleep at least 7 hours.', DONE]],
    ['HRV 10 % below its baseline', { nights: nightsOf(8, 54) }, ['medium: Train easily today.', DONE]],
    ['HRV 20 % below its baseline', { nights: nightsOf(8, 48) }, ['high: Rest today.', DONE]],
    ['no activity and no night', { activity: undefined }, ['low: Nothing to change.']],
  ])('%s', (_, changes, expected) => {
    expect(adviceOf('recovery', changes)).toEqual(expected);
  });

  function longRun(hours: number): TrainingFacts['activity'] {
    return activityOf({ moving_time_s: hours * 3600, average_heart_rate: 160 });
  }
});

describe('nutrition', () => {
  // At 70 kg: after 1 g/kg of carbohydrate and 0.3 g/kg of protein, before 0.75 g/kg.
  const AFTER = 'low: After Run: 70 g of carbohydrate and 21 g of protein within 2 hours.';
  const BEFORE = 'low: Before a session like it: 53 g of carbohydrate 1 to 3 hours earlier.';
  const weather = { temperature_c: 25, humidity_percent: 40, wind_mps: 1, conditions: 'clear' };

  test.each<[string, Partial<TrainingFacts>, readonly string[]]>([
    ['an hour', {}, [AFTER, BEFORE]],
    [
      'more than an hour',
      { activity: activityOf({ moving_time_s: 3700 }) },
      [AFTER, BEFORE, 'low: During a session like it: 30 to 60 g of carbohydrate an hour.'],
    ],
    [
      'a hot day',
      { activity: activityOf({ weather }) },
      ['medium: Drink 0.4 to 0.8 l an hour in this heat.', AFTER, BEFORE],
    ],
    [
      'no weight',
      { athlete: athleteOf({ weight_kg: null }) },
      ['medium: Set your weight with set_fitness_config.'],
    ],
    ['no activity', { activity: undefined }, ['low: Nothing to change.']],
  ])('%s', (_, changes, expected) => {
    expect(adviceOf('nutrition', changes)).toEqual(expected);
  });
});

describe('equipment', () => {
  const of = (sport_type: 'run' | 'ride', kilometres: number): readonly [ReturnType<typeof activityOf>] => [
    activityOf({ sport_type, distance_m: 1000 * kilometres, normalized_power_w: 150 }),
  ];

  test.each<[string, Partial<TrainingFacts>, readonly string[]]>([
    ['499 km of runs', { half_year: of('run', 499) }, ['low: Nothing to check.']],
    [
      '500 km of runs',
      { half_year: of('run', 500) },
      ['medium: Check your running shoes: they last 500 to 800 km.'],
    ],
    [
      '3000 km of rides',
      { half_year: of('ride', 3000) },
      ['medium: Measure the wear of your chain: it lasts 3000 to 5000 km.'],
    ],
    [
      'most activities without heart rate',
      { four_weeks: [activityOf({ average_heart_rate: null })] },
      ['medium: Wear a heart rate sensor.'],
    ],
    [
      'rides without power',
      { four_weeks: [activityOf({ sport_type: 'ride' })] },
      ['low: A power meter would measure the load of rides directly.'],
    ],
  ])('%s', (_, changes, expected) => {
    expect(adviceOf('equipment', changes)).toEqual(expected);
  });
});

test('all types are ordered by priority, and every recommendation has a reason', () => {
  const all = recommend(
    factsOf({ days_in_a_row: 14, half_year: [activityOf({ distance_m: 600_000 })] }),
    'all',
  );
  expect(all.map(({ type }) => type)).toEqual([
    'recovery',
    'equipment',
    'training',
    'recovery',
    'nutrition',
    'nutrition',
  ]);
  for (const { reason } of all) expect(reason).toMatch(/\.$/);
});
