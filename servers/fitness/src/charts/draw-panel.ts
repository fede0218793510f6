import { drawSeries } from './draw-series.ts';
import type { Scales } from './draw-series.ts';
import type { Panel } from './time-chart.ts';
import { element, text } from './svg.ts';
import type { Svg } from './svg.ts';
import { FAINT_INK, FONT_SIZE, GRID, ZERO_LINE } from './theme.ts';
import type { TimeTick } from './time-axis.ts';
import { createValueAxis } from './value-axis.ts';
import type { ValueAxis } from './value-axis.ts';

/** The rectangle of a panel without its axes, in pixels. */
export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Positions of days, and those with a grid line. */
export interface TimeScale extends Omit<Scales, 'y'> {
  readonly ticks: readonly TimeTick[];
}

/** Grid, axis of values and series of a panel. */
export function drawPanel(panel: Panel, area: Area, time: TimeScale): Svg {
  const { top, bottom } = area;
  const axis = createValueAxis(panel, bottom - top);
  if (axis === undefined) return drawEmpty(area);
  const share = (value: number): number => (value - axis.low) / (axis.high - axis.low);
  const isReversed = panel.values === 'pace';
  const y = (value: number): number =>
    isReversed ? top + share(value) * (bottom - top) : bottom - share(value) * (bottom - top);
  const days = time.ticks.map(({ day }) => {
    const x = time.x(day);
    return element('line', { x1: x, x2: x, y1: top, y2: bottom, stroke: GRID });
  });
  const series = panel.series.map((each) => drawSeries(each, { ...time, y }));
  return [...days, drawValueGrid(axis, area, y), ...series].join('');
}

function drawValueGrid(axis: ValueAxis, { left, right }: Area, y: (value: number) => number): Svg {
  return axis.ticks
    .map(({ value, label }) => {
      const at = y(value);
      const stroke = value === 0 ? ZERO_LINE : GRID;
      const line = element('line', { x1: left, x2: right, y1: at, y2: at, stroke });
      const position = { x: left - 8, y: at + 0.35 * FONT_SIZE, 'text-anchor': 'end', fill: FAINT_INK };
      return line + text(label, position);
    })
    .join('');
}

function drawEmpty({ left, right, top, bottom }: Area): Svg {
  const frame = element('rect', {
    x: left,
    y: top,
    width: right - left,
    height: bottom - top,
    fill: 'none',
    stroke: GRID,
  });
  const x = (left + right) / 2;
  const y = (top + bottom) / 2 + 0.35 * FONT_SIZE;
  return frame + text('No data in this period', { x, y, 'text-anchor': 'middle', fill: FAINT_INK });
}
