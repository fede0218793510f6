import { assertOptions, CLOCK } from '../../errors/options/rules.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Clock } from '../../base/time/clock.ts';
import { systemClock } from '../../base/time/clock.ts';
import { STATE_LIMITS, StateRoom, weighState } from './state-room.ts';
import type { StateAmount, StateLimits } from './state-room.ts';

/** Lifetime of a stored value. */
export interface StateSetOptions {
  /** Lifetime in milliseconds. */
  readonly ttlMs: number;
  /** Keeps a value that is already stored. */
  readonly ifAbsent?: boolean;
}

/**
 * Store of values that belong to owners, behind `context.state` and handles. Default: in memory. Implement it to share state between
 * machines. Owners are opaque keys, values are JSON texts. A stored value must not be dropped before it expires: if there is no room, reject
 * the new one with a `CallRefusedError` and the code `STATE_FULL`.
 */
export interface StateStore {
  /** Returns undefined if there is no value or it has expired. */
  get(owner: string, key: string): MaybePromise<string | undefined>;
  /** Stores a value. Returns false if there is a value already and `ifAbsent` is set; of concurrent calls only one gets true then. */
  // oxlint-disable-next-line max-params -- an owner and a key are one place
  set(owner: string, key: string, value: string, options: StateSetOptions): MaybePromise<boolean>;
  /** Returns and deletes the value atomically: of concurrent calls only one gets it. */
  take(owner: string, key: string): MaybePromise<string | undefined>;
  delete(owner: string, key: string): MaybePromise<void>;
}

/** Options of {@link MemoryStateStore}. */
export interface MemoryStateOptions extends StateLimits {
  readonly clock?: Clock;
}

/** Expired values of all owners are searched at most this often. */
const SWEEP_MS = 1000;

interface Entry {
  readonly value: string;
  readonly expiresAt: number;
  readonly bytes: number;
}

interface Share {
  readonly entries: Map<string, Entry>;
  bytes: number;
}

/** In-memory state store. Values end with the process. */
export class MemoryStateStore implements StateStore {
  readonly #shares = new Map<string, Share>();
  readonly #all = { entries: 0, bytes: 0 };
  readonly #room: StateRoom;
  readonly #clock: Clock;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(options: MemoryStateOptions = {}) {
    assertOptions('MemoryStateStore', options, { ...STATE_LIMITS, clock: CLOCK });
    this.#room = new StateRoom(options);
    this.#clock = options.clock ?? systemClock;
  }

  /** Number of values, including expired ones that were not removed yet. */
  get size(): number {
    return this.#all.entries;
  }

  get(owner: string, key: string): string | undefined {
    return this.#find(owner, key)?.value;
  }

  // oxlint-disable-next-line max-params -- as the interface has it
  set(owner: string, key: string, value: string, { ttlMs, ifAbsent = false }: StateSetOptions): boolean {
    const before = this.#find(owner, key);
    if (before !== undefined && ifAbsent) return false;
    const bytes = weighState(key, value);
    this.#assertRoom(owner, {
      entries: before === undefined ? 1 : 0,
      bytes: bytes - (before?.bytes ?? 0),
    });
    this.#remove(owner, key);
    const share = this.#shares.get(owner) ?? { entries: new Map<string, Entry>(), bytes: 0 };
    this.#shares.set(owner, share);
    share.entries.set(key, { value, expiresAt: this.#clock.now() + ttlMs, bytes });
    share.bytes += bytes;
    this.#all.entries += 1;
    this.#all.bytes += bytes;
    return true;
  }

  take(owner: string, key: string): string | undefined {
    const found = this.#find(owner, key);
    this.#remove(owner, key);
    return found?.value;
  }

  delete(owner: string, key: string): void {
    this.#remove(owner, key);
  }

  #find(owner: string, key: string): Entry | undefined {
    const found = this.#shares.get(owner)?.entries.get(key);
    if (found === undefined || found.expiresAt > this.#clock.now()) return found;
    this.#remove(owner, key);
    return undefined;
  }

  #remove(owner: string, key: string): void {
    const share = this.#shares.get(owner);
    const entry = share?.entries.get(key);
    if (share === undefined || entry === undefined) return;
    share.entries.delete(key);
    share.bytes -= entry.bytes;
    this.#all.entries -= 1;
    this.#all.bytes -= entry.bytes;
    if (share.entries.size === 0) this.#shares.delete(owner);
  }

  #assertRoom(owner: string, added: StateAmount): void {
    if (this.#findExceeded(owner, added) === undefined) return;
    this.#dropExpired(owner);
    const exceeded = this.#findExceeded(owner, added);
    if (exceeded === 'store') this.#dropAllExpired();
    const still = exceeded === 'store' ? this.#findExceeded(owner, added) : exceeded;
    if (still !== undefined) throw this.#room.toError(still);
  }

  #findExceeded(owner: string, added: StateAmount): 'owner' | 'store' | undefined {
    const share = this.#shares.get(owner);
    const own = { entries: share?.entries.size ?? 0, bytes: share?.bytes ?? 0 };
    return this.#room.findExceeded(own, this.#all, added);
  }

  #dropExpired(owner: string): void {
    const now = this.#clock.now();
    for (const [key, { expiresAt }] of this.#shares.get(owner)?.entries ?? [])
      if (expiresAt <= now) this.#remove(owner, key);
  }

  /** Seldom: it visits all values, also if a full store rejects many. */
  #dropAllExpired(): void {
    const now = this.#clock.now();
    if (now - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = now;
    for (const owner of this.#shares.keys()) this.#dropExpired(owner);
  }
}
