/** The arithmetic mean; undefined for no values. */
export function meanOf(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** The sample standard deviation, with n − 1; undefined for fewer than two values. */
export function sampleDeviationOf(values: readonly number[]): number | undefined {
  const mean = meanOf(values);
  if (mean === undefined || values.length < 2) return undefined;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return Math.sqrt(squares / (values.length - 1));
}
