import { computed, refused } from './computed.ts';
import type { Computed } from './computed.ts';

/** The values that an algorithm accepts for one input; both ends are included. */
export interface Bounds {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly unit: string;
}

export interface Quantity extends Bounds {
  readonly value: number;
}

/** Returns a sentence about the first quantity out of its bounds. NaN and infinities are out of all bounds. */
export function findOutOfBounds(quantities: readonly Quantity[]): string | undefined {
  const bad = quantities.find(({ value, min, max }) => !(value >= min && value <= max));
  if (bad === undefined) return undefined;
  const unit = bad.unit === '' ? '' : ` ${bad.unit}`;
  return `${bad.name} is ${Number(bad.value.toPrecision(6))}${unit}: expected ${bad.min} to ${bad.max}${unit}.`;
}

/** The first value out of the bounds; none if all are within. For samples, which are too many for a quantity each. */
export function firstOutOf({ min, max, ...bounds }: Bounds, values: readonly number[]): readonly Quantity[] {
  const bad = values.find((value) => !(value >= min && value <= max));
  return bad === undefined ? [] : [{ ...bounds, min, max, value: bad }];
}

/** Runs `compute` if all quantities are within their bounds. */
export function computeWithin<Value>(quantities: readonly Quantity[], compute: () => Value): Computed<Value> {
  const problem = findOutOfBounds(quantities);
  return problem === undefined ? computed(compute()) : refused(problem);
}
