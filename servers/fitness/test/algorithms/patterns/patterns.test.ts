import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hardEasyPattern } from '../../../src/algorithms/patterns/hard-easy.ts';
import { injuryRisk } from '../../../src/algorithms/patterns/injury-risk.ts';
import { performancePlateau } from '../../../src/algorithms/patterns/plateau.ts';
import { seasonalTrend } from '../../../src/algorithms/patterns/seasonal-trend.ts';
import { volumeProgression } from '../../../src/algorithms/patterns/volume-progression.ts';
import { weeklyConsistency } from '../../../src/algorithms/patterns/weekly-consistency.ts';
import { reasonOf, valueOf } from '../outcome.ts';

// The patterns are definitions of this server; all examples are by hand.

/** One letter a day: `x` with training. */
const weeks = (...days: string[]): boolean[] =>
  days
    .join('')
    .split('')
    .map((day) => day === 'x');
const repeat = (count: number, load: number): number[] => Array.from({ length: count }, () => load);

describe('weekly consistency', () => {
  test('by hand: the same days every week score 100', () => {
    const week = 'x.x.xx.';
    expect(valueOf(weeklyConsistency(weeks(week, week, week, week)))).toEqual({
      weeks: 4,
      mean_days_per_week: 4,
      score: 100,
      usual_weekdays: [1, 3, 5, 6],
    });
  });

  // By hand: 4, 2, 4 and 2 days; mean 3, deviation √(4 / 3) = 1.1547; 100 · (1 − 0.3849).
  test('by hand: 4, 2, 4 and 2 days score 61.5', () => {
    const result = valueOf(weeklyConsistency(weeks('xxxx...', 'xx.....', 'xxxx...', 'xx.....')));
    expect(result.score).toBeCloseTo(61.51, 2);
    expect(result.usual_weekdays).toEqual([1, 2]);
  });

  // By hand: 7, 0, 0 and 0 days; mean 1.75, deviation 3.5.
  test('by hand: one week of training in four scores 0', () => {
    expect(valueOf(weeklyConsistency(weeks('xxxxxxx', '.......', '.......', '.......'))).score).toBe(0);
  });

  test('the order of weeks does not matter, and the score is 0 to 100', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 28, maxLength: 100, size: 'max' }), (days) => {
        const whole = days.slice(0, Math.floor(days.length / 7) * 7);
        const { score } = valueOf(weeklyConsistency(whole));
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
        const moved = [...whole.slice(7), ...whole.slice(0, 7)];
        expect(valueOf(weeklyConsistency(moved)).score).toBeCloseTo(score, 9);
      }),
    );
  });

  test('three weeks are refused', () => {
    expect(reasonOf(weeklyConsistency(weeks('xxxxxxx', 'xxxxxxx', 'xxxxxxx', 'xxx')))).toBe(
      'Consistency needs at least four whole weeks; there are 3.',
    );
  });
});

describe('hard and easy sessions', () => {
  test.each([
    ['x.x.x.', { hard_share: 0.5, alternation: 1, alternating: true, longest_hard_run: 1 }],
    ['xxx...', { hard_share: 0.5, alternation: 0.2, alternating: false, longest_hard_run: 3 }],
    ['.x.x..', { hard_share: 1 / 3, alternation: 0.8, alternating: true, longest_hard_run: 1 }],
    // Three changes in five are exactly 60 %, which is not above.
    ['x.x...', { hard_share: 1 / 3, alternation: 0.6, alternating: false, longest_hard_run: 1 }],
    ['......', { hard_share: 0, alternation: 0, alternating: false, longest_hard_run: 0 }],
  ])('by hand: %s', (sessions, pattern) => {
    expect(valueOf(hardEasyPattern(weeks(sessions)))).toEqual(pattern);
  });

  test('hard in place of easy has the same alternation', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 6, maxLength: 60, size: 'max' }), (hard) => {
        const opposite = hard.map((value) => !value);
        expect(valueOf(hardEasyPattern(opposite)).alternation).toBe(
          valueOf(hardEasyPattern(hard)).alternation,
        );
      }),
    );
  });

  test('five sessions are refused', () => {
    expect(reasonOf(hardEasyPattern(weeks('x.x.x')))).toBe(
      'A pattern of hard and easy needs at least six sessions; there are 5.',
    );
  });
});

