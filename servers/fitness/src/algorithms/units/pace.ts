import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { METRES_PER_MILE } from './length.ts';

const METRES = { km: 1000, mi: METRES_PER_MILE, '100m': 100 } as const;
export type PaceUnit = keyof typeof METRES;

/** Seconds for one unit of distance. */
export function toPace(metresPerSecond: number, unit: PaceUnit): Computed<number> {
  if (!(metresPerSecond > 0 && Number.isFinite(metresPerSecond))) {
    return refused('A pace needs a speed above 0 m/s.');
  }
  return computed(METRES[unit] / metresPerSecond);
}

/** Metres per second. */
export function fromPace(seconds: number, unit: PaceUnit): Computed<number> {
  if (!(seconds > 0 && Number.isFinite(seconds))) return refused('A speed needs a pace above 0 seconds.');
  return computed(METRES[unit] / seconds);
}

/** `3:10:49`, or `4:05` below one hour; rounded to whole seconds. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (whole < 3600) return `${minutes}:${two(whole % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}

/** `4:15 /km`. */
export function formatPace(seconds: number, unit: PaceUnit): string {
  return `${formatDuration(seconds)} /${unit}`;
}
