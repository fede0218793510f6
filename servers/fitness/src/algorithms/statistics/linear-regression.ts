import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { meanOf } from './spread.ts';

export interface LinearFit {
  readonly slope: number;
  readonly intercept: number;
  /** Share of the variance that the line explains, 0 to 1; 1 if all `ys` are equal, because the line is exact. */
  readonly r_squared: number;
}

/** Ordinary least squares of `ys` on `xs`. */
export function linearRegression(xs: readonly number[], ys: readonly number[]): Computed<LinearFit> {
  if (xs.length !== ys.length) return refused('A regression needs as many x values as y values.');
  const meanX = meanOf(xs);
  const meanY = meanOf(ys);
  if (meanX === undefined || meanY === undefined || xs.length < 2) {
    return refused('A regression needs at least two points.');
  }
  let squaresX = 0;
  let squaresY = 0;
  let products = 0;
  for (const [index, x] of xs.entries()) {
    const dx = x - meanX;
    const dy = (ys[index] ?? 0) - meanY;
    squaresX += dx * dx;
    squaresY += dy * dy;
    products += dx * dy;
  }
  if (!Number.isFinite(products + squaresX + squaresY)) return refused('A regression needs finite values.');
  if (squaresX === 0) return refused('A regression needs at least two different x values.');
  const slope = products / squaresX;
  return computed({
    slope,
    intercept: meanY - slope * meanX,
    r_squared: squaresY === 0 ? 1 : Math.min(1, (products * products) / (squaresX * squaresY)),
  });
}
