import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createChart } from '../../src/charts/create-chart.ts';
import { drawTimeChart } from '../../src/charts/draw-time-chart.ts';
import type { Panel, Series, TimeChart } from '../../src/charts/time-chart.ts';

/** 2026-11-01, a Sunday. */
const FIRST = 20_758;
const AXIS = { title: 'Load', from: FIRST, to: FIRST + 29 };

function chartOf(panel: Panel, axis: Omit<TimeChart, 'panels'> = AXIS): string {
  return drawTimeChart({ ...axis, panels: [panel] });
}

function lineOf(values: readonly (number | null)[]): Series {
  return {
    kind: 'line',
    name: 'Fitness',
    color: 'blue',
    points: values.map((value, index) => ({ day: FIRST + index, value })),
  };
}

interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: string;
  readonly size: number;
}

function listLabels(svg: string): readonly Label[] {
  return [...svg.matchAll(/<text x="([^"]+)" y="([^"]+)"([^>]*)>([^<]*)<\/text>/g)].map(
    ([, x, y, rest = '', text = '']) => ({
      text,
      x: Number(x),
      y: Number(y),
      anchor: /text-anchor="(\w+)"/.exec(rest)?.[1] ?? 'start',
      size: Number(/font-size="(\d+)"/.exec(rest)?.[1] ?? 15),
    }),
  );
}

/** Left, right, top and bottom of a label. DejaVu Sans has 0.6 em a character on average. */
function boxOf({ text, x, y, anchor, size }: Label): readonly [number, number, number, number] {
  const width = 0.6 * size * text.length;
  const left = anchor === 'end' ? x - width : anchor === 'middle' ? x - width / 2 : x;
  return [left, left + width, y - 0.75 * size, y + 0.2 * size];
}

function findOverlap(labels: readonly Label[]): readonly [string, string] | undefined {
  for (const [index, one] of labels.entries()) {
    const [left, right, top, bottom] = boxOf(one);
    for (const other of labels.slice(index + 1)) {
      const [otherLeft, otherRight, otherTop, otherBottom] = boxOf(other);
      if (left < otherRight && otherLeft < right && top < otherBottom && otherTop < bottom)
        return [one.text, other.text];
    }
  }
  return undefined;
}

describe('the picture', () => {
  test('is a PNG of 800 × 480 pixels, the same for the same data', async () => {
    const chart = { ...AXIS, panels: [{ title: 'Load', series: [lineOf([1, 2, 3])] }] as const };
    const { mimeType, bytes } = await createChart(chart);
    expect(mimeType).toBe('image/png');
    const png = Buffer.from(bytes);
    expect(png.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001a\n');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([800, 480]);
    expect(Buffer.from((await createChart(chart)).bytes).equals(png)).toBe(true);
    const other = { ...AXIS, panels: [{ title: 'Load', series: [lineOf([1, 2, 4])] }] as const };
    expect(Buffer.from((await createChart(other)).bytes).equals(png)).toBe(false);
  });

  test('has its texts: without the font, they would leave no pixel', async () => {
    const empty = { ...AXIS, title: '', panels: [{ title: '', series: [] }] as const };
    const titled = { ...empty, title: 'Load' };
    const [one, other] = [await createChart(empty), await createChart(titled)];
    expect(Buffer.from(one.bytes).equals(Buffer.from(other.bytes))).toBe(false);
  });
});

describe('series', () => {
  test('a line has a gap where a value is null, and a dot where both neighbors are', () => {
    const svg = chartOf({ title: 'Load', series: [lineOf([1, 2, null, 3, null, 4, 5])] });
    const [, path = ''] = /<path d="([^"]+)"/.exec(svg) ?? [];
    expect(path.match(/M/g)).toHaveLength(3);
    expect(path.match(/L/g)).toHaveLength(2);
    expect(svg.match(/<circle/g)).toHaveLength(1);
  });

  test('in a daily line, a day without a point is a gap', () => {
    const line = lineOf([1, 2, 3, 4]);
    const points = line.points.filter(({ day }) => day !== FIRST + 2);
    const draw = (isDaily: boolean): string =>
      chartOf({ title: 'Load', series: [{ ...line, kind: 'line', points, isDaily }] });
    expect(/<path d="([^"]+)"/.exec(draw(true))?.[1]?.match(/M/g)).toHaveLength(2);
    expect(/<path d="([^"]+)"/.exec(draw(false))?.[1]?.match(/M/g)).toHaveLength(1);
  });

  test('a series with the name of its panel is not in the legend', () => {
    const labels = listLabels(chartOf({ title: 'Fitness', series: [lineOf([1, 2])] }));
    expect(labels.filter(({ text }) => text === 'Fitness')).toHaveLength(1);
  });

  test('values that are not finite are gaps', () => {
    const svg = chartOf({ title: 'Load', series: [lineOf([1, Number.NaN, Infinity, 3])] });
    expect(svg).not.toMatch(/NaN|Infinity/);
  });

  test('bars begin at 0, also below it', () => {
    const bars: Series = {
      kind: 'bars',
      name: 'Change',
      color: 'grey',
      points: [
        { day: FIRST, value: 10 },
        { day: FIRST + 1, value: -10 },
      ],
    };
    const svg = chartOf({ title: 'Change', series: [bars] });
    const heights = [
      ...svg.matchAll(/<rect x="[^"]+" y="([^"]+)" width="[^"]+" height="([^"]+)" fill="#b8c0cc"/g),
    ];
    const [[, top, height] = [], [, below] = []] = heights.slice(-2);
    expect(Number(top) + Number(height)).toBeCloseTo(Number(below));
  });

  test('a series without values is not in the legend, and a panel without values says so', () => {
    const svg = chartOf({ title: 'Load', series: [lineOf([null, null])] });
    expect(listLabels(svg).map(({ text }) => text)).toEqual([
      'Load',
      'Load',
      'No data in this period',
      '2 Nov',
      '9 Nov',
      '16 Nov',
      '23 Nov',
      '30 Nov',
    ]);
  });

  test('texts are escaped', () => {
    const svg = chartOf({ title: 'a < b & "c"\u0000', series: [] });
    expect(svg).toContain('a &lt; b &amp; &quot;c&quot; </text>');
  });
});

