import type { Day } from '../calendar/days.ts';

/** The value of one day. In a line, null is a gap. */
export interface Point {
  readonly day: Day;
  readonly value: number | null;
}

interface SeriesParts {
  /** Shown in the legend, unless it is the title of the panel. */
  readonly name: string;
  readonly color: SeriesColor;
  /** The oldest first. */
  readonly points: readonly Point[];
}

/** Colors that people with any color vision tell apart. */
export type SeriesColor = 'blue' | 'orange' | 'green' | 'purple' | 'grey';

export type Series =
  /** `isDaily`: also a day without a point is a gap. */
  | (SeriesParts & { readonly kind: 'line'; readonly isDashed?: boolean; readonly isDaily?: boolean })
  | (SeriesParts & { readonly kind: 'dots' })
  /** `days`: days that a bar covers, from the day of its point on. Default: 1. */
  | (SeriesParts & { readonly kind: 'bars'; readonly days?: number });

/** Series with one axis of values. */
export interface Panel {
  /** Title of the axis, with the unit: `Sleep (hours)`. */
  readonly title: string;
  /** The first series is behind the others. */
  readonly series: readonly Series[];
  /** `pace`: values are seconds, shown as `4:15`, with the fastest at the top. Default: `number`. */
  readonly values?: 'number' | 'pace';
  /** The axis has the value 0. Axes of bars always have it. */
  readonly hasZero?: boolean;
}

/** Values over days, in panels below each other. */
export interface TimeChart {
  readonly title: string;
  /** First and last day of the axis, both inclusive. */
  readonly from: Day;
  readonly to: Day;
  readonly panels: readonly [Panel, ...Panel[]];
}
