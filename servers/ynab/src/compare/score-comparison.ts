/** Scores are hundredths of points, so that totals are exact. */
const HUNDREDTHS = 100;

/** A pair with less is not a match. */
export const MIN_SCORE = 30 * HUNDREDTHS;

const CHRONOLOGY_BONUS = 5 * HUNDREDTHS;

/** A row and a transaction that may be the same. */
export interface ComparedValues {
  readonly days: number;
  /** Milliunits. */
  readonly difference: number;
  /** Similarity of the texts, 0 to 100. */
  readonly description: number;
}

export interface Tolerances {
  readonly amountTolerance: number;
  readonly dateToleranceDays: number;
}

/** Up to 40 for the date, 50 for the amount, 10 for the description. Date and amount fall to nothing at their tolerance. */
export function scoreComparison(
  { days, difference, description }: ComparedValues,
  { amountTolerance, dateToleranceDays }: Tolerances,
  isInOrder: boolean,
): number {
  const share = (distance: number, tolerance: number): number =>
    distance === 0 ? 1 : 1 - distance / tolerance;
  const date = 40 * share(days, dateToleranceDays);
  const amount = 50 * share(Math.abs(difference), amountTolerance);
  const score = Math.round((date + amount + description / 10) * HUNDREDTHS);
  return score + (isInOrder ? CHRONOLOGY_BONUS : 0);
}

/** The place of each entry among those with its amount; undefined for an amount that occurs once. The entries must be sorted by date. */
export function listRanks(entries: readonly { readonly amount: number }[]): readonly (number | undefined)[] {
  const counts = new Map<number, number>();
  const ranks = entries.map(({ amount }) => {
    const rank = counts.get(amount) ?? 0;
    counts.set(amount, rank + 1);
    return rank;
  });
  return ranks.map((rank, index) => ((counts.get(entries[index]?.amount ?? 0) ?? 0) > 1 ? rank : undefined));
}
