import type { Point, Series } from './time-chart.ts';
import { element, toPath } from './svg.ts';
import type { Svg } from './svg.ts';
import { COLORS } from './theme.ts';

/** Pixels of days and values. */
export interface Scales {
  /** The middle of a day. */
  readonly x: (day: number) => number;
  readonly y: (value: number) => number;
  readonly dayWidth: number;
}

interface Position {
  readonly x: number;
  readonly y: number;
}

export function drawSeries(series: Series, scales: Scales): Svg {
  switch (series.kind) {
    case 'bars':
      return drawBars(series, scales);
    case 'dots':
      return drawDots(listPositions(series.points, scales), COLORS[series.color], 3.5);
    case 'line':
      return drawLine(series, scales);
  }
}

function drawBars(series: Series & { readonly kind: 'bars' }, { x, y, dayWidth }: Scales): Svg {
  const { points, color, days = 1 } = series;
  const width = Math.max(1, 0.8 * days * dayWidth);
  const zero = y(0);
  return points
    .map(({ day, value }) => {
      if (!isNumber(value) || value === 0) return '';
      const top = y(value);
      const middle = x(day + (days - 1) / 2);
      return element('rect', {
        x: middle - width / 2,
        y: Math.min(top, zero),
        width,
        height: Math.abs(zero - top),
        fill: COLORS[color],
      });
    })
    .join('');
}

/** A value between two gaps is a dot: a line of one point is invisible. */
function drawLine(series: Series & { readonly kind: 'line' }, scales: Scales): Svg {
  const { points, color, isDashed, isDaily = false } = series;
  const positions = listPositions(isDaily ? addGaps(points) : points, scales);
  const single = positions.filter(
    (_, index) => positions[index - 1] === undefined && positions[index + 1] === undefined,
  );
  const line = element('path', {
    d: toPath(positions),
    fill: 'none',
    stroke: COLORS[color],
    'stroke-width': 2.5,
    'stroke-linejoin': 'round',
    'stroke-dasharray': isDashed === true ? '7 5' : undefined,
  });
  return line + drawDots(single, COLORS[color], 3);
}

/** A gap before each point whose day does not follow that of the point before. */
function addGaps(points: readonly Point[]): readonly Point[] {
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    const isNext = before === undefined || point.day - before.day <= 1;
    return isNext ? [point] : [{ day: point.day, value: null }, point];
  });
}

function drawDots(positions: readonly (Position | undefined)[], fill: string, r: number): Svg {
  return positions
    .map((position) =>
      position === undefined
        ? ''
        : element('circle', { cx: position.x, cy: position.y, r, fill, 'fill-opacity': 0.75 }),
    )
    .join('');
}

function listPositions(points: readonly Point[], { x, y }: Scales): readonly (Position | undefined)[] {
  return points.map(({ day, value }) => (isNumber(value) ? { x: x(day), y: y(value) } : undefined));
}

export function isNumber(value: number | null): value is number {
  return value !== null && Number.isFinite(value);
}
