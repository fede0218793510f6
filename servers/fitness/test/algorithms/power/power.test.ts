import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { criticalPower, powerForDuration } from '../../../src/algorithms/power/critical-power.ts';
import { intensityFactor, variabilityIndex } from '../../../src/algorithms/power/intensity-factor.ts';
import { normalizedPower } from '../../../src/algorithms/power/normalized-power.ts';
import { powerCurve } from '../../../src/algorithms/power/power-curve.ts';
import { reasonOf, valueOf } from '../outcome.ts';

const fill = (seconds: number, watts: number): number[] => Array.from({ length: seconds }, () => watts);
const ride = fc.array(fc.integer({ min: 0, max: 1500 }), { minLength: 30, maxLength: 200, size: 'max' });

describe('normalized power', () => {
  test('github.com/mkuthan/garmin-workouts, tests/utils/test_math.py: 5 min 150 W, 5 min 200 W, 5 min 150 W is 172 W', () => {
    const np = valueOf(normalizedPower([...fill(300, 150), ...fill(300, 200), ...fill(300, 150)]));
    expect(Math.abs(np - 172)).toBeLessThan(0.5);
  });

  test('github.com/plawler/routescoop, PowerMetricsUtilsSpec: 1000 s of 200 W is 200 W, 29 s are too short', () => {
    expect(valueOf(normalizedPower(fill(1000, 200)))).toBe(200);
    expect(reasonOf(normalizedPower(fill(29, 200)))).toBe(
      'Normalized power needs at least 30 seconds of power data; there are 29.',
    );
  });

  test('github.com/jamiemitchellconsultants/RouteTimer, NormalizedPowerCalculatorTests: 30 s of 100 W, 30 s of 300 W', () => {
    expect(valueOf(normalizedPower([...fill(30, 100), ...fill(30, 300)]))).toBeCloseTo(223.07, 2);
  });

  // Its examples are series of rolling means; only the steady one is the same as a series of samples.
  test('mathworks.com, Cody problem 3064, "Cycling — Normalized Power", "steady": 3600 s of 200 W is 200 W', () => {
    expect(valueOf(normalizedPower(fill(3600, 200)))).toBeCloseTo(200, 9);
  });

  // By hand from the definition of Allen and Coggan: 31 samples have two windows, of means 100 and 110 W;
  // ((100⁴ + 110⁴) / 2)^¼ = (123 205 000)^¼ = 105.36.
  test('by hand: 30 s of 100 W and 1 s of 400 W is 105.36 W', () => {
    expect(valueOf(normalizedPower([...fill(30, 100), 400]))).toBeCloseTo(105.36, 2);
  });

  // The mean of fourth powers of single samples would be ((200⁴ · 15 + 0) / 30)^¼ = 168 W.
  test('means of 30 seconds come before the fourth power, so one window is its mean', () => {
    expect(valueOf(normalizedPower([...fill(15, 200), ...fill(15, 0)]))).toBeCloseTo(100, 10);
  });

  test('it is at least the mean of the rolling means, and at most the largest sample', () => {
    fc.assert(
      fc.property(ride, (watts) => {
        const np = valueOf(normalizedPower(watts));
        const means = watts
          .slice(29)
          .map((_, end) => watts.slice(end, end + 30).reduce((a, b) => a + b, 0) / 30);
        expect(np).toBeGreaterThanOrEqual(means.reduce((a, b) => a + b, 0) / means.length - 1e-6);
        expect(np).toBeLessThanOrEqual(Math.max(...watts) + 1e-6);
      }),
    );
  });

  test('twice the power is twice the normalized power', () => {
    fc.assert(
      fc.property(ride, (watts) => {
        const double = valueOf(normalizedPower(watts.map((value) => 2 * value)));
        expect(double).toBeCloseTo(2 * valueOf(normalizedPower(watts)), 6);
      }),
    );
  });

  test('more power in one second never lowers it', () => {
    fc.assert(
      fc.property(ride, fc.nat(199), (watts, at) => {
        const more = watts.map((value, index) => (index === at % watts.length ? value + 50 : value));
        expect(valueOf(normalizedPower(more))).toBeGreaterThanOrEqual(valueOf(normalizedPower(watts)) - 1e-9);
      }),
    );
  });

  test('a sample that no rider produces is refused', () => {
    expect(reasonOf(normalizedPower([...fill(30, 100), 65_535]))).toBe(
      'Power is 65535 W: expected 0 to 3000 W.',
    );
    expect(reasonOf(normalizedPower([...fill(30, 100), NaN]))).toBe('Power is NaN W: expected 0 to 3000 W.');
  });
});

describe('intensity factor', () => {
  test.each([
    ['codingace.net, training stress score, easy spin', 150, 250, 0.6],
    ['codingace.net, tempo ride', 200, 250, 0.8],
    ['codingace.net, threshold session', 238, 250, 0.952],
    ['github.com/mkuthan/garmin-workouts, test_math.py', 150, 200, 0.75],
    ['help.zycle.eu, intensity factor', 270, 270, 1],
  ])('%s: %d W of %d W is %d', (_, np, ftp, factor) => {
    expect(valueOf(intensityFactor(np, ftp))).toBeCloseTo(factor, 10);
  });

  test('a threshold out of its limits is refused', () => {
    expect(reasonOf(intensityFactor(200, 20))).toBe(
      'Functional threshold power is 20 W: expected 50 to 600 W.',
    );
  });

  // By hand: 210 / 200, 240 / 200, 200 / 200.
  test.each([
    [210, 200, 1.05],
    [240, 200, 1.2],
    [200, 200, 1],
  ])('variability index: %d W of an average of %d W is %d', (np, average, index) => {
    expect(valueOf(variabilityIndex(np, average))).toBeCloseTo(index, 10);
  });

  test('a ride without power has no variability index', () => {
    expect(reasonOf(variabilityIndex(0, 0))).toBe('Average power is 0 W: expected 1 to 3000 W.');
  });
});

