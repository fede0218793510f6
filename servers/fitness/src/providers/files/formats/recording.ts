import type { SportType } from '../../provider.ts';

/** One sample of a file; absent fields are null. */
export interface RecordedPoint {
  /** Unix time in seconds. */
  readonly time: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly altitude_m: number | null;
  readonly distance_m: number | null;
  readonly speed_mps: number | null;
  readonly heart_rate: number | null;
  readonly power_w: number | null;
  readonly cadence_rpm: number | null;
}

/** One activity of a file. */
export interface Recording {
  readonly name: string;
  readonly sport: SportType;
  readonly points: readonly RecordedPoint[];
  /** Figures that the device has computed; they are taken before those of the samples. */
  readonly totals: {
    readonly moving_time_s?: number | undefined;
    readonly elevation_gain_m?: number | undefined;
    readonly energy_kcal?: number | undefined;
  };
}

/** A file that cannot be read as an activity. Its message is shown with the name of the file. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}

/** A day at one sample a second has 86,400. */
export const MAX_POINTS = 200_000;
export const MAX_RECORDINGS = 100;

/** Points in the order of time, each time once. Throws if there are fewer than two, or too many. */
export function orderPoints(points: readonly RecordedPoint[]): readonly RecordedPoint[] {
  if (points.length > MAX_POINTS) {
    throw new UnreadableFileError(`it has ${points.length} samples; the limit is ${MAX_POINTS}`);
  }
  const sorted = points.toSorted((one, other) => one.time - other.time);
  const ordered = sorted.filter(({ time }, index) => time !== sorted[index - 1]?.time);
  if (ordered.length < 2) throw new UnreadableFileError('it has fewer than two samples with a time');
  return ordered;
}

/** Throws if a file has too many activities. Each reads samples, so this comes first. */
export function checkCount(activities: readonly unknown[]): void {
  if (activities.length > MAX_RECORDINGS) {
    throw new UnreadableFileError(`it has ${activities.length} activities; the limit is ${MAX_RECORDINGS}`);
  }
}

/** The recordings that can be read. If none can be, the reason of the first is thrown. */
export function keepReadable(readers: readonly (() => Recording)[]): readonly Recording[] {
  let reason: unknown;
  const recordings = readers.flatMap((read) => {
    try {
      return [read()];
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      reason ??= error;
      return [];
    }
  });
  if (recordings.length === 0 && reason !== undefined) throw reason;
  return recordings;
}

/** The value if it is finite and within bounds; readings of a sensor that failed are not. */
export function within(value: number | undefined, low: number, high: number): number | null {
  return value !== undefined && Number.isFinite(value) && value >= low && value <= high ? value : null;
}

/** A point with all values within physical bounds. */
export function toPoint(
  time: number,
  values: Readonly<Partial<Record<keyof RecordedPoint, number | undefined>>>,
): RecordedPoint {
  const latitude = within(values.latitude, -90, 90);
  const longitude = within(values.longitude, -180, 180);
  const hasPosition = latitude !== null && longitude !== null;
  return {
    time,
    latitude: hasPosition ? latitude : null,
    longitude: hasPosition ? longitude : null,
    altitude_m: within(values.altitude_m, -500, 9000),
    distance_m: within(values.distance_m, 0, 2_000_000),
    speed_mps: within(values.speed_mps, 0, 60),
    // A chest strap without contact reports 0.
    heart_rate: within(values.heart_rate, 20, 250),
    power_w: within(values.power_w, 0, 3000),
    cadence_rpm: within(values.cadence_rpm, 0, 300),
  };
}
