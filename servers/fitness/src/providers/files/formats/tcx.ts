import { checkCount, keepReadable, orderPoints, toPoint, UnreadableFileError } from './recording.ts';
import type { RecordedPoint, Recording } from './recording.ts';
import { toSport } from './sport-names.ts';
import { attributeOf, elementsAt, nameAt, numberAt, parseXml, timeAt } from './xml.ts';
import type { XmlElement } from './xml.ts';

/** The activities of a TCX file. */
export function readTcx(text: string): readonly Recording[] {
  const document = parseXml(text);
  const activities = elementsAt(document, 'TrainingCenterDatabase', 'Activities', 'Activity');
  if (activities.length === 0) {
    throw new UnreadableFileError('it has no <Activity>: courses and workouts are not activities');
  }
  checkCount(activities);
  const readers = activities.map((activity) => () => {
    const laps = elementsAt(activity, 'Lap');
    return {
      name: nameAt(activity, 'Notes'),
      sport: toSport(attributeOf(activity, 'Sport')),
      points: orderPoints(laps.flatMap((lap) => elementsAt(lap, 'Track', 'Trackpoint').flatMap(readPoint))),
      totals: { energy_kcal: sumOf(laps, 'Calories') },
    };
  });
  return keepReadable(readers);
}

function readPoint(point: XmlElement): readonly RecordedPoint[] {
  const time = timeAt(point, 'Time');
  if (time === undefined) return [];
  const [extension = {}] = elementsAt(point, 'Extensions', 'TPX');
  return [
    toPoint(time, {
      latitude: numberAt(point, 'Position', 'LatitudeDegrees'),
      longitude: numberAt(point, 'Position', 'LongitudeDegrees'),
      altitude_m: numberAt(point, 'AltitudeMeters'),
      distance_m: numberAt(point, 'DistanceMeters'),
      heart_rate: numberAt(point, 'HeartRateBpm', 'Value'),
      cadence_rpm: numberAt(point, 'Cadence') ?? numberAt(extension, 'RunCadence'),
      speed_mps: numberAt(extension, 'Speed'),
      power_w: numberAt(extension, 'Watts'),
    }),
  ];
}

/** Undefined if no lap has the value, or if all have 0: devices without an estimate write 0. */
function sumOf(laps: readonly XmlElement[], name: string): number | undefined {
  const sum = laps.reduce((total, lap) => total + Math.max(0, numberAt(lap, name) ?? 0), 0);
  return sum > 0 ? sum : undefined;
}
