import type { Conversion } from './model/conversion.ts';

const NONE: ReadonlySet<string> = new Set();

/** The conversion for a nested value: a member or an item. */
export function nestedConversion(at: Conversion): Conversion {
  if (at.owner === undefined && at.dropped.size === 0 && !at.isOpened) return at;
  return { ...at, dropped: NONE, owner: undefined, isWrittenPart: false, isOpened: false };
}
