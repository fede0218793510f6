import { setTimeout as wait } from 'node:timers/promises';

/**
 * Looks every few milliseconds whether something holds.
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
