import type { ActivityPlace, ActivityStreams, ActivityWeather, SportType } from '../provider.ts';
import { HOME, thresholdsOf } from './athlete.ts';
import type { Day } from '../../calendar/days.ts';
import { createHeart } from './heart.ts';
import { move } from './motion.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { createRoute } from './route.ts';
import type { Route } from './route.ts';
import { daysAfterIllness, seasonOf } from './season.ts';
import { durationOf } from './session.ts';
import type { Session } from './session.ts';

/** One activity as a watch records it. */
export interface RecordingRequest {
  readonly seed: number;
  readonly day: Day;
  /** Position among the sessions of its day. */
  readonly index: number;
  readonly session: Session;
  readonly weather: ActivityWeather;
}

const HILLINESS: Readonly<Record<SportType, number>> = {
  run: 0.7,
  ride: 1,
  swim: 0,
  walk: 0.8,
  hike: 4,
  strength: 0,
  row: 0,
  ski: 1.5,
  other: 0,
};

/** Share of random change of the intensity. */
const UNREST: Readonly<Record<SportType, number>> = {
  run: 0.02,
  ride: 0.06,
  swim: 0.02,
  walk: 0.04,
  hike: 0.05,
  strength: 0.04,
  row: 0.03,
  ski: 0.04,
  other: 0.03,
};

type Row = { -readonly [Key in keyof ActivityStreams]-?: number[] };

/** Place of the start; null indoors. */
export function startOf(seed: number, day: Day, session: Session): ActivityPlace | null {
  if (session.isIndoor) return null;
  const { raceDay, race } = seasonOf(seed, day);
  return day === raceDay ? race.place : HOME;
}

/** Samples of every second of an activity. Stops of the watch are gaps in `time_s`. Summaries need no positions. */
export function record(
  request: RecordingRequest,
  { withPositions }: { readonly withPositions: boolean },
): ActivityStreams {
  const { seed, day, index, session, weather } = request;
  const random = createRandom(seed, 'recording', day, index);
  const route = routeOf(request);
  const rows: Row = createRows();
  const { ftp_w, speed_mps: threshold_mps } = thresholdsOf(seed, day);
  const heart = createHeart({
    temperature_c: session.isIndoor ? 20 : weather.temperature_c,
    offset: random.normal() * 1.5 + (daysAfterIllness(seasonOf(seed, day), day) === undefined ? 0 : 5),
  });
  const watch = { time: 0, stops: stopsOf(session, random) };
  let speed = 0;
  let distance = 0;
  for (const intensity of intensities(session, random)) {
    const share = route === undefined ? 0 : distance / route.distance_m;
    const grade = route === undefined ? 0 : route.shape.gradeAt(share);
    const motion = move(session.sport, { intensity, grade, speed_mps: speed, ftp_w, threshold_mps });
    speed = Math.round(motion.speed_mps * 100) / 100;
    // The first sample is the start.
    distance += rows.time_s.length === 0 ? 0 : speed;
    rows.time_s.push(nextTime(watch));
    rows.distance_m.push(Math.round(distance * 10) / 10);
    rows.speed_mps.push(speed);
    rows.heart_rate.push(heart(motion.effort, watch.time));
    if (motion.power_w !== null) rows.power_w.push(motion.power_w);
    if (motion.cadence_rpm !== null) rows.cadence_rpm.push(motion.cadence_rpm);
    if (route !== undefined) {
      rows.altitude_m.push(Math.round(route.shape.altitudeAt(share) * 10) / 10);
    }
    if (session.stopsAt_m !== undefined && distance >= session.stopsAt_m) break;
  }
  if (route !== undefined && withPositions) addPositions(rows, route.shape, distance);
  return toStreams(rows, session);
}

function createRows(): Row {
  return {
    time_s: [],
    distance_m: [],
    heart_rate: [],
    power_w: [],
    cadence_rpm: [],
    speed_mps: [],
    altitude_m: [],
    latitude: [],
    longitude: [],
  };
}

function toStreams(rows: Row, session: Session): ActivityStreams {
  const { time_s, distance_m, speed_mps, ...others } = rows;
  const present = Object.entries(others).filter(([, values]) => values.length > 0);
  const moving = session.sport === 'strength' ? {} : { distance_m, speed_mps };
  return { time_s, ...moving, ...Object.fromEntries(present) };
}

/** The route of an activity outdoors, with the planned distance. */
function routeOf(
  request: RecordingRequest,
): { readonly shape: Route; readonly distance_m: number } | undefined {
  const { seed, day, index, session } = request;
  const start = startOf(seed, day, session);
  if (start === null) return undefined;
  const typical = {
    run: 3,
    ride: 7.6,
    swim: 1,
    walk: 1.4,
    hike: 1.2,
    strength: 0,
    row: 3,
    ski: 3.2,
    other: 1,
  };
  const distance_m = Math.max(500, session.stopsAt_m ?? durationOf(session) * typical[session.sport]);
  const hilliness = HILLINESS[session.sport];
  return { shape: createRoute([seed, day, index], start, { distance_m, hilliness }), distance_m };
}

function* intensities(session: Session, random: Random): Generator<number> {
  const unrest = UNREST[session.sport];
  let deviation = 0;
  for (const { seconds, intensity } of session.segments) {
    for (let second = 0; second < seconds; second += 1) {
      // Deviations last for some seconds, as those of people and roads do.
      deviation = 0.94 * deviation + 0.34 * unrest * random.noise();
      yield Math.max(0.1, intensity * (1 + deviation));
    }
  }
}

interface Watch {
  time: number;
  /** Length of the stop after a time, in seconds. */
  readonly stops: Map<number, number>;
}

/** Traffic lights and drinks: up to two stops in an hour outdoors, none in a race. */
function stopsOf(session: Session, random: Random): Map<number, number> {
  const stops = new Map<number, number>();
  if (session.isIndoor || session.stopsAt_m !== undefined) return stops;
  const duration = durationOf(session);
  const count = random.whole(0, Math.ceil((2 * duration) / 3600));
  for (let index = 0; index < count; index += 1) {
    stops.set(random.whole(60, duration - 60), random.whole(15, 150));
  }
  return stops;
}

function nextTime(watch: Watch): number {
  const now = watch.time;
  const stop = watch.stops.get(now) ?? 0;
  watch.stops.delete(now);
  watch.time = now + 1 + stop;
  return now;
}

function addPositions(rows: Row, shape: Route, length_m: number): void {
  for (const distance of rows.distance_m) {
    const { latitude, longitude } = shape.pointAt(length_m === 0 ? 0 : distance / length_m, length_m);
    rows.latitude.push(Math.round(latitude * 1e6) / 1e6);
    rows.longitude.push(Math.round(longitude * 1e6) / 1e6);
  }
}
