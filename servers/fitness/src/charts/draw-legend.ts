import { isNumber } from './draw-series.ts';
import { element, text } from './svg.ts';
import type { Svg } from './svg.ts';
import { COLORS, FAINT_INK, FONT_SIZE, INK, widthOf } from './theme.ts';
import type { Panel, Series } from './time-chart.ts';

/** A legend in as many rows as it needs. */
export interface Legend {
  readonly rows: number;
  readonly draw: (top: number) => Svg;
}

export const LEGEND_ROW: number = FONT_SIZE + 7;
const SWATCH = 22;
const SWATCH_GAP = 6;
const GAP = 20;

/** The title of a panel, then the names of its series that have values, except for one with the name of the panel. */
export function createLegend(panel: Panel, left: number, right: number): Legend {
  let [x, row] = [left + widthOf(panel.title) + GAP, 0];
  const shown = panel.series.filter(
    ({ name, points }) => name !== panel.title && points.some(({ value }) => isNumber(value)),
  );
  const places = shown.map((series) => {
    const width = SWATCH + SWATCH_GAP + widthOf(series.name);
    if (x + width > right) [x, row] = [left, row + 1];
    const place = { series, x, row };
    x += width + GAP;
    return place;
  });
  return {
    rows: row + 1,
    draw: (top) => {
      const baseline = top + FONT_SIZE;
      const title = text(panel.title, { x: left, y: baseline, fill: INK });
      const names = places.map((place) => drawName(place.series, place.x, baseline + place.row * LEGEND_ROW));
      return [title, ...names].join('');
    },
  };
}

function drawName(series: Series, x: number, y: number): Svg {
  return drawSwatch(series, x, y - 5) + text(series.name, { x: x + SWATCH + SWATCH_GAP, y, fill: FAINT_INK });
}

function drawSwatch(series: Series, x: number, y: number): Svg {
  const fill = COLORS[series.color];
  if (series.kind === 'bars') return element('rect', { x: x + 4, y: y - 6, width: 14, height: 12, fill });
  if (series.kind === 'dots') return element('circle', { cx: x + SWATCH / 2, cy: y, r: 4, fill });
  return element('line', {
    x1: x,
    x2: x + SWATCH,
    y1: y,
    y2: y,
    stroke: fill,
    'stroke-width': 3,
    'stroke-dasharray': series.isDashed === true ? '7 5' : undefined,
  });
}
