import type { Clock } from '../../stores/clock.ts';

/** Looks again and again until something holds or the time is up. */
export function waitUntil(
  holds: () => boolean,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): Promise<void> {
  const until = clock.now() + timeoutMs;
  return new Promise((resolve) => {
    const look = (): void => {
      if (holds() || clock.now() >= until) resolve();
      else clock.schedule(look, 20);
    };
    look();
  });
}
