import { configureGlobal } from 'fast-check';

/**
 * Property tests draw the same cases in every run, so that a failure is caused by the current change. `FAST_CHECK_SEED=7 npm test` draws
 * others; `FAST_CHECK_SEED=random` draws others each time, and fast-check prints the seed of a failure.
 */
const { FAST_CHECK_SEED: seed = '20261115' } = process.env;
if (seed !== 'random') configureGlobal({ seed: Number(seed) });
