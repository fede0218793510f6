import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { heartRateZones, reserveHeartRate } from '../../../src/algorithms/zones/heart-rate-zones.ts';
import { maxHeartRate } from '../../../src/algorithms/zones/max-heart-rate.ts';
import { powerZones } from '../../../src/algorithms/zones/power-zones.ts';
import { zoneDistribution } from '../../../src/algorithms/zones/zone-distribution.ts';
import { findZone } from '../../../src/algorithms/zones/zone.ts';
import { reasonOf, valueOf } from '../outcome.ts';

describe('maximum heart rate', () => {
  test.each([
    ['heart-rate-calculator.com, Tanaka formula', 'tanaka', 20, 194],
    ['heart-rate-calculator.com, Tanaka formula', 'tanaka', 50, 173],
    ['heart-rate-calculator.com, Tanaka formula', 'tanaka', 80, 152],
    // The page prints 198, 179 and 160.
    ['heart-rate-calculator.com, HUNT formula', 'nes', 20, 198.2],
    ['heart-rate-calculator.com, HUNT formula', 'nes', 50, 179],
    ['heart-rate-calculator.com, HUNT formula', 'nes', 80, 159.8],
    // Printed as a table "age, max HR" by aktieraktier.netlify.app and many others.
    ['table of 220 − age', 'fox', 20, 200],
    ['table of 220 − age', 'fox', 40, 180],
    ['table of 220 − age', 'fox', 60, 160],
  ] as const)('%s: %s at %d is %d bpm', (_, formula, age, rate) => {
    expect(valueOf(maxHeartRate({ age, formula }))).toBeCloseTo(rate, 9);
  });

  // 206 − 0.88 · age. The newspaper prints 171.
  test.each([
    ['USA Today, 2011-09-21', 50, 162],
    ['New York Times in ocala.com, 2010-07-05', 40, 170.8],
    ['by hand from Gulati 2010', 35, 175.2],
    ['by hand from Gulati 2010', 70, 144.4],
  ])('%s: a woman of %d years has %d bpm', (_, age, rate) => {
    expect(valueOf(maxHeartRate({ age, formula: 'gulati', sex: 'female' }))).toBeCloseTo(rate, 9);
  });

  test('it falls with age by every formula', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 36, max: 64 }),
        fc.constantFrom('fox' as const, 'tanaka' as const, 'nes' as const, 'gulati' as const),
        (age, formula) => {
          const at = (years: number): number => valueOf(maxHeartRate({ age: years, formula, sex: 'female' }));
          expect(at(age + 1)).toBeLessThan(at(age));
        },
      ),
    );
  });

  test('Tanaka is the default', () => {
    expect(valueOf(maxHeartRate({ age: 30 }))).toBe(187);
  });

  test.each([
    [{ age: 12 }, 'Age for the formula "tanaka" is 12 years: expected 18 to 81 years.'],
    [
      { age: 30, formula: 'gulati', sex: 'female' },
      'Age for the formula "gulati" is 30 years: expected 35 to 90 years.',
    ],
    [
      { age: 40, formula: 'gulati', sex: 'male' },
      'The formula "gulati" was fitted to women only; use "tanaka" or "nes".',
    ],
    [{ age: 40, formula: 'gulati' }, 'The formula "gulati" was fitted to women only; use "tanaka" or "nes".'],
  ] as const)('%j is refused', (input, reason) => {
    expect(reasonOf(maxHeartRate(input))).toBe(reason);
  });
});

describe('heart rate reserve', () => {
  test.each([
    ['newsinfo.iu.edu/news/page/normal/3041.html', 80, 180, 0.6, 140],
    ['bit1024.com, Karvonen heart rate calculator', 60, 180, 0.75, 150],
    ['bit1024.com, Karvonen heart rate calculator', 70, 200, 0.6, 148],
    ['trainingwithfausto.com, Karvonen formula', 60, 180, 0.9, 168],
  ])('%s: %d to %d bpm at %d is %d bpm', (_, rest, max, share, rate) => {
    expect(valueOf(reserveHeartRate(rest, max, share))).toBeCloseTo(rate, 9);
  });

  test('trainingwithfausto.com, Karvonen formula: zones of 60 to 180 bpm at 132, 144 and 156', () => {
    expect(valueOf(heartRateZones(60, 180))).toEqual([
      { zone: 1, min: 120, max: 132 },
      { zone: 2, min: 132, max: 144 },
      { zone: 3, min: 144, max: 156 },
      { zone: 4, min: 156, max: 168 },
      { zone: 5, min: 168, max: 180 },
    ]);
  });

  // By hand: 50 + 140 · 0.5, 0.6, …
  test('by hand from Karvonen 1957: zones of 50 to 190 bpm', () => {
    expect(valueOf(heartRateZones(50, 190)).map(({ min }) => Math.round(min))).toEqual([
      120, 134, 148, 162, 176,
    ]);
  });

  test('zones follow each other without gaps, from half of the reserve to the maximum', () => {
    fc.assert(
      fc.property(fc.integer({ min: 35, max: 90 }), fc.integer({ min: 130, max: 220 }), (rest, max) => {
        const zones = valueOf(heartRateZones(rest, max));
        expect(zones[0]?.min).toBeCloseTo((rest + max) / 2, 9);
        expect(zones[4]?.max).toBeCloseTo(max, 9);
        for (const [index, zone] of zones.entries()) {
          if (index > 0) expect(zone.min).toBe(zones[index - 1]?.max);
        }
      }),
    );
  });

  test('a resting rate above the maximum, and a share above 1, are refused', () => {
    expect(reasonOf(heartRateZones(100, 100))).toContain('must be below');
    expect(reasonOf(reserveHeartRate(60, 180, 70))).toBe(
      'Share of heart rate reserve is 70: expected 0 to 1.',
    );
  });
});

