import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { meanOf } from './spread.ts';

/** Pearson's correlation coefficient, −1 to 1. */
export function correlation(xs: readonly number[], ys: readonly number[]): Computed<number> {
  if (xs.length !== ys.length) return refused('A correlation needs as many x values as y values.');
  if (xs.length < 3) return refused('A correlation needs at least three points.');
  const meanX = meanOf(xs) ?? 0;
  const meanY = meanOf(ys) ?? 0;
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
  const scale = Math.sqrt(squaresX) * Math.sqrt(squaresY);
  if (!Number.isFinite(scale)) return refused('A correlation needs finite values.');
  if (scale === 0) return refused('A correlation needs values that vary on both sides.');
  return computed(Math.max(-1, Math.min(1, products / scale)));
}
