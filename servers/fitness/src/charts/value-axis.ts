import { formatDuration } from '../algorithms/units/pace.ts';
import { FONT_SIZE } from './theme.ts';
import type { Panel } from './time-chart.ts';

/** The values at the ends of an axis, and those with a grid line. */
export interface ValueAxis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly { readonly value: number; readonly label: string }[];
}

/** Height of a label with its distance to the next one. */
const LABEL_HEIGHT = FONT_SIZE + 3;
const MAX_INTERVALS = 5;
const SMALLEST_RANGE = 0.001;
/** Seconds between the ticks of a pace. */
const PACE_STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600];

/** The axis for all values of a panel. Its ends are ticks. Undefined if the panel has no value. */
export function createValueAxis(panel: Panel, height: number): ValueAxis | undefined {
  const values = panel.series.flatMap(({ points }) =>
    points.flatMap(({ value }) => (value !== null && Number.isFinite(value) ? [value] : [])),
  );
  if (values.length === 0) return undefined;
  if (panel.hasZero === true || panel.series.some(({ kind }) => kind === 'bars')) values.push(0);
  const low = values.reduce((one, other) => Math.min(one, other));
  const high = values.reduce((one, other) => Math.max(one, other));
  // Equal values are in the middle.
  const margin = high - low >= SMALLEST_RANGE ? 0 : Math.max(SMALLEST_RANGE, Math.abs(high) / 10 || 1);
  // Rounding the ends adds up to one interval.
  const intervals = Math.max(1, Math.min(MAX_INTERVALS, Math.floor(height / LABEL_HEIGHT) - 1));
  const range = { low: low - margin, high: high + margin, intervals };
  return panel.values === 'pace' ? toPaceAxis(range) : toNumberAxis(range);
}

interface Range {
  readonly low: number;
  readonly high: number;
  readonly intervals: number;
}

function toPaceAxis(range: Range): ValueAxis {
  const wanted = (range.high - range.low) / range.intervals;
  const step = PACE_STEPS_S.find((each) => each >= wanted) ?? 3600 * Math.ceil(wanted / 3600);
  return toAxis(range, step, formatDuration);
}

function toNumberAxis(range: Range): ValueAxis {
  const wanted = (range.high - range.low) / range.intervals;
  const magnitude = Math.floor(Math.log10(wanted));
  const factor = [1, 2, 5, 10].find((each) => each * 10 ** magnitude >= wanted) ?? 10;
  const digits = Math.max(0, factor === 10 ? -magnitude - 1 : -magnitude);
  return toAxis(range, factor * 10 ** magnitude, (value) => value.toFixed(digits).replace('-', '−'));
}

function toAxis({ low, high }: Range, step: number, format: (value: number) => string): ValueAxis {
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => {
    const value = (first + index) * step;
    return { value, label: format(value) };
  });
  return { low: first * step, high: last * step, ticks };
}
