/** One caller's window. */
export interface RateWindow {
  readonly endsAt: number;
  readonly count: number;
}

interface TieredWindow extends RateWindow {
  count: number;
  tier: Tier;
}

/** From the first to be forgotten to the last: calls left, none left, refused already. */
type Tier = 0 | 1 | 2;

/** Looking for windows that have ended costs a walk over all; it is done once for this share of the newcomers that need room. */
const SWEEP_SHARE = 16;

/**
 * A bounded number of windows. When it is full, windows that have ended go first, then those of callers with calls left, and
 * last those of callers that were refused: whoever is blocked must not get free by flooding the store with other names. Among
 * equals the oldest goes.
 */
export class RateWindows {
  readonly #windows = new Map<string, TieredWindow>();
  /** The keys of each tier in the order in which they came to it; with equal `perMs`, in the first tier, the order in which windows end. */
  readonly #tiers: readonly [Set<string>, Set<string>, Set<string>] = [new Set(), new Set(), new Set()];
  readonly #max: number;
  #untilSweep = 0;

  constructor(max: number) {
    this.#max = Math.max(1, max);
  }

  /** Counts one call in the caller's window, which begins with this call if none is under way. */
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
    // Room is made before, so that the newcomer is not the one to go.
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
