import { createHash } from 'node:crypto';

/** Random values that depend only on the seed. */
export interface Random {
  /** An integer from `min` to `max`. */
  integer(min: number, max: number): number;
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
  /** A UUID of version 4. */
  uuid(): string;
}

/** The generator mulberry32, with a state from the seed's digest. */
export function createRandom(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE();
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const integer = (min: number, max: number): number => min + (next() % (max - min + 1));
  // The ids have the whole entropy of the seed, so those of two users do not collide.
  let count = 0;
  return {
    integer,
    chance: (percent) => integer(1, 100) <= percent,
    pick: (list) => list[integer(0, list.length - 1)] ?? list[0],
    uuid: () => {
      count += 1;
      const hex = createHash('sha256').update(`${seed} ${count}`).digest('hex');
      const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    },
  };
}