describe('plateau', () => {
  const series = (...values: number[]) => values.map((value, week) => ({ day: 7 * week, value }));

  // By hand: lines through the values over 35 days.
  test.each([
    ['no change', series(250, 250, 250, 250, 250, 250), true, 0],
    ['+1 W a week, 5 / 252.5', series(250, 251, 252, 253, 254, 255), true, 1.98],
    ['+2 W a week, 10 / 255', series(250, 252, 254, 256, 258, 260), false, 3.92],
    ['−5 s a week, −25 / 287.5', series(300, 295, 290, 285, 280, 275), false, -8.7],
  ])('by hand: %s', (_, values, plateau, change) => {
    const result = valueOf(performancePlateau(values));
    expect(result.plateau).toBe(plateau);
    expect(result.change_percent).toBeCloseTo(change, 2);
    expect(result.weeks).toBe(5);
  });

  test('it does not depend on the unit of the values', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 50, max: 400 }), { minLength: 6, maxLength: 30 }), (values) => {
        const one = valueOf(performancePlateau(series(...values)));
        const two = valueOf(performancePlateau(series(...values.map((value) => value * 60))));
        expect(two.change_percent).toBeCloseTo(one.change_percent, 6);
      }),
    );
  });

  test.each([
    [series(1, 2, 3, 4, 5), 'A plateau needs at least six values; there are 5.'],
    [
      [0, 1, 2, 3, 4, 5].map((day) => ({ day, value: 1 })),
      'A plateau needs values over at least 28 days; they cover 5.',
    ],
    [series(0, 0, 0, 0, 0, 0), 'A plateau needs positive values.'],
  ])('%j is refused', (values, reason) => {
    expect(reasonOf(performancePlateau(values))).toBe(reason);
  });
});

describe('progression of volume', () => {
  // By hand: slopes 6, 0, −6 and 2 of means 56, 50, 44 and 52.
  test.each([
    [[50, 56, 62], 6 / 56, 'increasing', [1, 2]],
    [[50, 50, 50, 50], 0, 'stable', []],
    [[50, 44, 38], -6 / 44, 'decreasing', []],
    [[50, 52, 54], 2 / 52, 'stable', []],
    [[50, 55, 60.6], 5.3 / 55.2, 'increasing', [2]],
  ])('by hand: weeks of %j', (volumes, slope, direction, jumps) => {
    const result = valueOf(volumeProgression(volumes));
    expect(result.slope).toBeCloseTo(slope, 9);
    expect(result.direction).toBe(direction);
    expect(result.jumps).toEqual(jumps);
  });

  test('it does not depend on the unit of volume', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 3, maxLength: 30 }), (volumes) => {
        const metres = valueOf(volumeProgression(volumes.map((value) => value * 1024)));
        expect(metres.slope).toBeCloseTo(valueOf(volumeProgression(volumes)).slope, 9);
      }),
    );
  });

  test.each([
    [[1, 2], 'A volume progression needs at least three weeks; there are 2.'],
    [[0, 0, 0], 'A volume progression needs weeks with training.'],
    [[1, -2, 3], 'Volume of a week is -2: expected 0 to 1000000000.'],
  ])('%j is refused', (volumes, reason) => {
    expect(reasonOf(volumeProgression(volumes))).toBe(reason);
  });
});

