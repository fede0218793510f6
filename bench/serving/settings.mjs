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

/** Flags of the command line. */
export const { quick, check, json, only, profile, write } = values;

/**
 * Durations and rounds. A cast is one set of processes of Toolwright and of the baseline: the optimizing compiler does not produce the same
 * code in every process, and ratios near a target must not depend on that. So a full run has several casts, which share the rounds.
 */
export const time = quick
  ? { casts: 1, rounds: 2, warmMs: 300, batchMs: 150 }
  : { casts: 4, rounds: 3, warmMs: 2000, batchMs: 1000 };

/** Number of casts that include the peers: their figures are too far away for chance to matter. */
export const PEER_CASTS = 2;
