import { median, shuffle } from '../statistics.mjs';
import { PEER_CASTS, time } from './settings.mjs';

/**
 * Something that is measured against others.
 *
 * @typedef {object} Lane
 * @property {string} name
 * @property {() => Promise<Running>} start
 */

/**
 * @typedef {object} Running
 * @property {(ms: number) => Promise<Record<string, number>>} measure
 * @property {(ms: number) => Promise<unknown>} [warm] Where a part of the time is enough to measure, but not for the compiler.
 * @property {() => Promise<void>} close
 * @property {import('./child.mjs').Child} child
 */

/** Contenders that are restarted for every cast. The peers keep their processes, and end before the others. */
const RECAST = new Set(['ours', 'floor']);

/**
 * All contenders in turns, in random order: compared values are measured within seconds.
 *
 * @param {readonly Lane[]} lanes
 * @returns {Promise<Samples>}
 */
export async function measureGroup(lanes) {
  const samples = new Samples(lanes.map(({ name }) => name));
  const running = new Map();
  for (let cast = 0; cast < time.casts; cast += 1) {
    if (cast === PEER_CASTS) await dismissPeers(running);
    await startAnew(
      lanes.filter(({ name }) => RECAST.has(name) || cast === 0),
      running,
    );
    for (let round = 0; round < time.rounds; round += 1) {
      for (const [name, lane] of shuffle([...running])) samples.add(name, await lane.measure(time.batchMs));
    }
  }
  for (const lane of running.values()) await lane.close();
  return samples;
}

async function dismissPeers(running) {
  for (const [name, lane] of running) {
    if (RECAST.has(name)) continue;
    await lane.close();
    running.delete(name);
  }
}

async function startAnew(started, running) {
  for (const { name, start } of started) {
    await running.get(name)?.close();
    running.set(name, await start());
  }
  for (const { name } of shuffle(started)) {
    const { warm, measure } = running.get(name);
    await (warm ?? measure)(time.warmMs);
  }
  // The first batch of each contender is up to twice as slow as the next ones.
  for (const { name } of shuffle(started)) await running.get(name).measure(time.batchMs);
}

/** Measured values of a group, by round. */
export class Samples {
  #byName;

  /** @param {readonly string[]} names */
  constructor(names) {
    this.#byName = new Map(names.map((name) => [name, []]));
  }

  add(name, sample) {
    this.#byName.get(name).push(sample);
  }

  /**
   * @param {string} name
   * @param {string} figure
   * @returns {number | undefined} The median; undefined of those who were not there.
   */
  median(name, figure) {
    const samples = this.#byName.get(name);
    return samples === undefined ? undefined : median(samples.map((sample) => sample[figure]));
  }

  /** The median of the ratios of each round with both contenders, not the ratio of the medians: a disturbance affects both. */
  ratio(name, other, figure) {
    const [samples, others] = [this.#byName.get(name), this.#byName.get(other)];
    const rounds = samples.slice(0, others.length);
    return median(rounds.map((sample, round) => sample[figure] / others[round][figure]));
  }
}