describe('power zones', () => {
  test('calculatorlib.com, cycling power zones: 250 W has borders at 138, 188, 225 and 263 W', () => {
    const borders = valueOf(powerZones(250)).flatMap(({ max }) => (max === null ? [] : [Math.round(max)]));
    expect(borders).toEqual([138, 188, 225, 263]);
  });

  test('paincave.io, power zones: of 250 W, 138, 188, 225 and 263 W are the ends of zones 1 to 4', () => {
    const ends = valueOf(powerZones(250)).flatMap(({ max }) => (max === null ? [] : [Math.round(max)]));
    expect(ends).toEqual([138, 188, 225, 263]);
  });

  test('github.com/ProvidenceIT/rust-ride, tests/unit/zones_test.rs: ends of zones 1 to 4 of 200 W, of zone 4 of 300 W', () => {
    const ends = valueOf(powerZones(200)).flatMap(({ max }) => (max === null ? [] : [Math.round(max)]));
    expect(ends).toEqual([110, 150, 180, 210]);
    expect(valueOf(powerZones(300))[3]?.max).toBeCloseTo(315, 9);
  });

  test('thestandardengine.com, cycling power zones: of 280 W, zone 1 is up to 154 W', () => {
    expect(valueOf(powerZones(280))[0]?.max).toBeCloseTo(154, 9);
  });

  test('trialsintri.blogspot.com, 2010-02: of 192 W, 144, 173 and 202 W are the ends of zones 2 to 4', () => {
    const borders = valueOf(powerZones(192)).flatMap(({ max }) => (max === null ? [] : [Math.round(max)]));
    expect(borders.slice(1)).toEqual([144, 173, 202]);
  });

  // By hand from the levels of Allen and Coggan: 55, 75, 90 and 105 % of threshold power.
  test.each([
    [200, [0, 110, 150, 180, 210]],
    [250, [0, 137.5, 187.5, 225, 262.5]],
    [300, [0, 165, 225, 270, 315]],
  ])('by hand: threshold of %d W', (ftp, borders) => {
    const zones = valueOf(powerZones(ftp));
    for (const [index, { min }] of zones.entries()) expect(min).toBeCloseTo(borders[index] ?? NaN, 9);
    expect(zones.map(({ max }) => max === null)).toEqual([false, false, false, false, true]);
  });

  test('borders are proportional to threshold power', () => {
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 300 }), (ftp) => {
        const one = valueOf(powerZones(ftp));
        const two = valueOf(powerZones(2 * ftp));
        for (const [index, { min }] of one.entries()) expect(two[index]?.min).toBeCloseTo(2 * min, 9);
      }),
    );
  });

  test('a threshold out of its limits is refused', () => {
    expect(reasonOf(powerZones(700))).toBe('Functional threshold power is 700 W: expected 50 to 600 W.');
  });
});

describe('time in zones', () => {
  const zones = valueOf(heartRateZones(60, 180));

  test('by hand: a value at a border belongs to the upper zone, values above the maximum to the last', () => {
    expect([119, 120, 131, 132, 180, 200].map((rate) => findZone(zones, rate))).toEqual([0, 1, 1, 2, 5, 5]);
  });

  test('by hand: six seconds', () => {
    expect(valueOf(zoneDistribution([100, 125, 125, 150, 150, 150], zones))).toEqual([
      { zone: 0, seconds: 1, share: 1 / 6 },
      { zone: 1, seconds: 2, share: 2 / 6 },
      { zone: 2, seconds: 0, share: 0 },
      { zone: 3, seconds: 3, share: 3 / 6 },
      { zone: 4, seconds: 0, share: 0 },
      { zone: 5, seconds: 0, share: 0 },
    ]);
  });

  test('all seconds are in one zone, and shares add to 1', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 40, max: 220 }), { minLength: 1, maxLength: 200, size: 'max' }),
        (samples) => {
          const times = valueOf(zoneDistribution(samples, zones));
          expect(times.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(samples.length);
          expect(times.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
        },
      ),
    );
  });

  test('no samples and no zones are refused', () => {
    expect(reasonOf(zoneDistribution([], zones))).toBe('A zone distribution needs at least one sample.');
    expect(reasonOf(zoneDistribution([1], []))).toBe('A zone distribution needs at least one zone.');
  });
});
