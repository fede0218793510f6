import { setTimeout as wait } from 'node:timers/promises';

/**
 * Polls every few milliseconds until a condition holds.
 *
 * @param {number} limitMs
 * @param {() => boolean} holds
 */
export async function isWithin(limitMs, holds) {
  const endsAt = performance.now() + limitMs;
  while (!holds()) {
    if (performance.now() > endsAt) return false;
    await wait(10);
  }
  return true;
}
