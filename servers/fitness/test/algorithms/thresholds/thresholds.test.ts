import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ftpFromTest } from '../../../src/algorithms/thresholds/ftp-tests.ts';
import {
  lthrFromMax,
  lthrFromTimeTrial,
} from '../../../src/algorithms/thresholds/lactate-threshold-heart-rate.ts';
import { reasonOf, valueOf } from '../outcome.ts';

const minutes = (count: number, rate: number): number[] => Array.from({ length: 60 * count }, () => rate);

describe('functional threshold power', () => {
  // allcalculators.io/cycling/ftp-test prints the shares 0.95, 0.90 and 0.75; products by hand.
  test.each([
    [
      'trainerroad.com/forum/t/83339: 200 W need "just over 105 %" for 20 minutes',
      'twenty_minutes',
      210.53,
      200,
    ],
    ['trainerroad.com/forum/t/83339: 200 W need "11 % over" for 8 minutes', 'eight_minutes', 222.22, 200],
    // The page prints 295 W.
    ['trainerroad.com/forum/t/17732: 30 s at 387 W and 30 s at 400 W are 295 W', 'ramp', 393.5, 295.125],
    ['by hand: 0.95 · 300', 'twenty_minutes', 300, 285],
    ['by hand: 0.9 · 300', 'eight_minutes', 300, 270],
    ['by hand: 0.75 · 360', 'ramp', 360, 270],
    ['by hand: 0.75 · 400', 'ramp', 400, 300],
    ['by hand: 60 minutes are the threshold', 'sixty_minutes', 270, 270],
  ] as const)('%s', (_, kind, power, ftp) => {
    expect(valueOf(ftpFromTest(kind, power))).toBeCloseTo(ftp, 1);
  });

  test('it is proportional to power, and a shorter test takes a smaller share', () => {
    fc.assert(
      fc.property(fc.integer({ min: 70, max: 300 }), (power) => {
        const [ramp, eight, twenty, sixty] = (
          ['ramp', 'eight_minutes', 'twenty_minutes', 'sixty_minutes'] as const
        ).map((kind) => valueOf(ftpFromTest(kind, power)));
        expect([ramp, eight, twenty, sixty]).toEqual(
          [ramp, eight, twenty, sixty].toSorted((a = 0, b = 0) => a - b),
        );
        expect(valueOf(ftpFromTest('ramp', 2 * power))).toBeCloseTo(2 * (ramp ?? 0), 9);
      }),
    );
  });

  test('power whose threshold is out of its limits is refused', () => {
    expect(reasonOf(ftpFromTest('ramp', 60))).toBe('Power of the test is 60 W: expected 67 to 800 W.');
    expect(reasonOf(ftpFromTest('sixty_minutes', 700))).toBe(
      'Power of the test is 700 W: expected 50 to 600 W.',
    );
  });
});

describe('threshold heart rate', () => {
  test('cyclingforums.com/threads/302921: 91 % of 194 bpm are 177 bpm', () => {
    expect(Math.round(valueOf(lthrFromMax(194, 'well_trained')))).toBe(177);
  });

  // By hand: 85, 88 and 91 % of the maximum.
  test.each([
    ['untrained', 190, 161.5],
    ['trained', 200, 176],
    ['well_trained', 180, 163.8],
  ] as const)('by hand: %s with a maximum of %d bpm', (training, max, lthr) => {
    expect(valueOf(lthrFromMax(max, training))).toBeCloseTo(lthr, 9);
  });

  // Friel's definition (joefrieltraining.com/?p=194); averages by hand.
  test.each([
    ['ten minutes of 150 do not count', [...minutes(10, 150), ...minutes(20, 170)], 170],
    ['(160 · 10 + 180 · 10) / 20', [...minutes(10, 120), ...minutes(10, 160), ...minutes(10, 180)], 170],
    ['minutes after the 30th do not count', [...minutes(30, 165), ...minutes(10, 100)], 165],
  ])('by hand from the test of Friel: %s', (_, rates, lthr) => {
    expect(valueOf(lthrFromTimeTrial(rates))).toBeCloseTo(lthr, 9);
  });

  test('more beats in the last 20 minutes raise it by their share', () => {
    fc.assert(
      fc.property(fc.integer({ min: 120, max: 180 }), fc.integer({ min: 600, max: 1799 }), (rate, second) => {
        const rates = minutes(30, rate);
        rates[second] = rate + 12;
        expect(valueOf(lthrFromTimeTrial(rates)) - rate).toBeCloseTo(12 / 1200, 9);
      }),
    );
  });

  test('a shorter test, and a threshold out of its limits, are refused', () => {
    expect(reasonOf(lthrFromTimeTrial(minutes(20, 170)))).toBe(
      'The test needs 30 minutes of heart rate; there are 20 min.',
    );
    expect(reasonOf(lthrFromTimeTrial(minutes(30, 90)))).toBe(
      'Lactate threshold heart rate is 90 bpm: expected 100 to 200 bpm.',
    );
    expect(reasonOf(lthrFromMax(50))).toBe('Maximum heart rate is 50 bpm: expected 100 to 220 bpm.');
  });
});
