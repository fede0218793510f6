import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { oxygenCost, speedAtOxygenCost } from '../../../src/algorithms/running/oxygen-cost.ts';
import { riegelTime } from '../../../src/algorithms/running/riegel.ts';
import { trainingPaces } from '../../../src/algorithms/running/training-paces.ts';
import { raceTime, vdot } from '../../../src/algorithms/running/vdot.ts';
import { reasonOf, valueOf } from '../outcome.ts';

/** Seconds of `2:21:04` or `30:40`. */
const seconds = (time: string): number => time.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);

const MILE = 1609.344;
const HALF = 21_097.5;
const MARATHON = 42_195;

// Daniels' Running Formula, 3rd edition, table 5.1. The table has rounding and small errors, which grow with the
// distance; the tolerances are 0.15 % of the time, and 0.2 VDOT.
const TABLE = [
  [30, 1500, '8:30'],
  [30, 5000, '30:40'],
  [30, 10_000, '63:46'],
  [30, HALF, '2:21:04'],
  [40, 1500, '6:35'],
  [40, 5000, '24:08'],
  [40, 10_000, '50:03'],
  [40, HALF, '1:50:59'],
  [40, MARATHON, '3:49:45'],
  [50, MILE, '5:50'],
  [50, 5000, '19:57'],
  [50, 10_000, '41:21'],
  [50, HALF, '1:31:35'],
  [50, MARATHON, '3:10:49'],
  [60, MILE, '4:57'],
  [60, 5000, '17:03'],
  [60, 10_000, '35:22'],
  [60, HALF, '1:18:09'],
  [60, MARATHON, '2:43:25'],
  [70, 5000, '14:55'],
  [70, 10_000, '31:00'],
  [70, MARATHON, '2:23:10'],
  [80, 3000, '7:37'],
  [80, 5000, '13:17'],
  [80, 10_000, '27:41'],
  [80, MARATHON, '2:07:38'],
] as const;

describe('VDOT', () => {
  test.each(TABLE)(
    "Daniels' Running Formula, 3rd edition, table 5.1: VDOT %d for %d m in %s",
    (value, distance, time) => {
      expect(Math.abs(valueOf(vdot(distance, seconds(time))) - value)).toBeLessThan(0.2);
    },
  );

  test('github.com/tlgs/vdot, notebooks/1-basics.ipynb: 5 km in 24:34 is 39.11039839652726', () => {
    expect(valueOf(vdot(5000, seconds('24:34')))).toBeCloseTo(39.11039839652726, 10);
  });

  test('runworks.com (marathonquest.blogspot.com, 2007-09-03): 15 km in 1:07:48 is 46.4', () => {
    expect(valueOf(vdot(15_000, seconds('1:07:48')))).toBeCloseTo(46.4, 1);
  });

  test('aifithub.io, "3:15 marathon": VDOT 48.7', () => {
    expect(valueOf(vdot(MARATHON, seconds('3:15:00')))).toBeCloseTo(48.7, 1);
  });

  test('a faster race has a higher VDOT', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1500, max: 30_000 }),
        fc.double({ min: 2.5, max: 4.5, noNaN: true }),
        (m, speed) => {
          const time = m / speed;
          fc.pre(time > 240 && time < 14_000);
          expect(valueOf(vdot(m, time * 0.99))).toBeGreaterThan(valueOf(vdot(m, time)));
        },
      ),
    );
  });

  test.each([
    [1000, seconds('3:00'), 'Race time is 3 min: expected 3.5 to 240 min.'],
    [MARATHON, seconds('4:10:00'), 'Race time is 250 min: expected 3.5 to 240 min.'],
    [400, seconds('4:00'), 'Distance is 400 m: expected 800 to 50000 m.'],
    [
      10_000,
      seconds('20:00'),
      'VDOT is 118.1 ml/kg/min: expected 15 to 90 ml/kg/min. Check the distance and the time of the race.',
    ],
    [
      3000,
      seconds('1:00:00'),
      'VDOT is 5.4 ml/kg/min: expected 15 to 90 ml/kg/min. Check the distance and the time of the race.',
    ],
  ])('%d m in %d s is refused', (distance, time, reason) => {
    expect(reasonOf(vdot(distance, time))).toBe(reason);
  });
});

