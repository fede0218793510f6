import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { meanOf } from '../statistics/spread.ts';

/** Volume of one month; `month` is 1 to 12. */
export interface MonthVolume {
  readonly month: number;
  readonly volume: number;
}

export interface SeasonalTrend {
  /** Mean volume of each calendar month as a share of the mean of all months; only months with data. */
  readonly months: readonly { readonly month: number; readonly share: number }[];
  readonly peak_month: number;
  readonly lowest_month: number;
  /** Highest minus lowest share; below 0.2 training hardly depends on the season. */
  readonly amplitude: number;
}

/** Dependence of training on the season, from at least twelve months. */
export function seasonalTrend(volumes: readonly MonthVolume[]): Computed<SeasonalTrend> {
  if (volumes.length < 12) {
    return refused(`A seasonal trend needs at least twelve months; there are ${volumes.length}.`);
  }
  const mean = meanOf(volumes.map(({ volume }) => volume)) ?? 0;
  if (!(mean > 0 && Number.isFinite(mean))) return refused('A seasonal trend needs months with training.');
  const months = Array.from({ length: 12 }, (_, index) => index + 1).flatMap((month) => {
    const average = meanOf(volumes.filter((entry) => entry.month === month).map(({ volume }) => volume));
    return average === undefined ? [] : [{ month, share: average / mean }];
  });
  const byShare = months.toSorted((a, b) => b.share - a.share || a.month - b.month);
  const peak = byShare[0];
  const lowest = byShare.at(-1);
  if (peak === undefined || lowest === undefined) return refused('Months are numbered 1 to 12.');
  return computed({
    months,
    peak_month: peak.month,
    lowest_month: lowest.month,
    amplitude: peak.share - lowest.share,
  });
}
