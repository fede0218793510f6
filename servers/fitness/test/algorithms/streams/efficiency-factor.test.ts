import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { efficiencyFactor } from '../../../src/algorithms/streams/efficiency-factor.ts';
import { reasonOf, valueOf } from '../outcome.ts';

describe('efficiency factor', () => {
  test.each([
    ['cyklopedia.cc, Efficiency Factor: 220 W at 150 bpm', 220, 150, 1.47],
    ['cyklopedia.cc, 22 December: 180 W at 130 bpm', 180, 130, 1.38],
    ['cyklopedia.cc, 23 February: 206 W at 132 bpm', 206, 132, 1.56],
    ['longevityclub.com.ua, Running Efficiency: 5:00 /km, 200 m/min, at 150 bpm', 200, 150, 1.33],
    ['longevityclub.com.ua, Running Efficiency: 4:00 /km, 250 m/min, at 150 bpm', 250, 150, 1.67],
  ])('%s', (_, output, heartRate, expected) => {
    expect(valueOf(efficiencyFactor(output, heartRate))).toBeCloseTo(expected, 2);
  });

  test('it rises with output, and falls with heart rate', () => {
    const output = fc.double({ min: 1, max: 1500, noNaN: true });
    const heartRate = fc.integer({ min: 30, max: 229 });
    fc.assert(
      fc.property(output, heartRate, (watts, rate) => {
        const value = valueOf(efficiencyFactor(watts, rate));
        expect(valueOf(efficiencyFactor(2 * watts, rate))).toBeCloseTo(2 * value, 9);
        expect(valueOf(efficiencyFactor(watts, rate + 1))).toBeLessThan(value);
      }),
    );
  });

  test.each([
    [0, 140, 'Output is 0: expected 1 to 3000.'],
    [200, 20, 'Heart rate is 20 bpm: expected 30 to 230 bpm.'],
    [Number.NaN, 140, 'Output is NaN: expected 1 to 3000.'],
  ])('%d at %d bpm is refused', (output, heartRate, reason) => {
    expect(reasonOf(efficiencyFactor(output, heartRate))).toBe(reason);
  });
});
