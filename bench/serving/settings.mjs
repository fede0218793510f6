import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    profile: { type: 'string' },
    write: { type: 'string' },
  },
});

/** How it was called. */
export const { quick, check, json, only, profile, write } = values;

/**
 * How long everything takes. A cast is one set of processes of ours and of the floor: what the compiler makes of a process is a matter
 * of luck too, and ratios near a target must not hang on it. So a full run has several, and the rounds are shared out among them.
 */
export const time = quick
  ? { casts: 1, rounds: 2, warmMs: 300, batchMs: 150 }
  : { casts: 4, rounds: 3, warmMs: 2000, batchMs: 1000 };

/** In how many casts the peers are measured as well: they are too far away for luck to matter. */
export const PEER_CASTS = 2;
