import FitParser from 'fit-file-parser';
import { checkFitSize } from './check-fit-size.ts';
import { checkCount, keepReadable, orderPoints, toPoint, UnreadableFileError } from './recording.ts';
import type { RecordedPoint, Recording } from './recording.ts';
import { toSport } from './sport-names.ts';

type ParsedFit = Awaited<ReturnType<FitParser['parseAsync']>>;
type Session = NonNullable<ParsedFit['sessions']>[number];
type FitRecord = NonNullable<ParsedFit['records']>[number];

/** The sessions of a FIT file; a file without sessions is one activity. */
export async function readFit(content: Buffer): Promise<readonly Recording[]> {
  checkFitSize(content);
  const { records = [], sessions = [] } = await parse(content);
  checkCount(sessions);
  const points = records.flatMap(readPoint);
  if (points.length === 0) {
    throw new UnreadableFileError('it has no records: it is not a recording of an activity');
  }
  const [only] = sessions;
  if (sessions.length <= 1) return [toRecording(only, points)];
  const readers = sessions.map((session) => () => {
    const first = timeOf(session.start_time) ?? 0;
    const last = first + (session.total_elapsed_time ?? 0);
    return toRecording(
      session,
      points.filter(({ time }) => time >= first && time <= last),
    );
  });
  return keepReadable(readers);
}

async function parse(content: Buffer): Promise<ParsedFit> {
  const parser = new FitParser({ mode: 'list', force: false, lengthUnit: 'm', speedUnit: 'm/s' });
  try {
    return await parser.parseAsync(Buffer.from(content));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UnreadableFileError(`it is not a valid FIT file: ${reason.slice(0, 160)}`, { cause });
  }
}

function toRecording(session: Session | undefined, points: readonly RecordedPoint[]): Recording {
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return {
    name: '',
    sport: toSport(text(session?.sport)),
    points: orderPoints(points),
    totals: {
      moving_time_s: positive(session?.total_timer_time),
      elevation_gain_m: session?.total_ascent,
      energy_kcal: positive(session?.total_calories),
    },
  };
}

function readPoint(record: FitRecord): readonly RecordedPoint[] {
  const time = timeOf(record.timestamp);
  if (time === undefined) return [];
  return [
    toPoint(time, {
      latitude: record.position_lat,
      longitude: record.position_long,
      altitude_m: record.enhanced_altitude ?? record.altitude,
      distance_m: record.distance,
      speed_mps: record.enhanced_speed ?? record.speed,
      heart_rate: record.heart_rate,
      power_w: record.power,
      cadence_rpm: record.cadence,
    }),
  ];
}

function timeOf(value: unknown): number | undefined {
  const time = value instanceof Date ? value.getTime() : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.round(time / 1000);
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}
