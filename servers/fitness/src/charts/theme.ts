import type { SeriesColor } from './time-chart.ts';

/** Sizes in pixels. The text is still readable at half of the size. */
export const WIDTH = 800;
export const HEIGHT = 480;
/** PNG is drawn with the first one. Verdana has the same widths, for viewers of the SVG. */
export const FONT_FAMILY = 'DejaVu Sans, Verdana, sans-serif';
export const FONT_SIZE = 15;
export const TITLE_SIZE = 19;

/** The palette of Okabe and Ito (2008), on white. */
export const COLORS: Readonly<Record<SeriesColor, string>> = {
  blue: '#0072b2',
  orange: '#d55e00',
  green: '#009e73',
  purple: '#aa4499',
  grey: '#b8c0cc',
};
export const BACKGROUND = '#ffffff';
export const INK = '#1f2937';
export const FAINT_INK = '#4b5563';
export const GRID = '#e2e6ec';
export const ZERO_LINE = '#6b7280';

/** An upper bound of the width of a text: few texts of the font have wider characters on average. */
export function widthOf(text: string, size = FONT_SIZE): number {
  return 0.64 * size * text.length;
}
