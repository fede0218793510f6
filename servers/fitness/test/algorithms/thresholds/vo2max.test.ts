import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { astrandVo2max } from '../../../src/algorithms/thresholds/vo2max-astrand.ts';
import { bruceVo2max } from '../../../src/algorithms/thresholds/vo2max-bruce.ts';
import { cooperVo2max } from '../../../src/algorithms/thresholds/vo2max-cooper.ts';
import { rockportVo2max } from '../../../src/algorithms/thresholds/vo2max-rockport.ts';
import { raceVo2max } from '../../../src/algorithms/thresholds/vo2max-vdot.ts';
import { fromMiles } from '../../../src/algorithms/units/length.ts';
import { fromPounds, toPounds } from '../../../src/algorithms/units/mass.ts';
import { reasonOf, valueOf } from '../outcome.ts';

describe('VO2max by the test of Cooper', () => {
  test.each([
    ['abracalc.com, Cooper test', 2400, 42.36],
    ['calculatorlib.com, Cooper test', 2800, 51.31],
    ['thestandardengine.com, Cooper test', 2700, 49.07],
  ])('%s: %d m is %d', (_, distance, vo2max) => {
    expect(Math.abs(valueOf(cooperVo2max(distance)) - vo2max)).toBeLessThan(0.015);
  });

  // JAMA 203:201, the table of distances in miles and VO2max; it has 0.5 ml/kg/min of rounding against the equation.
  test.each([
    [1.25, 33.8],
    [1.5, 42.6],
    [1.75, 51.6],
    [2, 60.2],
  ])('Cooper 1968, table: %d miles is %d', (miles, vo2max) => {
    expect(Math.abs(valueOf(cooperVo2max(fromMiles(miles))) - vo2max)).toBeLessThan(0.6);
  });

  test('447.3 m more are 10 ml/kg/min more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1400, max: 4000 }), (distance) => {
        const gain = valueOf(cooperVo2max(distance + 447.3)) - valueOf(cooperVo2max(distance));
        expect(gain).toBeCloseTo(10, 9);
      }),
    );
  });

  test('distances that nobody runs in 12 minutes are refused', () => {
    expect(reasonOf(cooperVo2max(5000))).toBe('Distance in 12 minutes is 5000 m: expected 1400 to 4500 m.');
    expect(reasonOf(cooperVo2max(1.5))).toBe('Distance in 12 minutes is 1.5 m: expected 1400 to 4500 m.');
  });
});

describe('VO2max by the walk of Rockport', () => {
  const walk = { weight_kg: fromPounds(170), age: 45, sex: 'male', time_s: 810, heart_rate: 130 } as const;

  const woman = { weight_kg: fromPounds(150), age: 30, sex: 'female', time_s: 912, heart_rate: 128 } as const;

  // The first two are printed as "about 40" and "about 46", the third one to a tenth.
  test.each([
    ['jems.com, January 2009: a woman of 30 years, 150 lb, 15:12, 128 bpm', woman, 40],
    ['jems.com, January 2009: a man with the same values', { ...woman, sex: 'male' }, 46],
    [
      'calcbee.pages.dev, Rockport: a man of 45 years, 170 lb, 14:30, 140 bpm',
      { ...walk, time_s: 870, heart_rate: 140 },
      39.4,
    ],
  ] as const)('%s', (_, input, vo2max) => {
    const value = valueOf(rockportVo2max(input));
    expect(Number.isInteger(vo2max) ? Math.round(value) : Number(value.toFixed(1))).toBe(vo2max);
  });

  // By hand from the equation of Kline 1987: 132.853 − 0.0769 · lb − 0.3877 · age + 6.315 (men) − 3.2649 · min − 0.1565 · bpm.
  test.each([
    // − 13.073 − 17.4465 + 6.315 − 44.07615 − 20.345
    ['a man of 45 years, 170 lb, 13:30, 130 bpm', walk, 44.227],
    // − 9.997 − 20.1604 − 41.627475 − 23.0055; the walker of wizedu.com/questions/583451, who is asked for 147 bpm
    [
      'a woman of 52 years, 130 lb, 12:45, 147 bpm',
      { weight_kg: fromPounds(130), age: 52, sex: 'female', time_s: 765, heart_rate: 147 },
      38.063,
    ],
    // − 15.38 − 11.631 + 6.315 − 48.9735 − 21.91
    [
      'a man of 30 years, 200 lb, 15:00, 140 bpm',
      { weight_kg: fromPounds(200), age: 30, sex: 'male', time_s: 900, heart_rate: 140 },
      41.2735,
    ],
  ] as const)('by hand from Kline 1987: %s', (_, input, vo2max) => {
    expect(valueOf(rockportVo2max(input))).toBeCloseTo(vo2max, 3);
  });

  // NCI C5237847: 6.9652 + 0.0091 · lb − 0.0257 · age + 0.5955 (men) − 0.2240 · min − 0.0115 · bpm in l/min.
  test('NCI thesaurus C5237847: the equation of Kline in l/min agrees within 1 ml/kg/min', () => {
    const litres =
      6.9652 + 0.0091 * toPounds(walk.weight_kg) - 0.0257 * 45 + 0.5955 - 0.224 * 13.5 - 0.0115 * 130;
    expect(Math.abs(valueOf(rockportVo2max(walk)) - (1000 * litres) / walk.weight_kg)).toBeLessThan(1);
  });

  test('a slower mile, a higher heart rate, more weight and more years lower it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 30, max: 68 }),
        fc.integer({ min: 45, max: 100 }),
        fc.integer({ min: 600, max: 900 }),
        fc.integer({ min: 80, max: 150 }),
        (age, weight_kg, time_s, heart_rate) => {
          const base = { age, weight_kg, time_s, heart_rate, sex: 'female' } as const;
          const value = valueOf(rockportVo2max(base));
          for (const worse of [
            { age: age + 1 },
            { weight_kg: weight_kg + 1 },
            { time_s: time_s + 1 },
            { heart_rate: heart_rate + 1 },
          ]) {
            expect(valueOf(rockportVo2max({ ...base, ...worse }))).toBeLessThan(value);
          }
          expect(valueOf(rockportVo2max({ ...base, sex: 'male' })) - value).toBeCloseTo(6.315, 9);
        },
      ),
    );
  });

  test.each([
    [{ age: 26 }, 'Age is 26 years: expected 30 to 69 years.'],
    [{ age: 75 }, 'Age is 75 years: expected 30 to 69 years.'],
    [{ time_s: 360 }, 'Time for the mile is 6 min: expected 9 to 25 min.'],
    [{ heart_rate: 24.5 }, 'Heart rate is 24.5 bpm: expected 60 to 220 bpm.'],
  ])('%j is refused', (change, reason) => {
    expect(reasonOf(rockportVo2max({ ...walk, ...change }))).toBe(reason);
  });
});

