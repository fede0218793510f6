import type { Day } from './days.ts';

/** Days from `from` to `to`, both inclusive. */
export interface Days {
  readonly from: Day;
  readonly to: Day;
}

/** Blocks of so many days, the oldest first. The last one ends with the last day; the first one may be shorter. */
export function listBlocks({ from, to }: Days, length: number): readonly Days[] {
  const blocks: Days[] = [];
  for (let end = to; end >= from; end -= length) {
    blocks.unshift({ from: Math.max(from, end - length + 1), to: end });
  }
  return blocks;
}
