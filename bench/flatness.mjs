import { measurePair } from './measure.mjs';
import { createTracks, warmUpAll } from './rounds.mjs';
import { shuffle } from './statistics.mjs';

/** @typedef {{ name: string, size: number, ratios: number[] }} Pair One ratio to the floor per round. */

/**
 * Calls of ours against the floor, back to back. Run it before the peers exist: the garbage they leave and the shapes they show to
 * shared code move the ratio by more than the number of tools does.
 *
 * @param {readonly import('./rounds.mjs').Contender[]} ours
 * @param {import('./rounds.mjs').Contender} floor
 * @param {{ rounds: number, warmMs: number, batchMs: number }} time
 * @returns {Promise<Pair[]>}
 */
export async function measureFlatness(ours, floor, time) {
  const { tracks, close } = await createTracks([floor, ...ours]);
  const calls = tracks.filter(({ lane }) => lane.kind === 'call');
  await warmUpAll(calls, time);
  const lanes = calls.map(({ lane }) => lane);
  const floors = new Map(lanes.filter(({ name }) => name === floor.name).map((lane) => [lane.size, lane]));
  const pairs = lanes
    .filter(({ name }) => name !== floor.name)
    .map((lane) => ({ lane, name: lane.name, size: lane.size, ratios: [] }));
  for (let round = 0; round < time.rounds; round += 1) {
    for (const { lane, size, ratios } of shuffle(pairs)) {
      ratios.push(await measurePair(lane, floors.get(size)));
    }
  }
  await close();
  return pairs;
}