describe('axes', () => {
  function labelsOf(panel: Panel, axis?: Omit<TimeChart, 'panels'>): readonly string[] {
    return listLabels(chartOf(panel, axis)).map(({ text }) => text);
  }

  test.each([
    [
      [3, 47],
      ['0', '10', '20', '30', '40', '50'],
    ],
    [
      [-30, 12],
      ['−30', '−20', '−10', '0', '10', '20'],
    ],
    [
      [0.012, 0.018],
      ['0.012', '0.014', '0.016', '0.018'],
    ],
    [[50], ['44', '46', '48', '50', '52', '54', '56']],
    [
      [0, 3.3],
      ['0', '1', '2', '3', '4'],
    ],
    [
      [118_000, 131_000],
      ['115000', '120000', '125000', '130000', '135000'],
    ],
  ])('values %j have round labels', (values, expected) => {
    const labels = labelsOf({ title: 'Load', series: [lineOf(values)] });
    expect(labels.filter((label) => /^−?[\d.]+$/.test(label))).toEqual(expected);
  });

  test('a pace is in minutes and seconds, the fastest at the top', () => {
    const svg = chartOf({ title: 'Pace (min/km)', values: 'pace', series: [lineOf([245, 312])] });
    const paces = listLabels(svg).filter(({ text }) => text.includes(':'));
    expect(paces.map(({ text }) => text)).toEqual(['4:00', '4:15', '4:30', '4:45', '5:00', '5:15']);
    expect(paces[0]?.y).toBeLessThan(paces[1]?.y ?? 0);
  });

  test.each([
    ['a day', 0, ['1 Nov']],
    ['a week', 6, ['1 Nov', '2 Nov', '3 Nov', '4 Nov', '5 Nov', '6 Nov', '7 Nov']],
    ['Mondays of a month', 29, ['2 Nov', '9 Nov', '16 Nov', '23 Nov', '30 Nov']],
    [
      'months of half a year',
      181,
      ['Nov 2026', 'Dec 2026', 'Jan 2027', 'Feb 2027', 'Mar 2027', 'Apr 2027', 'May 2027'],
    ],
    ['half-years of two years', 760, ['Jan 2027', 'Jul 2027', 'Jan 2028', 'Jul 2028']],
    [
      'years of 20 years',
      7304,
      ['Jan 2028', 'Jan 2031', 'Jan 2034', 'Jan 2037', 'Jan 2040', 'Jan 2043', 'Jan 2046'],
    ],
  ])('%s', (_, days, expected) => {
    const labels = labelsOf({ title: 'Load', series: [] }, { ...AXIS, to: FIRST + days });
    expect(labels.slice(3)).toEqual(expected);
  });
});

describe('any data', () => {
  const value = fc.option(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { nil: null });
  const series = fc.record({
    kind: fc.constantFrom('line', 'dots', 'bars'),
    name: fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme-ascii' }),
    color: fc.constantFrom('blue', 'orange', 'grey'),
    values: fc.array(value, { maxLength: 40 }),
  });
  const panels = fc.array(
    fc.record({
      title: fc.string({ minLength: 1, maxLength: 25, unit: 'grapheme-ascii' }),
      values: fc.constantFrom('number', 'pace'),
      series: fc.array(series, { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  );

  test('all labels are in the picture, and no two overlap', () => {
    fc.assert(
      fc.property(panels, fc.integer({ min: 0, max: 4000 }), (drawn, days) => {
        const [first, ...others] = drawn.map(({ series: all, ...panel }): Panel => ({
          ...panel,
          series: all.map(({ values, ...rest }) => ({
            ...rest,
            points: values.map((each, index) => ({
              day: FIRST + (index % (days + 1)),
              value: panel.values === 'pace' && each !== null ? 150 + Math.abs(each % 900) : each,
            })),
          })),
        }));
        if (first === undefined) return;
        const svg = drawTimeChart({
          title: 'Any',
          from: FIRST,
          to: FIRST + days,
          panels: [first, ...others],
        });
        expect(svg).not.toMatch(/NaN|Infinity|undefined/);
        const labels = listLabels(svg.replaceAll(/&\w+;/g, '.'));
        expect(findOverlap(labels)).toBeUndefined();
        for (const label of labels) {
          const [left, right, top, bottom] = boxOf(label);
          expect([left >= 0, right <= 800, top >= 0, bottom <= 480]).toEqual([true, true, true, true]);
        }
      }),
      { numRuns: 200 },
    );
  });
});
