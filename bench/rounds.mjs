import { measure, warmUp } from './measure.mjs';
import { createCalls, createLists } from './requests.mjs';
import { shuffle } from './statistics.mjs';
import { SETS } from './tools.mjs';

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {(size: number, catalogue: import('./tools.mjs').Catalogue) => Promise<Running>} create
 */

/**
 * @typedef {object} Running
 * @property {(text: string) => Promise<string>} [call]
 * @property {(text: string) => Promise<string | readonly string[]>} [list] The text of the answer, or pieces of it that are sent one
 *   after the other. Both are left out where another row says the same.
 * @property {() => Promise<void>} close
 */

/** @typedef {{ lane: import('./measure.mjs').Lane, samples: import('./measure.mjs').Sample[] }} Track */

/**
 * Every contender with every set of tools, and the functions that close them.
 *
 * @param {readonly Contender[]} contenders
 */
export async function createTracks(contenders) {
  const requests = new Map(
    SETS.map((set) => [set, { call: createCalls(set.size, set.catalogue), list: createLists() }]),
  );
  const running = [];
  /** @type {Track[]} */
  const tracks = [];
  for (const { name, create } of contenders) {
    for (const set of SETS) {
      const instance = await create(set.size, set.catalogue);
      running.push(instance);
      for (const kind of ['call', 'list']) {
        const serve = instance[kind];
        if (serve === undefined) continue;
        const lane = { name, ...set, kind, serve, requests: requests.get(set)[kind], batch: 1, next: 0 };
        tracks.push({ lane, samples: [] });
      }
    }
  }
  const close = async () => {
    for (const instance of running) await instance.close();
  };
  return { tracks, close };
}

/**
 * Warms everything up, twice: code that runs first is optimized for itself alone, and deoptimized when the others run.
 *
 * @param {readonly Track[]} tracks
 * @param {{ warmMs: number, batchMs: number }} time
 */
export async function warmUpAll(tracks, time) {
  for (let pass = 0; pass < 2; pass += 1) {
    for (const { lane } of shuffle(tracks)) await warmUp(lane, time);
  }
}

/**
 * One round: every contender once; those that are compared with each other run close together.
 *
 * @param {readonly Track[]} tracks
 */
export async function runRound(tracks) {
  const groups = shuffle(
    SETS.flatMap((set) => [
      { set, kind: 'call' },
      { set, kind: 'list' },
    ]),
  );
  for (const { set, kind } of groups) {
    const group = tracks.filter(({ lane }) => isOf(lane, set) && lane.kind === kind);
    for (const { lane, samples } of shuffle(group)) samples.push(await measure(lane));
  }
}

/**
 * @param {{ size: number, catalogue: string }} lane
 * @param {{ size: number, catalogue: string }} set
 */
export function isOf(lane, { size, catalogue }) {
  return lane.size === size && lane.catalogue === catalogue;
}
