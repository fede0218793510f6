import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aerobicDecoupling, cardiacDrift } from '../../../src/algorithms/streams/decoupling.ts';
import { downsample } from '../../../src/algorithms/streams/downsample.ts';
import { lttbIndexes } from '../../../src/algorithms/streams/lttb.ts';
import { pairedSeconds, secondsOf } from '../../../src/algorithms/streams/seconds.ts';
import { reasonOf, valueOf } from '../outcome.ts';

const fill = (seconds: number, value: number): number[] => Array.from({ length: seconds }, () => value);

describe('one value a second', () => {
  test.each([
    ['one sample a second stays as it is', [0, 1, 2], [5, 6, 7], [5, 6, 7]],
    ['a value holds until the next', [0, 3, 4], [5, 6, 7], [5, 5, 5, 6, 7]],
    ['a silent sensor holds for ten seconds', [0, 10, 11], [5, 6, 7], [...fill(10, 5), 6, 7]],
    ['a longer gap is a pause', [0, 11, 12], [5, 6, 7], [5, 6, 7]],
    ['a missing sample is a gap', [0, 1, 2, 3], [5, null, null, 8], [5, 5, 5, 8]],
    ['the first of two samples of one second is replaced', [0, 0, 1], [5, 6, 7], [6, 7]],
    ['no samples', [], [], []],
    ['no values', [0, 1], [null, null], []],
  ])('%s', (_, time, values, seconds) => {
    expect(secondsOf(time, values)).toEqual(seconds);
  });

  test('two streams are cut to the times at which both have a value', () => {
    expect(pairedSeconds([0, 1, 2, 3], [1, 2, null, 4], [10, null, 30, 40])).toEqual({
      first: [1, 1, 1, 4],
      second: [10, 10, 10, 40],
    });
  });

  test('paired streams are equally long', () => {
    const value = fc.option(fc.integer({ min: 0, max: 300 }));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 15 }), value, value), { maxLength: 60, size: 'max' }),
        (steps) => {
          let now = 0;
          const time = steps.map(([step]) => (now += step));
          const paired = pairedSeconds(
            time,
            steps.map(([, a]) => a),
            steps.map(([, , b]) => b),
          );
          expect(paired.first).toHaveLength(paired.second.length);
        },
      ),
    );
  });
});

