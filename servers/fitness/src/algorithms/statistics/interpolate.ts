/** Points of a piecewise linear function, by ascending x. */
export type Knots = readonly (readonly [x: number, y: number])[];

/** The value of a piecewise linear function; outside of the knots, the value of the nearest one. */
export function interpolate(knots: Knots, x: number): number {
  let before: readonly [number, number] | undefined;
  for (const knot of knots) {
    if (x <= knot[0]) {
      if (before === undefined) return knot[1];
      return before[1] + ((x - before[0]) / (knot[0] - before[0])) * (knot[1] - before[1]);
    }
    before = knot;
  }
  return before?.[1] ?? 0;
}