describe('VO2max by the bicycle test of Åstrand', () => {
  // The table of Åstrand and Rodahl, Textbook of Work Physiology, in l/min for men, by heart rate and load. A weight of
  // 100 kg and an age of 25 years (factor 1) make 1 l/min 10 ml/kg/min. The table is read from the nomogram to 0.1 l/min.
  test.each([
    [120, 150, 4.8],
    [130, 150, 4.1],
    [130, 200, 5.5],
    [140, 150, 3.6],
    [140, 200, 4.8],
    [140, 250, 6],
    [150, 150, 3.2],
    [150, 200, 4.2],
    [150, 250, 5.3],
  ])('Åstrand and Rodahl, table for men: %d bpm at %d W is %d l/min', (heart_rate, power_w, litres) => {
    const vo2max = valueOf(astrandVo2max({ sex: 'male', age: 25, weight_kg: 100, power_w, heart_rate }));
    expect(Math.abs(vo2max / 10 - litres)).toBeLessThan(0.1);
  });

  // By hand: 1.5 · (198 − 72) / (140 − 72) = 2.7794 l/min; · 1000 / 60 kg.
  test('by hand: a woman of 60 kg with 140 bpm at 100 W has 46.32 ml/kg/min', () => {
    const test60 = { sex: 'female', age: 25, weight_kg: 60, power_w: 100, heart_rate: 140 } as const;
    expect(valueOf(astrandVo2max(test60))).toBeCloseTo(46.32, 2);
  });

  // By hand: 2.1 · (195 − 61) / (140 − 61) = 3.5620 l/min; · 1000 / 70 kg.
  test('by hand: a man of 70 kg with 140 bpm at 150 W has 50.89 ml/kg/min', () => {
    const test70 = { sex: 'male', age: 25, weight_kg: 70, power_w: 150, heart_rate: 140 } as const;
    expect(valueOf(astrandVo2max(test70))).toBeCloseTo(50.886, 2);
  });

  // I. Åstrand 1960: factors of age.
  test.each([
    [15, 1.1],
    [35, 0.87],
    [50, 0.75],
    [65, 0.65],
  ])('I. Åstrand 1960: the factor for %d years is %d', (age, factor) => {
    const at = (years: number): number =>
      valueOf(astrandVo2max({ sex: 'male', age: years, weight_kg: 70, power_w: 150, heart_rate: 140 }));
    expect(at(age) / at(25)).toBeCloseTo(factor, 9);
  });

  test('the same load at a lower heart rate, and more load at the same rate, are more', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 125, max: 169 }),
        fc.integer({ min: 50, max: 149 }),
        (heart_rate, power_w) => {
          const base = { sex: 'female', age: 40, weight_kg: 65, power_w, heart_rate } as const;
          const value = valueOf(astrandVo2max(base));
          expect(valueOf(astrandVo2max({ ...base, heart_rate: heart_rate + 1 }))).toBeLessThan(value);
          expect(valueOf(astrandVo2max({ ...base, power_w: power_w + 1 }))).toBeGreaterThan(value);
        },
      ),
    );
  });

  test.each([
    [{ heart_rate: 110 }, 'Heart rate is 110 bpm: expected 120 to 170 bpm.'],
    [{ heart_rate: 180 }, 'Heart rate is 180 bpm: expected 120 to 170 bpm.'],
    [{ power_w: 400 }, 'Load is 400 W: expected 50 to 300 W.'],
    [{ age: 80 }, 'Age is 80 years: expected 15 to 65 years.'],
  ])('%j is refused', (change, reason) => {
    const base = { sex: 'male', age: 30, weight_kg: 70, power_w: 150, heart_rate: 140 } as const;
    expect(reasonOf(astrandVo2max({ ...base, ...change }))).toBe(reason);
  });
});

