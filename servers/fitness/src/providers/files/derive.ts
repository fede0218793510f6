import { metresBetween } from '../../activities/metres-between.ts';
import { normalizedPowerOf } from '../../activities/normalized-power.ts';
import type { Activity, ActivityStreams } from '../provider.ts';
import type { RecordedPoint, Recording } from './formats/recording.ts';

/** A longer time without samples is a pause. */
const PAUSE_S = 30;
/** Slower movement is standing still with the noise of the position. */
const STANDING_MPS = 0.4;
/** Rises below it are noise of the altimeter. */
const CLIMB_STEP_M = 2;

/** Samples of a recording: distance and speed are computed from positions where the file has none. */
export function toStreams({ points }: Recording): ActivityStreams {
  const start = points[0]?.time ?? 0;
  const distances = distancesOf(points);
  const speeds = speedsOf(points, distances);
  const named: Record<string, readonly (number | null)[] | undefined> = {
    distance_m: distances,
    speed_mps: speeds,
    heart_rate: column(points, 'heart_rate'),
    power_w: column(points, 'power_w'),
    cadence_rpm: column(points, 'cadence_rpm'),
    altitude_m: column(points, 'altitude_m'),
    latitude: column(points, 'latitude'),
    longitude: column(points, 'longitude'),
  };
  const present = Object.entries(named).filter(([, samples]) => samples?.some((sample) => sample !== null));
  return { time_s: points.map(({ time }) => time - start), ...Object.fromEntries(present) };
}

/** Summary of a recording. Figures of the device are taken before those of the samples. */
export function toActivity(id: string, recording: Recording): Activity {
  const { name, sport, points, totals } = recording;
  const streams = toStreams(recording);
  const { time_s, distance_m, heart_rate, power_w, cadence_rpm, altitude_m } = streams;
  const elapsed = time_s.at(-1) ?? 0;
  const first = points.find(({ latitude }) => latitude !== null);
  return {
    id,
    name: name || `${sport === 'other' ? 'Activity' : sport[0]?.toUpperCase() + sport.slice(1)} from a file`,
    sport_type: sport,
    start_time: points[0]?.time ?? 0,
    utc_offset_s: null,
    moving_time_s: Math.min(elapsed, Math.round(totals.moving_time_s ?? movingTimeOf(streams))),
    elapsed_time_s: elapsed,
    distance_m: rounded(distance_m?.findLast((value) => value !== null)),
    elevation_gain_m: rounded(totals.elevation_gain_m ?? climbOf(altitude_m)),
    average_heart_rate: rounded(meanOf(heart_rate, time_s)),
    max_heart_rate: highestOf(heart_rate),
    average_power_w: rounded(meanOf(power_w, time_s)),
    max_power_w: highestOf(power_w),
    normalized_power_w: normalizedPowerOf(streams),
    average_cadence_rpm: rounded(meanOf(cadence_rpm, time_s)),
    energy_kcal: totals.energy_kcal ?? null,
    place:
      first?.latitude == null || first.longitude === null
        ? null
        : { latitude: first.latitude, longitude: first.longitude, name: null },
    weather: null,
  };
}

type Samples = readonly (number | null)[] | undefined;

function column(points: readonly RecordedPoint[], key: keyof RecordedPoint): readonly (number | null)[] {
  return points.map((point) => point[key]);
}

function distancesOf(points: readonly RecordedPoint[]): Samples {
  if (points.some(({ distance_m }) => distance_m !== null)) return column(points, 'distance_m');
  if (points.every(({ latitude }) => latitude === null)) return undefined;
  let before: RecordedPoint | undefined;
  let distance = 0;
  return points.map((point) => {
    if (point.latitude === null) return null;
    distance += before === undefined ? 0 : metresBetween(before, point);
    before = point;
    return Math.round(distance * 10) / 10;
  });
}

function speedsOf(points: readonly RecordedPoint[], distances: Samples): Samples {
  if (points.some(({ speed_mps }) => speed_mps !== null)) return column(points, 'speed_mps');
  return distances?.map((distance, index) => {
    const previous = distances[index - 1];
    const seconds = (points[index]?.time ?? 0) - (points[index - 1]?.time ?? 0);
    if (distance === null || previous === undefined || previous === null || seconds <= 0) return null;
    return Math.round((100 * Math.max(0, distance - previous)) / seconds) / 100;
  });
}

/** Seconds between samples, without pauses and without standing still. */
function movingTimeOf({ time_s, distance_m }: ActivityStreams): number {
  let moving = 0;
  for (let index = 1; index < time_s.length; index += 1) {
    const seconds = (time_s[index] ?? 0) - (time_s[index - 1] ?? 0);
    const [from, to] = [distance_m?.[index - 1], distance_m?.[index]];
    const isKnown = from !== undefined && from !== null && to !== undefined && to !== null;
    if (isKnown ? to - from >= STANDING_MPS * seconds : seconds <= PAUSE_S) moving += seconds;
  }
  return moving;
}

function climbOf(altitudes: Samples): number | undefined {
  const known = (altitudes ?? []).filter((altitude) => altitude !== null);
  if (known.length === 0) return undefined;
  let climb = 0;
  let low = known[0] ?? 0;
  for (const altitude of known) {
    if (altitude < low) low = altitude;
    if (altitude - low < CLIMB_STEP_M) continue;
    climb += altitude - low;
    low = altitude;
  }
  return climb;
}

/** Mean over time: devices save fewer samples while little changes. A sample holds until the next, at most `PAUSE_S`. */
function meanOf(samples: Samples, time_s: readonly number[]): number | undefined {
  let sum = 0;
  let seconds = 0;
  let gap = 1;
  for (const [index, sample] of (samples ?? []).entries()) {
    const now = time_s[index] ?? 0;
    // The last sample holds as long as the one before.
    gap = Math.min(PAUSE_S, (time_s[index + 1] ?? now + gap) - now);
    if (sample === null) continue;
    sum += sample * gap;
    seconds += gap;
  }
  return seconds === 0 ? undefined : sum / seconds;
}

function highestOf(samples: Samples): number | null {
  return (samples ?? []).reduce<number | null>(
    (highest, sample) => (sample === null ? highest : Math.max(highest ?? sample, sample)),
    null,
  );
}

function rounded(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : Math.round(value * 10) / 10;
}
