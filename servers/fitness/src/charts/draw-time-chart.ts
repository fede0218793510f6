import { createLegend, LEGEND_ROW } from './draw-legend.ts';
import { drawPanel } from './draw-panel.ts';
import type { Area } from './draw-panel.ts';
import { element, text } from './svg.ts';
import type { Svg } from './svg.ts';
import {
  BACKGROUND,
  FAINT_INK,
  FONT_FAMILY,
  FONT_SIZE,
  HEIGHT,
  INK,
  TITLE_SIZE,
  WIDTH,
  widthOf,
} from './theme.ts';
import { listTimeTicks } from './time-axis.ts';
import type { TimeChart } from './time-chart.ts';
import { createValueAxis } from './value-axis.ts';

const MARGIN = 16;
/** Room for half of the last label below the axis. */
const RIGHT = WIDTH - 40;
const TOP = MARGIN + TITLE_SIZE + 10;
const BOTTOM = HEIGHT - MARGIN - FONT_SIZE - 8;
const BETWEEN_PANELS = 14;
const BELOW_LEGEND = 4;
/** The first panel is higher than the others. */
const FIRST_SHARE = 1.5;

/** A chart as SVG. Its length depends on the number of points alone. */
export function drawTimeChart({ title, from, to, panels }: TimeChart): Svg {
  const left = leftOf(panels);
  const dayWidth = (RIGHT - left) / (to - from + 1);
  const x = (day: number): number => left + (day - from + 0.5) * dayWidth;
  const ticks = listTimeTicks(from, to);
  const legends = panels.map((panel) => createLegend(panel, left, RIGHT));
  const areas = layOut(
    legends.map(({ rows }) => rows),
    left,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="${FONT_FAMILY}" font-size="${FONT_SIZE}">`,
    element('rect', { width: WIDTH, height: HEIGHT, fill: BACKGROUND }),
    text(title, { x: MARGIN, y: MARGIN + TITLE_SIZE - 3, fill: INK, 'font-size': TITLE_SIZE }),
    ...legends.map(({ draw }, index) => draw(areas[index]?.legend ?? 0)),
    ...areas.map((area, index) => {
      const panel = panels[index];
      return panel === undefined ? '' : drawPanel(panel, area, { x, dayWidth, ticks });
    }),
    ...ticks.map(({ day, label }) =>
      text(label, { x: x(day), y: HEIGHT - MARGIN, 'text-anchor': 'middle', fill: FAINT_INK }),
    ),
    '</svg>',
  ].join('');
}

/** The left end of all panels, so that their days are below each other. */
function leftOf(panels: TimeChart['panels']): number {
  const labels = panels.flatMap((panel) => createValueAxis(panel, HEIGHT)?.ticks ?? []);
  return MARGIN + Math.max(40, ...labels.map(({ label }) => widthOf(label))) + 8;
}

/** The areas of the panels with the tops of their legends. */
function layOut(rows: readonly number[], left: number): readonly (Area & { readonly legend: number })[] {
  const heights = rows.map((count) => count * LEGEND_ROW + BELOW_LEGEND);
  const used = heights.reduce((sum, height) => sum + height, (rows.length - 1) * BETWEEN_PANELS);
  const unit = (BOTTOM - TOP - used) / (rows.length - 1 + FIRST_SHARE);
  let legend = TOP;
  return heights.map((height, index) => {
    const top = legend + height;
    const bottom = top + unit * (index === 0 ? FIRST_SHARE : 1);
    const area = { left, right: RIGHT, top, bottom, legend };
    legend = bottom + BETWEEN_PANELS;
    return area;
  });
}
