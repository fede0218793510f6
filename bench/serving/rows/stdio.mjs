import { REAL_SIZE } from '../../tools.mjs';
import { STDIO_CONTENDERS } from '../contenders.mjs';
import { measureGroup } from '../group.mjs';
import { atLeast, ERAS, figuresOf } from '../lines.mjs';
import { VERSIONS } from '../messages.mjs';
import { profileLane } from '../profile.mjs';
import { stdioLane } from '../stdio-lane.mjs';

const PLAIN = { size: 50, catalogue: 'plain' };
const MODES = [
  { title: 'one at a time', inFlight: 1, min: 0.85, tools: PLAIN },
  { title: '50 in flight', inFlight: 50, min: 0.6, minPeer: 2, tools: PLAIN },
  {
    title: '50 in flight, 500 real tools',
    inFlight: 50,
    min: 0.6,
    minPeer: 2,
    tools: { size: REAL_SIZE, catalogue: 'real' },
  },
];
const PEERS = ['SDK v2', 'SDK v1', 'tmcp'];

/** Calls per second over stdio. */
export const stdio = {
  name: 'stdio',
  measure: async (report) => {
    const lines = [];
    for (const era of ERAS) {
      for (const { title, inFlight, min, minPeer, tools } of MODES) {
        report(`${VERSIONS[era]}, ${title}`);
        const samples = await measureGroup(createLanes(era, inFlight, tools));
        const toPeers = minPeer === undefined ? [] : [toNextPeer(samples, minPeer)];
        lines.push({
          measure: `stdio, ${VERSIONS[era]}, ${title}: calls/s`,
          target: `≥ ${min}× baseline${minPeer === undefined ? '' : `, ≥ ${minPeer}× the next peer`}`,
          figures: figuresOf(samples, 'perSecond'),
          verdicts: [atLeast(samples.ratio('ours', 'floor', 'perSecond'), min, 'baseline'), ...toPeers],
        });
      }
    }
    return { lines };
  },
  profile: () => profileLane(createLanes('modern', 50, PLAIN).find(({ name }) => name === 'ours')),
};

/** The fastest peer. */
function toNextPeer(samples, min) {
  const [next] = PEERS.filter((name) => samples.median(name, 'perSecond') !== undefined).sort(
    (a, b) => samples.median(b, 'perSecond') - samples.median(a, 'perSecond'),
  );
  return atLeast(1 / samples.ratio(next, 'ours', 'perSecond'), min, next);
}

function createLanes(era, inFlight, tools) {
  return STDIO_CONTENDERS.filter(({ eras }) => eras.includes(era)).map(({ name, file }) =>
    stdioLane({ name, file, specification: { ...tools, era }, inFlight }),
  );
}
