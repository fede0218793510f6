/**
 * Distributes an amount in proportion to the weights, in whole steps (the smallest unit of the currency). The shares add up to the amount
 * exactly, and each is less than one step away from its exact share: the steps that rounding down leaves go to the largest remainders, the
 * first of equal ones.
 *
 * Amount and weights are not negative, the amount is a multiple of the step, and one weight is positive.
 */
export function distribute(amount: number, weights: readonly number[], step: number): number[] {
  // Products of two amounts exceed the safe integers.
  const steps = BigInt(amount / step);
  const whole = weights.reduce((total, weight) => total + BigInt(weight), 0n);
  const shares = weights.map((weight, index) => {
    const product = steps * BigInt(weight);
    return { index, steps: product / whole, remainder: product % whole };
  });
  const left = Number(steps - shares.reduce((total, share) => total + share.steps, 0n));
  const favoured = new Set(
    shares
      .toSorted((one, other) => Number(other.remainder - one.remainder) || one.index - other.index)
      .slice(0, left)
      .map((share) => share.index),
  );
  return shares.map((share) => (Number(share.steps) + (favoured.has(share.index) ? 1 : 0)) * step);
}
