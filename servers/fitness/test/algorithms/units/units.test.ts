import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { energyOfWork, fromKilocalories, toKilocalories } from '../../../src/algorithms/units/energy.ts';
import { fromFeet, fromMiles, toFeet, toMiles } from '../../../src/algorithms/units/length.ts';
import { fromPounds, toPounds } from '../../../src/algorithms/units/mass.ts';
import { formatDuration, formatPace, fromPace, toPace } from '../../../src/algorithms/units/pace.ts';
import { reasonOf, valueOf } from '../outcome.ts';

describe('units', () => {
  // NIST Special Publication 811, appendix B.8.
  test('NIST SP 811: mile 1609.344 m, foot 0.3048 m, pound 0.453 592 37 kg, calorie 4.184 J', () => {
    expect(fromMiles(1)).toBe(1609.344);
    expect(fromFeet(1)).toBe(0.3048);
    expect(fromPounds(1)).toBe(0.45359237);
    expect(fromKilocalories(1)).toBe(4.184);
  });

  test('a conversion and its inverse give the value back', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e6, noNaN: true }), (value) => {
        for (const back of [
          fromMiles(toMiles(value)),
          fromFeet(toFeet(value)),
          fromPounds(toPounds(value)),
          fromKilocalories(toKilocalories(value)),
          valueOf(toPace(valueOf(fromPace(value, 'mi')), 'mi')),
        ]) {
          expect(back / value).toBeCloseTo(1, 12);
        }
      }),
    );
  });

  // Daniels' Running Formula, 3rd edition, table 5.1: VDOT 46.4 as printed by runworks.com for 15 km in 1:07:48.
  test.each([
    [5000 / 1275.1, '4:15 /km', '6:50 /mi'],
    [10_000 / 2643.9, '4:24 /km', '7:05 /mi'],
    [42_195 / 12_178.7, '4:49 /km', '7:45 /mi'],
  ])('runworks.com race calculator: %f m/s is %s and %s', (speed, perKm, perMile) => {
    expect(formatPace(valueOf(toPace(speed, 'km')), 'km')).toBe(perKm);
    expect(formatPace(valueOf(toPace(speed, 'mi')), 'mi')).toBe(perMile);
  });

  test('durations are rounded to seconds before they are split', () => {
    expect(['59.6', '3599.7', '11449', '5'].map((seconds) => formatDuration(Number(seconds)))).toEqual([
      '1:00',
      '1:00:00',
      '3:10:49',
      '0:05',
    ]);
  });

  test('standing still has no pace', () => {
    expect(reasonOf(toPace(0, 'km'))).toBe('A pace needs a speed above 0 m/s.');
    expect(reasonOf(fromPace(NaN, 'km'))).toBe('A speed needs a pace above 0 seconds.');
  });
});

describe('energy of work', () => {
  // By hand: 1000 kJ / 0.25 = 4000 kJ = 956.02 kcal.
  test.each([
    [1000, 0.25, 956.02],
    [1000, 0.2, 1195.03],
    [600, 0.24, 597.51],
  ])('%d kJ with an efficiency of %d', (work, efficiency, kcal) => {
    expect(valueOf(energyOfWork(work, efficiency))).toBeCloseTo(kcal, 2);
  });

  test('with the usual efficiency, kJ of work and kcal of energy are the same within 1 %', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), (work) => {
        expect(valueOf(energyOfWork(work)) / work).toBeCloseTo(1, 2);
      }),
    );
  });

  test('an efficiency of muscles above 30 % is refused', () => {
    expect(reasonOf(energyOfWork(100, 0.5))).toBe('Gross efficiency is 0.5: expected 0.15 to 0.3.');
  });
});
