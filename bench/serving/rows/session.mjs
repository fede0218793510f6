import { HTTP_CONTENDERS } from '../contenders.mjs';
import { measureGroup } from '../group.mjs';
import { httpLane } from '../http-lane.mjs';
import { atLeast, figuresOf, inTools } from '../lines.mjs';
import { VERSIONS } from '../messages.mjs';
import { profileLane } from '../profile.mjs';

const SIZE = 50;
const MIN_SDK = 3;

/**
 * CPU time of the server per call in a session of 2025-11-25. Version 1 of the SDK is omitted: it does the same as version 2, on Express.
 */
export const session = {
  name: 'session',
  measure: async (report) => {
    report(inTools(SIZE));
    const samples = await measureGroup(createLanes());
    return {
      lines: [
        {
          measure: `HTTP call in a session, ${VERSIONS.legacy}, ${inTools(SIZE)}: CPU µs`,
          target: `≥ ${MIN_SDK}× less than SDK v2`,
          figures: figuresOf(samples, 'cpuUs'),
          verdicts: [atLeast(samples.ratio('SDK v2', 'ours', 'cpuUs'), MIN_SDK, 'less than SDK v2')],
        },
      ],
    };
  },
  profile: () => profileLane(createLanes().find(({ name }) => name === 'ours')),
};

function createLanes() {
  return HTTP_CONTENDERS.filter(({ name }) => name !== 'SDK v1').map(({ name, file }) =>
    httpLane({ name, file, specification: { size: SIZE, era: 'legacy', keepsSessions: true } }),
  );
}
