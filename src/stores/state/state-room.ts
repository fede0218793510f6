import { CallRefusedError } from '../../errors/errors.ts';
import { weighText } from '../../base/memory/weigh.ts';
import { wholeNumber } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';

/** Limits of the state of one owner. */
export interface OwnerLimits {
  /** Maximum number of values of one owner. Default: 1,000. */
  readonly maxEntriesPerOwner?: number;
  /** Maximum size of the keys and values of one owner in bytes, estimated. Default: 1,048,576. */
  readonly maxBytesPerOwner?: number;
}

/** Limits of a state store. */
export interface StateLimits extends OwnerLimits {
  /** Maximum number of values of all owners. An owner can use at most as many as are free. Default: 100,000. */
  readonly maxEntries?: number;
  /** Maximum size of all keys and values in bytes, estimated. An owner can use at most as much as is free. Default: 67,108,864. */
  readonly maxBytes?: number;
}

/** Rules of the limits. */
export const OWNER_LIMITS: Rules<keyof OwnerLimits> = {
  maxEntriesPerOwner: wholeNumber(0),
  maxBytesPerOwner: wholeNumber(0),
};

export const STATE_LIMITS: Rules<keyof StateLimits> = {
  ...OWNER_LIMITS,
  maxEntries: wholeNumber(0),
  maxBytes: wholeNumber(0),
};

/** Values of one or all owners. */
export interface StateAmount {
  readonly entries: number;
  readonly bytes: number;
}

/** Overhead of an entry. */
const ENTRY_BYTES = 100;

/** Size of an entry, estimated. */
export function weighState(key: string, value: string): number {
  return weighText(key) + weighText(value) + ENTRY_BYTES;
}

/**
 * The room of a state store. Stored values are never dropped before they expire, so the store rejects new ones when it is full. An owner can
 * use at most as much as is free: the owner that has most is rejected first, and others still find room.
 */
export class StateRoom {
  readonly limits: Required<StateLimits>;

  constructor(limits: StateLimits) {
    const { maxEntriesPerOwner = 1000, maxBytesPerOwner = 1_048_576 } = limits;
    const { maxEntries = 100_000, maxBytes = 67_108_864 } = limits;
    this.limits = { maxEntriesPerOwner, maxBytesPerOwner, maxEntries, maxBytes };
  }

  /** The limit that an owner would exceed: its own, or that of the store. `added` is negative if a value becomes shorter. */
  findExceeded(own: StateAmount, all: StateAmount, added: StateAmount): 'owner' | 'store' | undefined {
    const { maxEntriesPerOwner, maxBytesPerOwner, maxEntries, maxBytes } = this.limits;
    const exceeds = (amount: keyof StateAmount, max: number): boolean =>
      added[amount] > 0 && own[amount] + added[amount] > max;
    if (exceeds('entries', maxEntriesPerOwner) || exceeds('bytes', maxBytesPerOwner)) return 'owner';
    if (exceeds('entries', maxEntries - all.entries) || exceeds('bytes', maxBytes - all.bytes))
      return 'store';
    return undefined;
  }

  /** The error of a value that is not stored. */
  toError(exceeded: 'owner' | 'store'): CallRefusedError {
    const { maxEntriesPerOwner, maxBytesPerOwner } = this.limits;
    return exceeded === 'owner'
      ? new CallRefusedError(
          'STATE_FULL',
          `The state of this caller is full: at most ${maxEntriesPerOwner} values and ${maxBytesPerOwner} bytes. Delete values that are not needed, or wait until some expire.`,
        )
      : new CallRefusedError('STATE_FULL', 'The state store is full. Try again when values have expired.');
  }
}
