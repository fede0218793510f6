import { Child } from '../child.mjs';
import { measureGroup } from '../group.mjs';
import { atLeast, figuresOf, inTools } from '../lines.mjs';
import { VERSIONS } from '../messages.mjs';
import { profileLane } from '../profile.mjs';

/** The SDK creates a server for every request: measured with one tool, and with the usual number. */
const SIZES = [1, 50];
const MIN_SDK = 3;
const CONTENDERS = [
  { name: 'floor', file: 'floor-fetch' },
  { name: 'ours', file: 'toolwright-fetch' },
  { name: 'SDK v2', file: 'sdk-v2-fetch' },
  { name: 'tmcp', file: 'tmcp-fetch' },
];

/** CPU per call of functions from `Request` to `Response`, without a network. */
export const fetchFace = {
  name: 'fetch',
  measure: async (report) => {
    const lines = [];
    for (const size of SIZES) {
      report(inTools(size));
      const samples = await measureGroup(createLanes(size));
      lines.push({
        measure: `call of \`toFetchHandler\`, ${VERSIONS.modern}, ${inTools(size)}: CPU µs`,
        target: `≥ ${MIN_SDK}× less than SDK v2`,
        figures: figuresOf(samples, 'cpuUs'),
        verdicts: [atLeast(samples.ratio('SDK v2', 'ours', 'cpuUs'), MIN_SDK, 'less than SDK v2')],
      });
    }
    return { lines };
  },
  profile: () => profileLane(createLanes(50).find(({ name }) => name === 'ours')),
};

function createLanes(size) {
  return CONTENDERS.map(({ name, file }) => ({
    name,
    start: async () => {
      const child = await Child.start(file, { size, era: 'modern' });
      return { child, measure: (ms) => child.ask('run', { ms }), close: () => child.stop() };
    },
  }));
}