describe('race time from VDOT', () => {
  test.each(TABLE)(
    "Daniels' Running Formula, 3rd edition, table 5.1: VDOT %d runs %d m in %s",
    (value, distance, time) => {
      const predicted = valueOf(raceTime(value, distance));
      expect(Math.abs(predicted - seconds(time)) / seconds(time)).toBeLessThan(0.0025);
    },
  );

  test.each([
    [5000, '24:34'],
    [10_000, '50:58'],
    [HALF, '1:53:02'],
    [MARATHON, '3:53:54'],
  ])('github.com/tlgs/vdot, notebooks/1-basics.ipynb: after 5 km in 24:34, %d m in %s', (distance, time) => {
    const predicted = valueOf(raceTime(39.11039839652726, distance));
    expect(Math.floor(predicted + 1e-6)).toBe(seconds(time));
  });

  test('it is the inverse of VDOT', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 30, max: 80 }),
        fc.constantFrom(3000, 5000, 10_000, HALF),
        (value, distance) => {
          expect(valueOf(vdot(distance, valueOf(raceTime(value, distance))))).toBeCloseTo(value, 8);
        },
      ),
    );
  });

  test('a higher VDOT is faster, and a longer race takes longer at a slower pace', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 40, max: 80 }),
        fc.integer({ min: 2000, max: 20_000 }),
        (value, distance) => {
          const time = valueOf(raceTime(value, distance));
          expect(valueOf(raceTime(value + 1, distance))).toBeLessThan(time);
          const longer = valueOf(raceTime(value, distance * 2));
          expect(longer).toBeGreaterThan(2 * time);
        },
      ),
    );
  });

  test('times out of 3.5 to 240 minutes are refused', () => {
    expect(reasonOf(raceTime(30, MARATHON))).toBe(
      'A runner of VDOT 30 takes less than 3.5 or more than 240 minutes for 42195 m; the equations do not hold there.',
    );
    expect(reasonOf(raceTime(85, 800))).toContain('less than 3.5');
    expect(reasonOf(raceTime(120, 5000))).toBe('VDOT is 120 ml/kg/min: expected 15 to 90 ml/kg/min.');
  });
});

describe('training paces', () => {
  // Daniels' Running Formula, 3rd edition, table 5.2: threshold pace for 1 km; it is the pace at 88 % of VDOT.
  test.each([
    [40, '5:06'],
    [50, '4:15'],
    [60, '3:40'],
    [70, '3:14'],
  ])("Daniels' Running Formula, 3rd edition, table 5.2: threshold of VDOT %d is %s /km", (value, pace) => {
    const threshold = valueOf(trainingPaces(value)).find(({ name }) => name === 'threshold');
    expect(Math.abs(1000 / (threshold?.fastest_mps ?? 1) - seconds(pace))).toBeLessThan(1.5);
  });

  test('kinds of training are in order of speed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 25, max: 85 }), (value) => {
        const paces = valueOf(trainingPaces(value));
        const middles = paces.map(({ slowest_mps, fastest_mps }) => slowest_mps + fastest_mps);
        expect(middles).toEqual(middles.toSorted((a, b) => a - b));
        for (const { slowest_mps, fastest_mps } of paces) expect(slowest_mps).toBeLessThan(fastest_mps);
      }),
    );
  });

  test('speed at an oxygen cost is the inverse of oxygen cost', () => {
    fc.assert(
      fc.property(fc.double({ min: 80, max: 420, noNaN: true }), (speed) => {
        expect(speedAtOxygenCost(oxygenCost(speed))).toBeCloseTo(speed, 6);
      }),
    );
  });

  test('a VDOT out of its bounds is refused', () => {
    expect(reasonOf(trainingPaces(5))).toBe('VDOT is 5 ml/kg/min: expected 15 to 90 ml/kg/min.');
  });
});

describe('Riegel', () => {
  test.each([
    ['train.inquilinos.me, Riegel race time prediction', 5000, '22:00', 10_000, '45:52'],
    ['train.inquilinos.me, Riegel race time prediction', 5000, '22:00', HALF, '1:41:12'],
    ['train.inquilinos.me, Riegel race time prediction', 5000, '22:00', MARATHON, '3:31:00'],
    ['calcso.com, race time predictor', 5000, '25:00', 10_000, '52:08'],
  ])('%s: %d m in %s predicts %d m in %s', (_, distance_m, time, target, predicted) => {
    const result = valueOf(riegelTime({ distance_m, time_s: seconds(time) }, target));
    expect(Math.abs(result - seconds(predicted))).toBeLessThanOrEqual(2);
  });

  // By hand: 2 ** 1.06 = 2.0849.
  test('by hand from Riegel 1981: twice the distance takes 2.0849 times as long', () => {
    expect(valueOf(riegelTime({ distance_m: 5000, time_s: 1200 }, 10_000)) / 1200).toBeCloseTo(2.0849, 4);
  });

  test('a prediction back gives the first time, and the same distance the same time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 900, max: 3000 }),
        fc.integer({ min: 3000, max: 21_000 }),
        (time_s, target) => {
          const there = valueOf(riegelTime({ distance_m: 5000, time_s }, target));
          expect(valueOf(riegelTime({ distance_m: target, time_s: there }, 5000))).toBeCloseTo(time_s, 6);
          expect(valueOf(riegelTime({ distance_m: 5000, time_s }, 5000))).toBe(time_s);
        },
      ),
    );
  });

  test.each([
    [{ distance_m: 1000, time_s: 180 }, 5000, 'Race time is 3 min: expected 3.5 to 230 min.'],
    [
      { distance_m: 10_000, time_s: 3600 },
      MARATHON,
      "Riegel's formula holds for 3.5 to 230 minutes; 42195 m would take 276.0 minutes.",
    ],
    [{ distance_m: 100, time_s: 300 }, 5000, 'Distance is 100 m: expected 400 to 100000 m.'],
  ])('%j for %d m is refused', (result, target, reason) => {
    expect(reasonOf(riegelTime(result, target))).toBe(reason);
  });
});
