import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until the answer fits; the last answer when the time is up, for an assertion to say what is wrong with it. */
export async function until<TValue>(
  ask: () => Promise<TValue> | TValue,
  fits: (value: TValue) => boolean,
  withinMs = 15_000,
): Promise<TValue> {
  const end = performance.now() + withinMs;
  for (;;) {
    const value = await ask();
    if (fits(value) || performance.now() > end) return value;
    await sleep(20);
  }
}
