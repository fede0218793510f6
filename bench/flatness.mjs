import { measurePair } from './measure.mjs';
import { createTracks, isOf, warmUpAll } from './rounds.mjs';
import { shuffle } from './statistics.mjs';

/** @typedef {{ name: string, size: number, catalogue: string, ratios: number[] }} Pair One ratio to the floor per round. */

/**
 * Calls of Toolwright and of the baseline, in adjacent pairs. Run it before the peers exist: their garbage, and the object shapes they pass
 * to shared code, change the ratio by more than the number of tools does.
 *
 * @param {readonly { ours: import('./rounds.mjs').Contender, floor: import('./rounds.mjs').Contender }[]} matches like with like
 * @param {{ rounds: number, warmMs: number, batchMs: number }} time
 * @returns {Promise<Pair[]>}
 */
export async function measureFlatness(matches, time) {
  const { tracks, close } = await createTracks(matches.flatMap(({ ours, floor }) => [floor, ours]));
  const calls = tracks.filter(({ lane }) => lane.kind === 'call');
  await warmUpAll(calls, time);
  const lanes = calls.map(({ lane }) => lane);
  const floorOf = new Map(matches.map(({ ours, floor }) => [ours.name, floor.name]));
  const pairs = lanes
    .filter(({ name }) => floorOf.has(name))
    .map((lane) => ({
      lane,
      name: lane.name,
      size: lane.size,
      catalogue: lane.catalogue,
      floor: lanes.find((other) => other.name === floorOf.get(lane.name) && isOf(other, lane)),
      ratios: [],
    }));
  for (let round = 0; round < time.rounds; round += 1) {
    for (const { lane, floor, ratios } of shuffle(pairs)) {
      ratios.push(await measurePair(lane, floor));
    }
  }
  await close();
  return pairs;
}