describe('aerobic decoupling', () => {
  // endurancenation.vanillacommunities.com/discussion/10356: Power/HR of 1.28 and 1.233, "3.67 %".
  test('endurancenation.vanillacommunities.com/discussion/10356: 1.28 and 1.233 W per beat are 3.67 %', () => {
    const effort = {
      kind: 'power',
      output: [...fill(1200, 192), ...fill(1200, 184.95)],
      heart_rate: fill(2400, 150),
    } as const;
    // The rolling means across the border of the halves do not matter, because each half is taken alone.
    const result = valueOf(aerobicDecoupling(effort));
    expect(result.first_half).toBeCloseTo(1.28, 9);
    expect(result.second_half).toBeCloseTo(1.233, 9);
    expect(result.decoupling_percent).toBeCloseTo(3.67, 2);
  });

  test('isaacrides.blogspot.com, 2008-05: 193 W at 136 bpm and 195 W at 142 bpm are 3.23 %', () => {
    const effort = {
      kind: 'power',
      output: [...fill(3600, 193), ...fill(3600, 195)],
      heart_rate: [...fill(3600, 136), ...fill(3600, 142)],
    } as const;
    const result = valueOf(aerobicDecoupling(effort));
    expect(result.first_half).toBeCloseTo(1.419, 3);
    expect(result.second_half).toBeCloseTo(1.373, 3);
    expect(result.decoupling_percent).toBeCloseTo(3.23, 2);
  });

  // By hand: 200 / 140 and 200 / 147, 1 − 140 / 147 = 4.762 %.
  test('by hand: 200 W at 140 and then at 147 bpm are 4.76 %', () => {
    const effort = {
      kind: 'power',
      output: fill(3600, 200),
      heart_rate: [...fill(1800, 140), ...fill(1800, 147)],
    } as const;
    expect(valueOf(aerobicDecoupling(effort)).decoupling_percent).toBeCloseTo(4.762, 3);
  });

  // By hand: 3 m/s and 2.85 m/s at 150 bpm, 5 %; 3 m/s are 180 m/min, 1.2 m a beat.
  test('by hand: a run that slows from 3 to 2.85 m/s at one heart rate is 5 %', () => {
    const effort = {
      kind: 'speed',
      output: [...fill(900, 3), ...fill(900, 2.85)],
      heart_rate: fill(1800, 150),
    } as const;
    const result = valueOf(aerobicDecoupling(effort));
    expect(result.first_half).toBeCloseTo(1.2, 9);
    expect(result.decoupling_percent).toBeCloseTo(5, 9);
  });

  test('it does not depend on the unit of output, and steady halves have none', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 300 }), fc.integer({ min: 100, max: 180 }), (watts, rate) => {
        const steady = { kind: 'power', output: fill(1200, watts), heart_rate: fill(1200, rate) } as const;
        expect(valueOf(aerobicDecoupling(steady)).decoupling_percent).toBeCloseTo(0, 9);
        const drift = [...fill(600, rate), ...fill(600, rate + 8)];
        const watt = valueOf(aerobicDecoupling({ ...steady, heart_rate: drift })).decoupling_percent;
        const double = { ...steady, output: fill(1200, 2 * watts), heart_rate: drift };
        expect(valueOf(aerobicDecoupling(double)).decoupling_percent).toBeCloseTo(watt, 9);
        expect(watt).toBeGreaterThan(0);
      }),
    );
  });

  test.each([
    [fill(600, 200), fill(600, 140), 'Comparing halves needs at least 20 minutes of data; there are 10 min.'],
    [fill(1200, 200), fill(1199, 140), 'There are 1200 samples of output but 1199 of heart rate.'],
    [fill(1200, 200), fill(1200, 0), 'Decoupling needs heart rates above 0 bpm.'],
    [fill(1200, 0), fill(1200, 140), 'Decoupling needs output in the first half.'],
  ])('refused', (output, heart_rate, reason) => {
    expect(reasonOf(aerobicDecoupling({ kind: 'power', output, heart_rate }))).toBe(reason);
  });

  // By hand: 147 / 140 − 1, 133 / 140 − 1, 140 / 140 − 1.
  test.each([
    [140, 147, 5],
    [140, 133, -5],
    [140, 140, 0],
  ])('by hand: a drift from %d to %d bpm is %d %%', (first, second, percent) => {
    expect(valueOf(cardiacDrift([...fill(600, first), ...fill(600, second)]))).toBeCloseTo(percent, 9);
  });

  test('drift of a short effort is refused', () => {
    expect(reasonOf(cardiacDrift(fill(60, 140)))).toBe(
      'Comparing halves needs at least 20 minutes of data; there are 1 min.',
    );
  });
});

describe('largest triangle three buckets', () => {
  // The samples that LTTB of the npm package downsample 1.4.0 keeps of (37 i mod 101) + 3 (i mod 50), i from 0 to 199.
  test.each([
    [3, [0, 49, 199]],
    [8, [0, 30, 52, 98, 101, 147, 172, 199]],
    [20, [0, 8, 14, 30, 43, 52, 60, 71, 79, 98, 101, 120, 123, 139, 153, 161, 172, 180, 194, 199]],
  ])('npm package downsample 1.4.0: 200 samples in %d points', (points, kept) => {
    const series = Array.from({ length: 200 }, (_, index) => ((index * 37) % 101) + (index % 50) * 3);
    expect(lttbIndexes([...series.keys()], [series], points)).toEqual(kept);
  });

  // By hand from Steinarsson 2013: of 6 samples and 4 points, the buckets are 1–2 and 3–4. From (0, 0), the mean of the
  // second bucket is (3.5, 0.5): (1, 5) has the area |−3.5 · 5 + 1 · 0.5| / 2 = 8.5, (2, 1) 1.25. From (1, 5) to (5, 0),
  // (3, 0) has |−4 · −5 + 2 · −5| / 2 = 5 and (4, 1) |−4 · −4 + 3 · −5| / 2 = 0.5.
  test('by hand: 0 5 1 0 1 0 in four points keeps 0, 1, 3 and 5', () => {
    expect(lttbIndexes([0, 1, 2, 3, 4, 5], [[0, 5, 1, 0, 1, 0]], 4)).toEqual([0, 1, 3, 5]);
  });

  test('by hand: one peak in a flat line is kept by three points', () => {
    const flat = fill(101, 10).map((value, index) => (index === 37 ? 90 : value));
    expect(lttbIndexes([...flat.keys()], [flat], 3)).toEqual([0, 37, 100]);
  });

  test('by hand: as many points as samples keep all', () => {
    expect(lttbIndexes([0, 1, 2], [[3, 1, 2]], 3)).toEqual([0, 1, 2]);
    expect(lttbIndexes([0, 1, 2], [[3, 1, 2]], 100)).toEqual([0, 1, 2]);
  });

  test('it keeps exactly the points asked for, in order, with the first and the last', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 3, maxLength: 300, size: 'max' }),
        fc.integer({ min: 3, max: 100 }),
        (stream, points) => {
          const kept = lttbIndexes([...stream.keys()], [stream], points);
          expect(kept).toHaveLength(Math.min(points, stream.length));
          expect(kept).toEqual([...new Set(kept)].toSorted((a, b) => a - b));
          expect(kept[0]).toBe(0);
          expect(kept.at(-1)).toBe(stream.length - 1);
        },
      ),
    );
  });

  test('the unit of a stream does not matter', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 3, maxLength: 200, size: 'max' }),
        (stream) => {
          const other = stream.map((_, index) => (index * 7919) % 101);
          const time = [...stream.keys()];
          const large = stream.map((value) => value * 1024);
          expect(lttbIndexes(time, [large, other], 20)).toEqual(lttbIndexes(time, [stream, other], 20));
        },
      ),
    );
  });
});

