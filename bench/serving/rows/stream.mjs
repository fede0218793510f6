import { HTTP_CONTENDERS } from '../contenders.mjs';
import { measureGroup } from '../group.mjs';
import { httpLane } from '../http-lane.mjs';
import { atLeast, figuresOf, inTools } from '../lines.mjs';
import { VERSIONS } from '../messages.mjs';
import { profileLane } from '../profile.mjs';

/** The SDK creates a server for every request: measured with one tool, and with the usual number. */
const SIZES = [1, 50];
const MIN_SDK = 3;

/** CPU time of the server for a call with ten progress notifications, as a stream of 2026-07-28. */
export const stream = {
  name: 'stream',
  measure: async (report) => {
    const lines = [];
    for (const size of SIZES) {
      report(inTools(size));
      const samples = await measureGroup(createLanes(size));
      lines.push({
        measure: `HTTP call with ten progress notifications, ${VERSIONS.modern}, ${inTools(size)}: CPU µs`,
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
  return HTTP_CONTENDERS.filter(({ eras }) => eras.includes('modern')).map(({ name, file }) =>
    httpLane({
      name,
      file: name === 'floor' ? 'floor-stream-http' : file,
      specification: { size, era: 'modern', reports: true },
      kind: 'stream',
    }),
  );
}
