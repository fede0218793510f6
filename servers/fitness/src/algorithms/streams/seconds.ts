/** Gaps of up to this many seconds are sensors that were silent; longer ones are pauses of the recording. */
const LONGEST_HOLD_S = 10;

/**
 * One value a second from samples at irregular times: a value holds until the next one, for at most 10 seconds.
 * Seconds without a value are left out, so the result has the length of the recorded time.
 */
export function secondsOf(time_s: readonly number[], values: readonly (number | null)[]): number[] {
  const samples = time_s.flatMap((time, index) => {
    const value = values[index];
    return value === null || value === undefined ? [] : [{ time: Math.round(time), value }];
  });
  const seconds: number[] = [];
  for (const [index, { time, value }] of samples.entries()) {
    const next = samples[index + 1];
    const gap = next === undefined ? 1 : next.time - time;
    const held = gap > LONGEST_HOLD_S ? 1 : gap;
    for (let second = 0; second < held; second += 1) seconds.push(value);
  }
  return seconds;
}

/** Two streams side by side, only at times at which both have a value. */
export function pairedSeconds(
  time_s: readonly number[],
  first: readonly (number | null)[],
  second: readonly (number | null)[],
): { readonly first: number[]; readonly second: number[] } {
  const both = time_s.map((_, index) => (first[index] ?? null) !== null && (second[index] ?? null) !== null);
  const only = (values: readonly (number | null)[]) =>
    values.map((value, index) => (both[index] === true ? value : null));
  return { first: secondsOf(time_s, only(first)), second: secondsOf(time_s, only(second)) };
}
