import { createId } from '../base/random-id.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Clock } from '../base/time/clock.ts';
import type { CacheClaims, LoadedValue } from './cache-store.ts';

/** Time for which a claim is held. If a process ends during a load, others wait as long. */
const HOLD_MS = 5000;

/** Time after which a claim is not extended any more. By default, other machines wait as long, and then load themselves. */
const MAX_WAIT_MS = 60_000;

/** First and longest time between two looks at a load of another machine. */
const FIRST_LOOK_MS = 10;
const MAX_LOOK_MS = 200;

/** A claim that this process holds until it is ended. */
export class HeldClaim {
  readonly #claims: CacheClaims;
  readonly #key: string;
  readonly #token: string;
  readonly #clock: Clock;
  readonly #until: number;
  #stop: () => void = () => {};
  #isEnded = false;

  constructor(claims: CacheClaims, claim: { readonly key: string; readonly token: string }, clock: Clock) {
    this.#claims = claims;
    this.#key = claim.key;
    this.#token = claim.token;
    this.#clock = clock;
    this.#until = clock.now() + MAX_WAIT_MS;
    this.#extendLater();
  }

  /** Ends the claim, once. Caches the loaded value, if any, unless the key was set or deleted in the meantime. */
  async end(loaded?: LoadedValue): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#stop();
    await this.#claims.settle(this.#key, this.#token, loaded);
  }

  #extendLater(): void {
    this.#stop = this.#clock.schedule(() => void this.#extend(), HOLD_MS / 3, true);
  }

  async #extend(): Promise<void> {
    if (this.#clock.now() >= this.#until) return;
    const isHeld = await Promise.resolve(this.#claims.extend(this.#key, this.#token, HOLD_MS)).catch(
      () => true,
    );
    if (isHeld && !this.#isEnded) this.#extendLater();
  }
}

/** Outcome of claiming a load: a cached value, a claim, or `alone`: the other load took too long, or the caller does not wait any more. */
export type ClaimedLoad =
  | { readonly kind: 'found'; readonly value: unknown }
  | { readonly kind: 'claimed'; readonly claim: HeldClaim }
  | { readonly kind: 'alone' };

/** Options of {@link claimLoad}. */
export interface ClaimLoadOptions {
  readonly clock: Clock;
  /** Whether a cached value can be used. Others are loaded again. */
  readonly isUsable: (value: unknown) => MaybePromise<boolean>;
  /** Whether the caller stopped waiting. */
  readonly isOver?: () => boolean;
  /** Maximum time to wait for another load. Default: 60,000. */
  readonly maxWaitMs?: number;
}

/** Claims the load of a key, or waits for the machine that has claimed it. */
export async function claimLoad(
  claims: CacheClaims,
  key: string,
  { clock, isUsable, isOver = () => false, maxWaitMs = MAX_WAIT_MS }: ClaimLoadOptions,
): Promise<ClaimedLoad> {
  const token = createId();
  const until = clock.now() + maxWaitMs;
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(MAX_LOOK_MS, pause * 2)) {
    let claim = await claims.claim(key, token, { holdMs: HOLD_MS, isRefresh: false });
    if (claim.kind === 'found' && (await isUsable(claim.value))) return claim;
    // A stale value is claimed in a second round trip.
    if (claim.kind === 'found') claim = await claims.claim(key, token, { holdMs: HOLD_MS, isRefresh: true });
    if (claim.kind === 'claimed')
      return { kind: 'claimed', claim: new HeldClaim(claims, { key, token }, clock) };
    const leftMs = until - clock.now();
    if (isOver() || leftMs <= 0) return { kind: 'alone' };
    await new Promise<void>((resolve) => {
      clock.schedule(resolve, Math.min(pause, leftMs));
    });
  }
}

/** Claims the load of a key even if a value is cached; undefined if another machine loads it. */
export async function claimNow(
  claims: CacheClaims,
  key: string,
  clock: Clock,
): Promise<HeldClaim | undefined> {
  const token = createId();
  const { kind } = await claims.claim(key, token, { holdMs: HOLD_MS, isRefresh: true });
  return kind === 'claimed' ? new HeldClaim(claims, { key, token }, clock) : undefined;
}
