import { checkCount, keepReadable, orderPoints, toPoint, UnreadableFileError } from './recording.ts';
import type { RecordedPoint, Recording } from './recording.ts';
import { toSport } from './sport-names.ts';
import { attributeOf, elementsAt, nameAt, numberAt, parseXml, textAt, timeAt, toNumber } from './xml.ts';
import type { XmlElement } from './xml.ts';

/** The tracks of a GPX file (1.0 or 1.1), with heart rate, cadence and power of the usual extensions. */
export function readGpx(text: string): readonly Recording[] {
  const document = parseXml(text);
  const tracks = elementsAt(document, 'gpx', 'trk');
  if (elementsAt(document, 'gpx').length === 0) throw new UnreadableFileError('it has no element <gpx>');
  if (tracks.length === 0) {
    throw new UnreadableFileError('it has no track (<trk>): routes and waypoints are not activities');
  }
  checkCount(tracks);
  const readers = tracks.map((track) => () => ({
    name: nameAt(track, 'name'),
    sport: toSport(textAt(track, 'type')),
    points: orderPoints(elementsAt(track, 'trkseg', 'trkpt').flatMap(readPoint)),
    totals: {},
  }));
  return keepReadable(readers);
}

function readPoint(point: XmlElement): readonly RecordedPoint[] {
  const time = timeAt(point, 'time');
  if (time === undefined) return [];
  const extensions = elementsAt(point, 'extensions');
  const [extra] = [...elementsAt(point, 'extensions', 'TrackPointExtension'), ...extensions];
  const [outer] = extensions;
  const read = (...names: readonly string[]): number | undefined =>
    names
      .map((name) => (extra && numberAt(extra, name)) ?? (outer && numberAt(outer, name)))
      .find((value) => value !== undefined);
  return [
    toPoint(time, {
      latitude: toNumber(attributeOf(point, 'lat')),
      longitude: toNumber(attributeOf(point, 'lon')),
      altitude_m: numberAt(point, 'ele'),
      speed_mps: read('speed') ?? numberAt(point, 'speed'),
      heart_rate: read('hr', 'heartrate'),
      cadence_rpm: read('cad', 'cadence'),
      power_w: read('power', 'PowerInWatts', 'watts'),
    }),
  ];
}
