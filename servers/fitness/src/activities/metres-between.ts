/** A point on the earth, in degrees. Null counts as 0. */
interface Point {
  readonly latitude: number | null;
  readonly longitude: number | null;
}

const EARTH_RADIUS_M = 6_371_008.8;

/** Great-circle distance (haversine). */
export function metresBetween(from: Point, to: Point): number {
  const radians = (degrees: number | null): number => ((degrees ?? 0) * Math.PI) / 180;
  const [lat1, lat2] = [radians(from.latitude), radians(to.latitude)];
  const dLongitude = radians(to.longitude) - radians(from.longitude);
  const half =
    Math.sin((lat2 - lat1) / 2) ** 2 + Math.cos(lat1) * Math.cos(lat2) * Math.sin(dLongitude / 2) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(half)));
}