describe('VO2max by the protocol of Bruce', () => {
  test.each([
    ['fitliferegime.com, Bruce protocol: a man, 12:30', 12.5, 44.59, 2],
    ['summacalculator.com, Bruce protocol: a man, 13 minutes', 13, 46.7, 1],
  ])('%s', (_, minutes, vo2max, digits) => {
    expect(Number(valueOf(bruceVo2max('male', 60 * minutes)).toFixed(digits))).toBe(vo2max);
  });

  // By hand from Foster 1984 for men, 14.8 − 1.379 t + 0.451 t² − 0.012 t³, and Pollock 1982 for women, 4.38 t − 3.9.
  test.each([
    ['14.8 − 12.411 + 36.531 − 8.748', 'male', 9, 30.172],
    ['14.8 − 16.548 + 64.944 − 20.736', 'male', 12, 42.46],
    ['14.8 − 20.685 + 101.475 − 40.5', 'male', 15, 55.09],
    ['39.42 − 3.9', 'female', 9, 35.52],
    ['52.56 − 3.9', 'female', 12, 48.66],
    ['65.7 − 3.9', 'female', 15, 61.8],
  ] as const)('by hand: %s', (_, sex, minutes, vo2max) => {
    expect(valueOf(bruceVo2max(sex, 60 * minutes))).toBeCloseTo(vo2max, 6);
  });

  test('more time is more VO2max', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 300, max: 1259 }),
        fc.constantFrom('male' as const, 'female' as const),
        (time, sex) => {
          expect(valueOf(bruceVo2max(sex, time + 1))).toBeGreaterThan(valueOf(bruceVo2max(sex, time)));
        },
      ),
    );
  });

  test('less than one stage, and more than seven, are refused', () => {
    expect(reasonOf(bruceVo2max('male', 60))).toBe('Time on the treadmill is 1 min: expected 3 to 21 min.');
    expect(reasonOf(bruceVo2max('female', 1800))).toBe(
      'Time on the treadmill is 30 min: expected 3 to 21 min.',
    );
  });
});

describe('VO2max from a race', () => {
  test.each([
    [5000, 1197, 50],
    [10_000, 3003, 40],
    [42_195, 9805, 60],
  ])(
    "Daniels' Running Formula, table 5.1: %d m in %d s is VDOT %d, which is VO2max itself",
    (distance, time, value) => {
      expect(Math.abs(valueOf(raceVo2max(distance, time)) - value)).toBeLessThan(0.2);
    },
  );

  test('a walk is refused', () => {
    expect(reasonOf(raceVo2max(5000, 3600))).toContain('VDOT is 12.7 ml');
  });
});

describe('an estimate of VO2max that nobody has', () => {
  test.each([
    [
      rockportVo2max({ sex: 'female', age: 68, weight_kg: 120, time_s: 1400, heart_rate: 180 }),
      'The estimate of VO2max is -18.2059 ml/kg/min: expected 10 to 90 ml/kg/min. Check the values of the test.',
    ],
    [
      astrandVo2max({ sex: 'male', age: 20, weight_kg: 40, power_w: 300, heart_rate: 120 }),
      'The estimate of VO2max is 250.398 ml/kg/min: expected 10 to 90 ml/kg/min. Check the values of the test.',
    ],
    [
      bruceVo2max('female', 180),
      'The estimate of VO2max is 9.24 ml/kg/min: expected 10 to 90 ml/kg/min. Check the values of the test.',
    ],
  ])('%j is refused', (estimate, reason) => {
    expect(reasonOf(estimate)).toBe(reason);
  });
});