describe('power curve', () => {
  // By hand: the best 3 seconds of 1 2 9 8 1 are 2 9 8, 19 / 3 W from second 1.
  test('by hand: the best averages, and where they begin', () => {
    expect(valueOf(powerCurve([100, 200, 900, 800, 100], [1, 2, 3, 5, 9]))).toEqual([
      { duration_s: 1, power_w: 900, start_s: 2 },
      { duration_s: 2, power_w: 850, start_s: 2 },
      { duration_s: 3, power_w: 1900 / 3, start_s: 1 },
      { duration_s: 5, power_w: 420, start_s: 0 },
    ]);
  });

  test('github.com/plawler/routescoop, PowerMetricsUtilsSpec: the best 3 of ten samples are 167 W from sample 5', () => {
    const [best] = valueOf(powerCurve([100, 150, 200, 100, 150, 150, 150, 200, 100, 200], [3]));
    expect(Math.round(best?.power_w ?? 0)).toBe(167);
    expect(best?.start_s).toBe(5);
  });

  test('github.com/plawler/routescoop, PowerMetricsUtilsSpec: constant power is the best of all durations', () => {
    const durations = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    expect(valueOf(powerCurve(fill(11, 7), durations)).map(({ power_w }) => power_w)).toEqual(fill(11, 7));
  });

  test('a best average is at least that of twice the duration', () => {
    fc.assert(
      fc.property(ride, fc.integer({ min: 1, max: 50 }), (watts, duration) => {
        const [short, long] = valueOf(powerCurve(watts, [duration, 2 * duration]));
        if (short === undefined || long === undefined) return;
        expect(short.power_w).toBeGreaterThanOrEqual(long.power_w - 1e-9);
      }),
    );
  });

  test('a duration that is no whole second is refused', () => {
    expect(reasonOf(powerCurve([1], [0]))).toBe('Duration 0 s: use whole seconds from 1.');
  });
});

describe('critical power', () => {
  test.each([
    ['calculatorhub.com, critical power', [180, 320], [720, 260], 240, 14_400],
    ['calculatorhub.com, critical power cycling', [180, 300], [600, 250], 228.57, 12_857.14],
    // By hand: (1200 · 300 − 300 · 380) / 900 = 246 000 / 900; 114 000 − 300 · 273.33.
    ['by hand from Monod and Scherrer 1965', [300, 380], [1200, 300], 273.33, 32_000],
  ] as const)('%s: %j and %j', (_, one, two, cp, wPrime) => {
    const result = valueOf(
      criticalPower([one, two].map(([duration_s, power_w]) => ({ duration_s, power_w }))),
    );
    expect(result.critical_power_w).toBeCloseTo(cp, 2);
    expect(result.w_prime_j).toBeCloseTo(wPrime, 1);
    expect(result.r_squared).toBeCloseTo(1, 9);
  });

  test('djconnel.blogspot.com, "CP model parameters": CP 260 W and 20 kJ allow 360 W for 200 s', () => {
    expect(valueOf(powerForDuration({ critical_power_w: 260, w_prime_j: 20_000 }, 200))).toBeCloseTo(360, 9);
  });

  test('efforts made from a model give the model back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 400 }),
        fc.integer({ min: 5000, max: 30_000 }),
        (cp, wPrime) => {
          const model = { critical_power_w: cp, w_prime_j: wPrime };
          const efforts = [180, 420, 900].map((duration_s) => ({
            duration_s,
            power_w: valueOf(powerForDuration(model, duration_s)),
          }));
          const found = valueOf(criticalPower(efforts));
          expect(found.critical_power_w).toBeCloseTo(cp, 6);
          expect(found.w_prime_j).toBeCloseTo(wPrime, 3);
        },
      ),
    );
  });

  test.each([
    [
      [{ duration_s: 180, power_w: 300 }],
      'Critical power needs maximal efforts of at least two different durations.',
    ],
    [
      [
        { duration_s: 30, power_w: 600 },
        { duration_s: 600, power_w: 300 },
      ],
      'Duration of an effort is 30 s: expected 120 to 1800 s.',
    ],
    [
      [
        { duration_s: 180, power_w: 200 },
        { duration_s: 600, power_w: 300 },
      ],
      'These efforts do not fit the critical power model: power must fall with duration, and work must rise. Use maximal efforts.',
    ],
  ])('efforts %j are refused', (efforts, reason) => {
    expect(reasonOf(criticalPower(efforts))).toBe(reason);
  });

  test('the model predicts nothing for an hour', () => {
    expect(reasonOf(powerForDuration({ critical_power_w: 260, w_prime_j: 20_000 }, 3600))).toBe(
      'Duration is 3600 s: expected 120 to 1800 s.',
    );
  });
});
