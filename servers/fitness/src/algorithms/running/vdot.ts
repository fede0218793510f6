import { findOutOfBounds } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { oxygenCost, sustainableShare } from './oxygen-cost.ts';

/** The equations are fitted to races of this many minutes. */
export const VDOT_MINUTES = { min: 3.5, max: 240 } as const;
/** VDOT of the fastest runners is about 85; slower than 15 is walking. */
export const VDOT_BOUNDS = { name: 'VDOT', min: 15, max: 90, unit: 'ml/kg/min' } as const;
const DISTANCE = { name: 'Distance', min: 800, max: 50_000, unit: 'm' } as const;

/** VDOT (Daniels and Gilbert 1979): oxygen cost of the race pace over the share of VO2max that the race allows. */
export function vdot(distance_m: number, time_s: number): Computed<number> {
  const minutes = time_s / 60;
  const problem = findOutOfBounds([
    { ...DISTANCE, value: distance_m },
    { name: 'Race time', value: minutes, ...VDOT_MINUTES, unit: 'min' },
  ]);
  if (problem !== undefined) return refused(problem);
  const value = rawVdot(distance_m, minutes);
  const implausible = findOutOfBounds([{ ...VDOT_BOUNDS, value: Number(value.toFixed(1)) }]);
  return implausible === undefined
    ? computed(value)
    : refused(`${implausible} Check the distance and the time of the race.`);
}

/** The time in seconds that a runner of this VDOT needs; the inverse of `vdot`, solved by bisection. */
export function raceTime(vdotValue: number, distance_m: number): Computed<number> {
  const problem = findOutOfBounds([
    { ...VDOT_BOUNDS, value: vdotValue },
    { ...DISTANCE, value: distance_m },
  ]);
  if (problem !== undefined) return refused(problem);
  let fast: number = VDOT_MINUTES.min;
  let slow: number = VDOT_MINUTES.max;
  // VDOT falls with time, so the answer is in the interval exactly if the ends are on both sides of it.
  if (rawVdot(distance_m, fast) < vdotValue || rawVdot(distance_m, slow) > vdotValue) {
    return refused(
      `A runner of VDOT ${Number(vdotValue.toFixed(1))} takes less than 3.5 or more than 240 minutes for ${distance_m} m; the equations do not hold there.`,
    );
  }
  for (let step = 0; step < 60; step += 1) {
    const middle = (fast + slow) / 2;
    if (rawVdot(distance_m, middle) > vdotValue) fast = middle;
    else slow = middle;
  }
  return computed(slow * 60);
}

function rawVdot(distance_m: number, minutes: number): number {
  return oxygenCost(distance_m / minutes) / sustainableShare(minutes);
}
