import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { normalizedPower } from '../power/normalized-power.ts';
import { meanOf } from '../statistics/spread.ts';

export interface Decoupling {
  /** Output per heartbeat in each half: W/bpm, or m/min per bpm. */
  readonly first_half: number;
  readonly second_half: number;
  /** Loss in percent of the first half; up to 5 % is a good aerobic base. */
  readonly decoupling_percent: number;
}

/** One sample a second of output and of heart rate, at the same times (`pairedSeconds`). */
export interface SteadyEffort {
  readonly kind: 'power' | 'speed';
  /** Watts or m/s. */
  readonly output: readonly number[];
  readonly heart_rate: readonly number[];
}

const SHORTEST_S = 1200;

/** Aerobic decoupling (Friel): loss of output per heartbeat from the first to the second half of a steady effort. */
export function aerobicDecoupling({ kind, output, heart_rate }: SteadyEffort): Computed<Decoupling> {
  const problem = findStreamProblem(output.length, heart_rate.length);
  if (problem !== undefined) return refused(problem);
  const middle = Math.floor(output.length / 2);
  const first = efficiency(kind, output.slice(0, middle), heart_rate.slice(0, middle));
  if (!first.ok) return first;
  const second = efficiency(kind, output.slice(middle), heart_rate.slice(middle));
  if (!second.ok) return second;
  if (first.value === 0) return refused('Decoupling needs output in the first half.');
  return computed({
    first_half: first.value,
    second_half: second.value,
    decoupling_percent: (100 * (first.value - second.value)) / first.value,
  });
}

/** Cardiac drift: rise of the mean heart rate from the first to the second half, in percent. */
export function cardiacDrift(heart_rate: readonly number[]): Computed<number> {
  const problem = findStreamProblem(heart_rate.length, heart_rate.length);
  if (problem !== undefined) return refused(problem);
  const middle = Math.floor(heart_rate.length / 2);
  const first = meanOf(heart_rate.slice(0, middle)) ?? 0;
  const second = meanOf(heart_rate.slice(middle)) ?? 0;
  if (!(first > 0 && second > 0)) return refused('Cardiac drift needs heart rates above 0 bpm.');
  return computed((100 * (second - first)) / first);
}

function findStreamProblem(outputs: number, heartRates: number): string | undefined {
  if (outputs !== heartRates)
    return `There are ${outputs} samples of output but ${heartRates} of heart rate.`;
  if (outputs < SHORTEST_S) {
    return `Comparing halves needs at least 20 minutes of data; there are ${Math.floor(outputs / 60)} min.`;
  }
  return undefined;
}

function efficiency(
  kind: SteadyEffort['kind'],
  output: readonly number[],
  heartRates: readonly number[],
): Computed<number> {
  const rate = meanOf(heartRates) ?? 0;
  if (!(rate > 0)) return refused('Decoupling needs heart rates above 0 bpm.');
  if (kind === 'speed') return computed(((meanOf(output) ?? 0) * 60) / rate);
  const power = normalizedPower(output);
  return power.ok ? computed(power.value / rate) : power;
}
