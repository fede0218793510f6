import { createRandom } from './random.ts';

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** A closed loop from a start, measured along the way. */
export interface Route {
  /** Height above sea level after this share (0 to 1) of the loop. */
  altitudeAt(share: number): number;
  /** Slope in metres per metre. */
  gradeAt(share: number): number;
  /** Position after this share of a loop of this length. */
  pointAt(share: number, length_m: number): Point;
}

interface Wave {
  readonly count: number;
  readonly amplitude: number;
  readonly phase: number;
}

const STEPS = 360;
/** Of the height; the shortest hill has at least sixty. */
const TABLE_STEPS = 1024;
const METRES_PER_DEGREE = 111_320;

/** A route with hills for a distance; `hilliness` 1 gives about ten metres of climbing in a kilometre. */
export function createRoute(
  key: readonly (string | number)[],
  start: Point,
  { distance_m, hilliness }: { readonly distance_m: number; readonly hilliness: number },
): Route {
  const random = createRandom('route', ...key);
  const kilometres = (distance_m / 1000) * hilliness;
  const hills: readonly Wave[] = [
    { count: 1, amplitude: 2.4 * kilometres, phase: -Math.PI / 2 },
    { count: 4 + random.whole(0, 3), amplitude: 0.32 * kilometres, phase: random.between(0, 6) },
    { count: 11 + random.whole(0, 6), amplitude: 0.1 * kilometres, phase: random.between(0, 6) },
  ];
  const base = 255 + random.between(0, 60) + 2.4 * kilometres;
  const bearing = random.between(0, 2 * Math.PI);
  const shape = createShape([random.between(0, 6), random.between(0, 6), random.between(0, 6)]);
  // Tables: sines for each second of two years would take most of the time of a list of activities.
  const altitudes = tableOf(
    (share) => base + sumOf(hills, (hill, turn) => hill.amplitude * Math.sin(turn), share),
  );
  const slope = (2 * Math.PI) / distance_m;
  const grades = tableOf(
    (share) => slope * sumOf(hills, (hill, turn) => hill.count * hill.amplitude * Math.cos(turn), share),
  );
  return {
    altitudeAt: (share) => lookUp(altitudes, share),
    gradeAt: (share) => lookUp(grades, share),
    pointAt: (share, length_m) => {
      const { x, y } = shape(share);
      const north = length_m * (y * Math.cos(bearing) - x * Math.sin(bearing));
      const east = length_m * (y * Math.sin(bearing) + x * Math.cos(bearing));
      const narrowing = Math.cos((start.latitude * Math.PI) / 180);
      return {
        latitude: start.latitude + north / METRES_PER_DEGREE,
        longitude: start.longitude + east / (METRES_PER_DEGREE * narrowing),
      };
    },
  };
}

function sumOf(waves: readonly Wave[], value: (wave: Wave, turn: number) => number, share: number): number {
  return waves.reduce((sum, wave) => sum + value(wave, 2 * Math.PI * wave.count * share + wave.phase), 0);
}

/** Values at equal shares of the loop. */
function tableOf(value: (share: number) => number): Float64Array {
  return Float64Array.from({ length: TABLE_STEPS + 1 }, (_, step) => value(step / TABLE_STEPS));
}

function lookUp(table: Float64Array, share: number): number {
  const place = (share - Math.floor(share)) * TABLE_STEPS;
  const step = Math.floor(place);
  const from = table[step] ?? 0;
  return from + (place - step) * ((table[step + 1] ?? from) - from);
}

/** A bent loop of length 1 from the origin, as positions by the share of its length. */
function createShape(phases: readonly [number, number, number]): (share: number) => { x: number; y: number } {
  const corners = Array.from({ length: STEPS + 1 }, (_, step) => {
    const turn = (2 * Math.PI * step) / STEPS;
    const bend = phases.reduce((sum, phase, index) => sum + 0.12 * Math.sin((index + 2) * turn + phase), 1);
    return { x: bend * Math.cos(turn), y: bend * Math.sin(turn) };
  });
  const origin = corners[0] ?? { x: 0, y: 0 };
  const lengths = [0];
  for (let step = 1; step <= STEPS; step += 1) {
    const here = corners[step] ?? origin;
    const before = corners[step - 1] ?? origin;
    lengths.push((lengths[step - 1] ?? 0) + Math.hypot(here.x - before.x, here.y - before.y));
  }
  const total = lengths[STEPS] ?? 1;
  return (share) => {
    const wanted = (share - Math.floor(share)) * total;
    let low = 0;
    for (let high = STEPS; high - low > 1;) {
      const middle = (low + high) >> 1;
      if ((lengths[middle] ?? 0) <= wanted) low = middle;
      else high = middle;
    }
    const from = corners[low] ?? origin;
    const to = corners[low + 1] ?? from;
    const part = (wanted - (lengths[low] ?? 0)) / ((lengths[low + 1] ?? 1) - (lengths[low] ?? 0) || 1);
    return {
      x: (from.x + part * (to.x - from.x) - origin.x) / total,
      y: (from.y + part * (to.y - from.y) - origin.y) / total,
    };
  };
}
