import { measure, warmUp } from './measure.mjs';
import { createCalls, createLists } from './requests.mjs';
import { shuffle } from './statistics.mjs';
import { SIZES } from './tools.mjs';

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {(size: number) => Promise<Running>} create
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
 * Every contender at every size, with what ends them.
 *
 * @param {readonly Contender[]} contenders
 */
export async function createTracks(contenders) {
  const requests = new Map(SIZES.map((size) => [size, { call: createCalls(size), list: createLists() }]));
  const running = [];
  /** @type {Track[]} */
  const tracks = [];
  for (const { name, create } of contenders) {
    for (const size of SIZES) {
      const instance = await create(size);
      running.push(instance);
      for (const kind of ['call', 'list']) {
        const serve = instance[kind];
        if (serve === undefined) continue;
        const lane = { name, size, kind, serve, requests: requests.get(size)[kind], batch: 1, next: 0 };
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
 * Warms everything up. Twice: what runs first is compiled for itself alone, and loses that when the others come.
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
 * One round: everybody once, those that are compared with each other close together.
 *
 * @param {readonly Track[]} tracks
 */
export async function runRound(tracks) {
  const groups = shuffle(
    SIZES.flatMap((size) => [
      { size, kind: 'call' },
      { size, kind: 'list' },
    ]),
  );
  for (const { size, kind } of groups) {
    const group = tracks.filter(({ lane }) => lane.size === size && lane.kind === kind);
    for (const { lane, samples } of shuffle(group)) samples.push(await measure(lane));
  }
}
