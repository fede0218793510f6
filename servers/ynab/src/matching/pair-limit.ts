import { ToolError } from 'toolwright';

/**
 * Matching runs without interruption, so its time is bounded by the number of pairs. Years of a busy account have a tenth of them: most rows have a few
 * transactions with their amount in the days around them.
 */
const MAX_PAIRS = 500_000;

/** Returns a function that counts pairs of a row and a transaction that may be the same, and throws if there are too many. */
export function createPairLimit(): (pairs: number) => void {
  let total = 0;
  return (pairs) => {
    total += pairs;
    if (total <= MAX_PAIRS) return;
    throw new ToolError(
      `The statement cannot be matched: more than ${MAX_PAIRS} pairs of a row and a transaction are within the tolerances.`,
      { suggestions: ['Split the statement by date, or lower the tolerances.'] },
    );
  };
}
