import { STDIO_CONTENDERS } from '../contenders.mjs';
import { measureGroup } from '../group.mjs';
import { atLeast, ERAS, figuresOf } from '../lines.mjs';
import { VERSIONS } from '../messages.mjs';
import { profileLane } from '../profile.mjs';
import { stdioLane } from '../stdio-lane.mjs';

const SIZE = 50;
const MODES = [
  { title: 'one at a time', inFlight: 1, min: 0.85 },
  { title: '50 in flight', inFlight: 50, min: 0.7 },
];

/** Calls per second over standard input and output. */
export const stdio = {
  name: 'stdio',
  measure: async (report) => {
    const lines = [];
    for (const era of ERAS) {
      for (const { title, inFlight, min } of MODES) {
        report(`${VERSIONS[era]}, ${title}`);
        const samples = await measureGroup(createLanes(era, inFlight));
        lines.push({
          measure: `stdio, ${VERSIONS[era]}, ${title}: calls/s`,
          target: `≥ ${min}× floor`,
          figures: figuresOf(samples, 'perSecond'),
          verdicts: [atLeast(samples.ratio('ours', 'floor', 'perSecond'), min, 'floor')],
        });
      }
    }
    return { lines };
  },
  profile: () => profileLane(createLanes('modern', 50).find(({ name }) => name === 'ours')),
};

function createLanes(era, inFlight) {
  return STDIO_CONTENDERS.filter(({ eras }) => eras.includes(era)).map(({ name, file }) =>
    stdioLane({ name, file, specification: { size: SIZE, era }, inFlight }),
  );
}
