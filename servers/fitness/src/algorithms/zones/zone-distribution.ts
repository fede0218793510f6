import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { findZone } from './zone.ts';
import type { Zone } from './zone.ts';

export interface ZoneTime {
  /** 0 is the time below the first zone. */
  readonly zone: number;
  readonly seconds: number;
  /** Share of all samples, 0 to 1. */
  readonly share: number;
}

/** Time in each zone, from samples of one second. */
export function zoneDistribution(
  samples: readonly number[],
  zones: readonly Zone[],
): Computed<readonly ZoneTime[]> {
  if (samples.length === 0) return refused('A zone distribution needs at least one sample.');
  if (zones.length === 0) return refused('A zone distribution needs at least one zone.');
  const seconds = new Map<number, number>([[0, 0], ...zones.map(({ zone }): [number, number] => [zone, 0])]);
  for (const sample of samples) {
    const zone = findZone(zones, sample);
    seconds.set(zone, (seconds.get(zone) ?? 0) + 1);
  }
  return computed(
    [...seconds].map(([zone, count]) => ({ zone, seconds: count, share: count / samples.length })),
  );
}
