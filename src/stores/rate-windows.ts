/** Rate limit window of one caller. */
export interface RateWindow {
  readonly endsAt: number;
  readonly count: number;
}

interface TieredWindow extends RateWindow {
  count: number;
  tier: Tier;
}

/** Drop order of windows: 0 has calls left, 1 has none left, 2 is blocked. */
type Tier = 0 | 1 | 2;

/** Searching for expired windows visits all of them; it is done once per this share of new callers that need room. */
const SWEEP_SHARE = 16;

/**
 * A bounded number of rate limit windows. When it is full, expired windows are dropped first, then those of callers with calls left, last
 * those of blocked callers: a blocked caller cannot reset its window by flooding the store with other keys. Within a tier the oldest is
 * dropped.
 */
export class RateWindows {
  readonly #windows = new Map<string, TieredWindow>();
  /** Keys of each tier in order of insertion; with equal `perMs`, that is the order in which windows of the first tier end. */
  readonly #tiers: readonly [Set<string>, Set<string>, Set<string>] = [new Set(), new Set(), new Set()];
  readonly #max: number;
  #untilSweep = 0;

  constructor(max: number) {
    this.#max = Math.max(1, max);
  }

  /** Counts one call in the caller's window; starts a window if none is open. */
  count(
    key: string,
    { limit, perMs }: { readonly limit: number; readonly perMs: number },
    now: number,
  ): RateWindow {
    const window = this.#running(key, now) ?? this.#begin(key, now, perMs);
    window.count += 1;
    const tier = tierOf(window.count, limit);
    if (tier === window.tier) return window;
    this.#tiers[window.tier].delete(key);
    this.#tiers[tier].add(key);
    window.tier = tier;
    return window;
  }

  #running(key: string, now: number): TieredWindow | undefined {
    const window = this.#windows.get(key);
    // defence: end-of-windows
    if (window !== undefined && window.endsAt <= now) return undefined;
    return window;
  }

  #begin(key: string, now: number, perMs: number): TieredWindow {
    this.#forget(key);
    // Makes room first, so that the new window is not the one to be dropped.
    if (this.#windows.size >= this.#max) this.#makeRoom(now);
    const window: TieredWindow = { endsAt: now + perMs, count: 0, tier: 0 };
    this.#windows.set(key, window);
    this.#tiers[0].add(key);
    return window;
  }

  #makeRoom(now: number): void {
    if (this.#untilSweep === 0) {
      for (const [key, { endsAt }] of this.#windows) if (endsAt <= now) this.#forget(key);
      this.#untilSweep = Math.ceil(this.#max / SWEEP_SHARE);
    }
    this.#untilSweep -= 1;
    for (const tier of this.#tiers) {
      for (const oldest of tier) {
        if (this.#windows.size < this.#max) return;
        this.#forget(oldest);
      }
    }
  }

  #forget(key: string): void {
    const window = this.#windows.get(key);
    if (window === undefined) return;
    this.#windows.delete(key);
    this.#tiers[window.tier].delete(key);
  }
}

function tierOf(count: number, limit: number): Tier {
  if (count < limit) return 0;
  return count === limit ? 1 : 2;
}
