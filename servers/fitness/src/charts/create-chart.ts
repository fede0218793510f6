import { createRequire } from 'node:module';
import type { Chart } from '../tools/results/result.ts';
import { drawTimeChart } from './draw-time-chart.ts';
import type { TimeChart } from './time-chart.ts';

/** Draws a chart as PNG: many clients do not show SVG. The same data give the same picture. */
export async function createChart(chart: TimeChart): Promise<Chart> {
  const require = createRequire(import.meta.url);
  const font = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
  // Loaded on first use: most calls have no chart.
  const { renderAsync } = await import('@resvg/resvg-js');
  // Rendering, about 20 ms, is on another thread.
  const image = await renderAsync(drawTimeChart(chart), {
    // Fonts of the system would make the picture depend on the machine.
    font: { loadSystemFonts: false, fontFiles: [font] },
  });
  return { mimeType: 'image/png', bytes: image.asPng() };
}
