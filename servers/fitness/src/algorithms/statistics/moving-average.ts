/** The means of all complete windows of `size` values, in order; none if there are fewer values than that. */
export function movingAverage(values: readonly number[], size: number): number[] {
  const means: number[] = [];
  if (!Number.isInteger(size) || size < 1) return means;
  let sum = 0;
  for (const [index, value] of values.entries()) {
    sum += value - (values[index - size] ?? 0);
    if (index >= size - 1) means.push(sum / size);
  }
  return means;
}

/** Exponential smoothing: each result is `alpha` of the value and the rest of the result before, from `initial`. */
export function exponentialAverage(values: readonly number[], alpha: number, initial: number): number[] {
  let average = initial;
  return values.map((value) => (average += alpha * (value - average)));
}
