/** One zone of heart rate or power: from `min` up to, but not including, `max`; null if it has no upper end. */
export interface Zone {
  readonly zone: 1 | 2 | 3 | 4 | 5;
  readonly min: number;
  readonly max: number | null;
}

/** The zone of a value: 0 below the first zone; values above the last zone belong to the last one. */
export function findZone(zones: readonly Zone[], value: number): number {
  let found = 0;
  for (const { zone, min } of zones) if (value >= min) found = zone;
  return found;
}
