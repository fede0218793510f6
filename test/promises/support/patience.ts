import type { Weakness } from './weaken.ts';

/**
 * The time to wait: long enough for a busy machine. It is short only for what cannot happen because one of these defences is turned off: another
 * short wait would fail instead of the expected assertion when the machine is busy.
 */
export function patienceFor(
  without: readonly Weakness[],
  defences: readonly string[],
  { ms, weakMs }: { readonly ms: number; readonly weakMs: number },
): number {
  return without.some(({ defence }) => defences.includes(defence)) ? weakMs : ms;
}

/** Waits for something that must happen; the error names it. */
export async function within<TValue>(promise: Promise<TValue>, ms: number, what: string): Promise<TValue> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(what)), ms);
  });
  try {
    return await Promise.race([promise, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}

/** Polls until the condition holds; the error names it. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  ms: number,
  what: string,
): Promise<void> {
  const end = performance.now() + ms;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(what);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
