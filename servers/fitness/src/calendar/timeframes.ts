/** Names of periods that end today. */
export const TIMEFRAMES = ['week', 'month', 'quarter', 'sixmonths', 'year'] as const;
export type Timeframe = (typeof TIMEFRAMES)[number];

export const TIMEFRAME_DAYS: Readonly<Record<Timeframe, number>> = {
  week: 7,
  month: 30,
  quarter: 90,
  sixmonths: 180,
  year: 365,
};
