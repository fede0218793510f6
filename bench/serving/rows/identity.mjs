import { measureGroup } from '../group.mjs';
import { httpLane } from '../http-lane.mjs';
import { atMost, figuresOf, inTools } from '../lines.mjs';
import { VERSIONS } from '../messages.mjs';
import { profileLane } from '../profile.mjs';

const SIZE = 50;
const MAX_BARE = 1.25;
const BOTH = { isLimited: true, isAudited: true };
/** The floor of this row is our own server without authentication, rate limit and audit. */
const LANES = {
  floor: { identity: 'none' },
  ours: { identity: 'warm', ...BOTH },
};
/** Shown beside it; nothing is asked of them. */
const OTHERS = {
  'JWT alone': { identity: 'warm' },
  'rate limit alone': { identity: 'none', isLimited: true },
  'audit alone': { identity: 'none', isAudited: true },
  'with an API key': { identity: 'api-key', ...BOTH },
  'with anyOf': { identity: 'any-of', ...BOTH },
  'with a JWT that is not cached': { identity: 'cold', ...BOTH },
  'with introspection, not cached, without network': { identity: 'introspection', ...BOTH },
};

/** CPU of authentication, rate limit and audit on top of a bare call over HTTP. */
export const identity = {
  name: 'identity',
  measure: async (report) => {
    report('authentication, rate limit and audit');
    const samples = await measureGroup(createLanes());
    const ratioOf = (name) => samples.ratio(name, 'floor', 'cpuUs');
    return {
      lines: [
        {
          measure: `HTTP call with JWT (warm cache), rate limit and audit, ${VERSIONS.modern}, ${inTools(SIZE)}: CPU µs`,
          target: `≤ ${MAX_BARE}× the same server without them (floor)`,
          figures: figuresOf(samples, 'cpuUs'),
          verdicts: [
            atMost(ratioOf('ours'), MAX_BARE, 'floor'),
            ...Object.keys(OTHERS).map((name) =>
              atMost(ratioOf(name), Number.POSITIVE_INFINITY, `floor: ${name}`),
            ),
          ],
        },
      ],
    };
  },
  profile: () => profileLane(createLanes().find(({ name }) => name === 'ours')),
};

function createLanes() {
  return Object.entries({ ...LANES, ...OTHERS }).map(([name, parts]) =>
    httpLane({
      name,
      file: 'toolwright-identity',
      specification: { size: SIZE, catalogue: 'plain', era: 'modern', ...parts },
    }),
  );
}
