/** Gaps of up to this many seconds are sensors that were silent; longer ones are pauses of the recording. */
const LONGEST_HOLD_S = 10;

/**
 * One value a second from samples at irregular times: a value holds until the next one, for at most 10 seconds.
 * Seconds without a value are left out, so the result has the length of the recorded time.
 */
export function secondsOf(time_s: readonly number[], values: readonly (number | null)[]): number[] {
  const seconds: number[] = [];
  let held: number | undefined;
  let heldSince = 0;
  for (const [index, time] of time_s.entries()) {
    const value = values[index];
    if (value === null || value === undefined) continue;
    const now = Math.round(time);
    if (held !== undefined) hold(seconds, held, now - heldSince);
    [held, heldSince] = [value, now];
  }
  if (held !== undefined) seconds.push(held);
  return seconds;
}

function hold(seconds: number[], value: number, gap: number): void {
  const length = gap > LONGEST_HOLD_S ? 1 : gap;
  for (let second = 0; second < length; second += 1) seconds.push(value);
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
