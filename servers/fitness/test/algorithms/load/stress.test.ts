import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { heartRateStressScore } from '../../../src/algorithms/load/heart-rate-stress.ts';
import { trainingStressScore } from '../../../src/algorithms/load/training-stress.ts';
import { normalizedPower } from '../../../src/algorithms/power/normalized-power.ts';
import { reasonOf, valueOf } from '../outcome.ts';

const session = fc.record({
  duration_s: fc.integer({ min: 60, max: 40_000 }),
  normalized_power_w: fc.integer({ min: 50, max: 400 }),
  ftp_w: fc.integer({ min: 100, max: 450 }),
});

describe('training stress score', () => {
  // codingace.net, training stress score: the table of examples, FTP 250 W.
  test.each([
    ['easy spin', 3600, 150, 36],
    ['tempo ride', 5400, 200, 96],
    ['threshold session', 4500, 238, 113.29],
    ['long endurance ride', 10_800, 175, 147],
  ])('codingace.net: %s', (_, duration_s, normalized_power_w, tss) => {
    expect(valueOf(trainingStressScore({ duration_s, normalized_power_w, ftp_w: 250 }))).toBeCloseTo(tss, 2);
  });

  test('Coggan, by definition: one hour at threshold is 100', () => {
    const hour = { duration_s: 3600, normalized_power_w: 287, ftp_w: 287 };
    expect(valueOf(trainingStressScore(hour))).toBe(100);
  });

  // (s · NP · IF) / (FTP · 3600) · 100, as joefrielsblog.com and midlandbikefit.com print it.
  test('joefrielsblog.com, "What is TSS": both forms of the formula agree', () => {
    fc.assert(
      fc.property(session, (input) => {
        const { duration_s: s, normalized_power_w: np, ftp_w: ftp } = input;
        expect(valueOf(trainingStressScore(input))).toBeCloseTo(
          ((s * np * (np / ftp)) / (ftp * 3600)) * 100,
          8,
        );
      }),
    );
  });

  test('intervals have a higher score by normalized power than by average power', () => {
    const watts = Array.from({ length: 3600 }, (_, second) => (second % 300 < 150 ? 300 : 100));
    const np = valueOf(normalizedPower(watts));
    const byNormalized = valueOf(
      trainingStressScore({ duration_s: 3600, normalized_power_w: np, ftp_w: 250 }),
    );
    const byAverage = valueOf(trainingStressScore({ duration_s: 3600, normalized_power_w: 200, ftp_w: 250 }));
    expect(byAverage).toBeCloseTo(64, 10);
    expect(byNormalized).toBeGreaterThan(80);
  });

  test('it is proportional to time, and rises with the square of power', () => {
    fc.assert(
      fc.property(session, (input) => {
        const one = valueOf(trainingStressScore(input));
        expect(valueOf(trainingStressScore({ ...input, duration_s: 2 * input.duration_s }))).toBeCloseTo(
          2 * one,
          8,
        );
        const harder = { ...input, normalized_power_w: 2 * input.normalized_power_w };
        expect(valueOf(trainingStressScore(harder))).toBeCloseTo(4 * one, 8);
      }),
    );
  });

  test('no time and no threshold are refused', () => {
    expect(reasonOf(trainingStressScore({ duration_s: 0, normalized_power_w: 200, ftp_w: 250 }))).toBe(
      'Duration is 0 s: expected 1 to 172800 s.',
    );
    expect(reasonOf(trainingStressScore({ duration_s: 60, normalized_power_w: 200, ftp_w: 0 }))).toBe(
      'Functional threshold power is 0 W: expected 50 to 600 W.',
    );
  });
});

describe('stress score from heart rate', () => {
  test('mindfulrunner.co.za, training stress score: an hour at 90 % of the threshold is 81', () => {
    const hour = { duration_s: 3600, average_hr: 153, lthr: 170 };
    expect(valueOf(heartRateStressScore(hour))).toBeCloseTo(81, 10);
  });

  test('geratools.com, running training load: an hour at the threshold is 100', () => {
    const hour = { duration_s: 3600, average_hr: 165, lthr: 165 };
    expect(valueOf(heartRateStressScore(hour))).toBe(100);
  });

  test('github.com/dengxuhui/igpsport-mcp, tests/test_hr.py: two hours at 128 bpm of 160 bpm are 128', () => {
    const hours = { duration_s: 7200, average_hr: 128, lthr: 160 };
    expect(valueOf(heartRateStressScore(hours))).toBeCloseTo(128, 9);
  });

  // By hand from the formula of the first two pages, hours · (HR / LTHR)² · 100.
  test.each([
    ['1.5 · (155 / 165)² · 100 = 1.5 · 0.88246 · 100', 5400, 155, 165, 132.37],
    ['2 · (136 / 170)² · 100 = 2 · 0.64 · 100', 7200, 136, 170, 128],
    ['0.5 · (171 / 180)² · 100 = 0.5 · 0.9025 · 100', 1800, 171, 180, 45.125],
  ])('by hand: %s', (_, duration_s, average_hr, lthr, score) => {
    expect(valueOf(heartRateStressScore({ duration_s, average_hr, lthr }))).toBeCloseTo(score, 2);
  });

  test('a higher heart rate has a higher score, a higher threshold a lower one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 90, max: 160 }),
        fc.integer({ min: 150, max: 190 }),
        (average_hr, lthr) => {
          const score = (hr: number, threshold: number): number =>
            valueOf(heartRateStressScore({ duration_s: 3600, average_hr: hr, lthr: threshold }));
          expect(score(average_hr + 1, lthr)).toBeGreaterThan(score(average_hr, lthr));
          expect(score(average_hr, lthr + 1)).toBeLessThan(score(average_hr, lthr));
        },
      ),
    );
  });

  test.each([
    [60, 170, 'Average heart rate as a share of the threshold is 35.3 %: expected 40 to 115 %.'],
    [195, 150, 'Average heart rate as a share of the threshold is 130 %: expected 40 to 115 %.'],
    [150, 90, 'Lactate threshold heart rate is 90 bpm: expected 100 to 200 bpm.'],
  ])('an average of %d bpm with a threshold of %d bpm is refused', (average_hr, lthr, reason) => {
    expect(reasonOf(heartRateStressScore({ duration_s: 3600, average_hr, lthr }))).toBe(reason);
  });
});
