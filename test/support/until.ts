import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until the value is accepted; returns the last value after the timeout, so that an assertion can report it. */
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