describe('downsampling of streams', () => {
  const sample = fc.record({
    heart_rate: fc.option(fc.integer({ min: 60, max: 190 })),
    power_w: fc.option(fc.integer({ min: 0, max: 900 })),
    altitude_m: fc.integer({ min: 0, max: 2000 }),
  });
  const highest = (stream: readonly (number | null)[]): number =>
    Math.max(-1, ...stream.map((value) => value ?? -1));
  const lowest = (stream: readonly (number | null)[]): number =>
    Math.min(9999, ...stream.map((value) => value ?? 9999));

  test('the highest and the lowest value of each stream are kept, and there are never more points than asked for', () => {
    fc.assert(
      fc.property(
        fc.array(sample, { minLength: 1, maxLength: 400, size: 'max' }),
        fc.integer({ min: 8, max: 60 }),
        (samples, points) => {
          const streams = {
            heart_rate: samples.map(({ heart_rate }) => heart_rate),
            power_w: samples.map(({ power_w }) => power_w),
            altitude_m: samples.map(({ altitude_m }) => altitude_m),
          };
          const kept = valueOf(downsample([...samples.keys()], streams, points));
          expect(kept.time_s.length).toBeLessThanOrEqual(points);
          expect(kept.time_s).toEqual(kept.indexes);
          for (const [name, stream] of Object.entries(streams)) {
            const picked = kept.streams[name] ?? [];
            expect(picked).toEqual(kept.indexes.map((index) => stream[index]));
            expect(highest(picked)).toBe(highest(stream));
            expect(lowest(picked)).toBe(lowest(stream));
          }
        },
      ),
    );
  });

  test('by hand: peaks of two streams in one bucket are both kept', () => {
    const power = fill(100, 100);
    const rate = fill(100, 120);
    power[50] = 900;
    rate[52] = 190;
    const kept = valueOf(downsample([...power.keys()], { power_w: power, heart_rate: rate }, 6));
    expect(kept.indexes).toContain(50);
    expect(kept.indexes).toContain(52);
    expect(kept.indexes.length).toBeLessThanOrEqual(6);
  });

  test('by hand: with three points, the highest value of the first stream is kept', () => {
    const power = fill(50, 100);
    const rate = fill(50, 120);
    power[20] = 900;
    rate[30] = 190;
    expect(valueOf(downsample([...power.keys()], { power_w: power, heart_rate: rate }, 3)).indexes).toEqual([
      0, 20, 49,
    ]);
  });

  test('by hand: short streams, and streams without any value, stay as they are', () => {
    expect(valueOf(downsample([0, 1], { power_w: [null, null] }, 3))).toEqual({
      time_s: [0, 1],
      streams: { power_w: [null, null] },
      indexes: [0, 1],
    });
    expect(valueOf(downsample([], {}, 3)).indexes).toEqual([]);
    expect(
      valueOf(downsample([...fill(20, 0).keys()], { power_w: fill(20, 0).map(() => null) }, 5)).indexes,
    ).toHaveLength(5);
  });

  test.each([
    [2, [1, 2, 3], 'max_points is 2: use a whole number from 3.'],
    [10.5, [1, 2, 3], 'max_points is 10.5: use a whole number from 3.'],
    [10, [1, 2], 'Stream "power_w" has 2 samples, but there are 3 times.'],
  ])('%d points of %j are refused', (points, power_w, reason) => {
    expect(reasonOf(downsample([0, 1, 2], { power_w }, points))).toBe(reason);
  });
});
