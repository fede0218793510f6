import { REAL_SIZE, SETS } from '../../tools.mjs';
import { HTTP_CONTENDERS } from '../contenders.mjs';
import { measureGroup } from '../group.mjs';
import { httpLane } from '../http-lane.mjs';
import { atLeast, atMost, ERAS, figuresOf, inTools } from '../lines.mjs';
import { VERSIONS } from '../messages.mjs';
import { profileLane } from '../profile.mjs';

const MAX_FLOOR = 1.6;
const MIN_SDK = 10;
const MIN_TMCP = 5;
/** Maximum difference of the ratio to the baseline between 2,000 tools and one. */
const FLAT_WITHIN = 0.15;
/** Number of tools for the comparison with peers. */
const PEERS_AT = 50;
/** The same peer with another library that its documentation also shows. */
const ON_SRVX = 'tmcp on srvx';

/** CPU time of the server per `tools/call` over HTTP, in both eras, by number and shape of tools. */
export const call = {
  name: 'call',
  measure: async (report) => {
    const lines = [];
    for (const era of ERAS) {
      const ratios = new Map();
      for (const set of SETS) {
        const title = `${VERSIONS[era]}, ${inTools(set.size, set.catalogue)}`;
        report(title);
        const samples = await measureGroup(createLanes(era, set));
        if (set.catalogue === 'plain') ratios.set(set.size, samples.ratio('ours', 'floor', 'cpuUs'));
        lines.push(toLine({ title, isJudged: set.size === PEERS_AT, samples }));
      }
      lines.push(flatness(era, ratios));
    }
    return { lines };
  },
  profile: () => {
    const lanes = createLanes('modern', { size: REAL_SIZE, catalogue: 'real' });
    return profileLane(lanes.find(({ name }) => name === 'ours'));
  },
};

function createLanes(era, { size, catalogue }) {
  const contenders = HTTP_CONTENDERS.filter(({ eras }) => eras.includes(era));
  const others = size === PEERS_AT ? [{ name: ON_SRVX, file: 'tmcp-srvx-http' }] : [];
  return [...contenders, ...others].map(({ name, file }) =>
    httpLane({ name, file, specification: { size, catalogue, era } }),
  );
}

function toLine({ title, isJudged, samples }) {
  const toFloor = atMost(samples.ratio('ours', 'floor', 'cpuUs'), MAX_FLOOR, 'baseline');
  const toPeers = () => [
    atLeast(samples.ratio('SDK v2', 'ours', 'cpuUs'), MIN_SDK, 'less than SDK v2'),
    atLeast(samples.ratio('tmcp', 'ours', 'cpuUs'), MIN_TMCP, 'less than tmcp'),
    // No target; for information.
    atLeast(samples.ratio(ON_SRVX, 'ours', 'cpuUs'), 0, `less than ${ON_SRVX}`),
  ];
  return {
    measure: `HTTP call, ${title}: CPU µs`,
    target: `≤ ${MAX_FLOOR}× baseline${isJudged ? `, ≥ ${MIN_SDK}× less than SDK v2, ≥ ${MIN_TMCP}× less than tmcp` : ''}`,
    figures: figuresOf(samples, 'cpuUs'),
    verdicts: [toFloor, ...(isJudged ? toPeers() : [])],
  };
}

function flatness(era, ratios) {
  const [few, many] = [ratios.get(1), ratios.get(2000)];
  const apart = Math.max(few, many) / Math.min(few, many) - 1;
  return {
    measure: `HTTP call, ${VERSIONS[era]}: × baseline at 2,000 tools and at 1`,
    target: `the same within ${FLAT_WITHIN * 100} %`,
    figures: { ours: `${many.toFixed(2)} / ${few.toFixed(2)}` },
    verdicts: [{ text: `${(apart * 100).toFixed(0)} % apart`, isMet: apart <= FLAT_WITHIN }],
  };
}