describe('risk of injury', () => {
  // Alternating days keep the deviation, and so monotony below 2.
  const alternating = (count: number, load: number): number[] =>
    Array.from({ length: count }, (_, day) => (day % 2 === 0 ? 2 * load : 0));

  test('steady training with easy days has a low risk', () => {
    const result = valueOf(injuryRisk(alternating(56, 60)));
    expect(result.risk).toBe('low');
    expect(result.signs).toEqual([]);
    expect(Math.abs(result.ramp_rate)).toBeLessThan(3);
  });

  // By hand: (3 · 100) / ((3 · 100 + 3 · 3 · 60) / 4) with weeks of seven days is 1.43 for loads of 60 and then 100.
  test('by hand: a week of 100 after weeks of 60 is a ratio of 1.43', () => {
    const result = valueOf(injuryRisk([...repeat(49, 60), ...alternating(7, 87.5)]));
    expect(result.workload_ratio).toBeCloseTo(100 / 70, 9);
    expect(result.risk).toBe('moderate');
    expect(result.signs).toEqual([
      'Load of the last week is 1.43 times the average of four weeks (above 1.3).',
    ]);
  });

  test('a ratio above 1.5 is a high risk', () => {
    const result = valueOf(injuryRisk([...repeat(28, 20), ...alternating(7, 40)]));
    expect(result.workload_ratio).toBeGreaterThan(1.5);
    expect(result.risk).toBe('high');
  });

  test('monotonous weeks are a sign, and a week of equal loads has no monotony', () => {
    const result = valueOf(injuryRisk([...repeat(28, 60), 55, 65, 55, 65, 55, 65, 60]));
    expect(result.risk).toBe('moderate');
    expect(result.signs).toEqual(['Training was monotonous: 12.0 (above 2).']);
    expect(valueOf(injuryRisk(repeat(35, 60))).monotony).toBeNull();
  });

  test('a chronic load that rises by more than 8 in a week is a sign', () => {
    const result = valueOf(injuryRisk([...repeat(28, 60), ...alternating(7, 110)]));
    expect(result.ramp_rate).toBeGreaterThan(8);
    expect(result.signs.some((sign) => sign.startsWith('Chronic load rose by'))).toBe(true);
  });

  test('more load in the last week never lowers the ratio', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 28, maxLength: 60, size: 'max' }),
        (loads) => {
          const more = loads.map((load, day) => (day >= loads.length - 7 ? load + 10 : load));
          expect(valueOf(injuryRisk(more)).workload_ratio).toBeGreaterThanOrEqual(
            valueOf(injuryRisk(loads)).workload_ratio - 1e-9,
          );
        },
      ),
    );
  });

  test('three weeks are refused', () => {
    expect(reasonOf(injuryRisk(repeat(21, 60)))).toBe(
      'The workload ratio needs 28 days of load; there are 21.',
    );
  });
});

describe('seasonal trend', () => {
  const year = (...volumes: number[]) =>
    volumes.map((volume, index) => ({ month: (index % 12) + 1, volume }));

  // By hand: mean 100; July 160, January 40.
  test('by hand: a peak in July and a low in January', () => {
    const result = valueOf(seasonalTrend(year(40, 80, 90, 100, 110, 140, 160, 130, 110, 100, 80, 60)));
    expect(result.peak_month).toBe(7);
    expect(result.lowest_month).toBe(1);
    expect(result.amplitude).toBeCloseTo(1.2, 9);
    expect(result.months[6]).toEqual({ month: 7, share: 1.6 });
  });

  test('by hand: equal months have no amplitude', () => {
    expect(valueOf(seasonalTrend(year(...repeat(24, 50)))).amplitude).toBe(0);
  });

  test('by hand: two years are averaged by month', () => {
    const result = valueOf(seasonalTrend(year(...repeat(12, 50), 150, ...repeat(11, 50))));
    // Mean (23 · 50 + 150) / 24 = 54.17; January (50 + 150) / 2 = 100.
    expect(result.peak_month).toBe(1);
    expect(result.months[0]?.share).toBeCloseTo(100 / (1300 / 24), 9);
  });

  test('shares do not depend on the unit of volume', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 12, maxLength: 36 }), (volumes) => {
        const one = valueOf(seasonalTrend(year(...volumes)));
        const two = valueOf(seasonalTrend(year(...volumes.map((volume) => 8 * volume))));
        expect(two.amplitude).toBeCloseTo(one.amplitude, 9);
        expect(two.peak_month).toBe(one.peak_month);
      }),
    );
  });

  test('eleven months are refused', () => {
    expect(reasonOf(seasonalTrend(year(...repeat(11, 5))))).toBe(
      'A seasonal trend needs at least twelve months; there are 11.',
    );
    expect(reasonOf(seasonalTrend(year(...repeat(12, 0))))).toBe(
      'A seasonal trend needs months with training.',
    );
  });
});
