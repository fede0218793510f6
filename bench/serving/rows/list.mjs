import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Child } from '../child.mjs';
import { HTTP_CONTENDERS } from '../contenders.mjs';
import { measureGroup } from '../group.mjs';
import { httpLane } from '../http-lane.mjs';
import { headersOf, openSessions } from '../http-requests.mjs';
import { REAL_SIZE } from '../../tools.mjs';
import { atMost, ERAS, figuresOf, inTools } from '../lines.mjs';
import { listMessage, VERSIONS } from '../messages.mjs';
import { profileLane } from '../profile.mjs';

const SETS = [
  ...[50, 500, 2000].map((size) => ({ size, catalogue: 'plain' })),
  { size: REAL_SIZE, catalogue: 'real' },
];
const MAX_FLOOR = 1.5;

/** CPU time of the server per `tools/list` over HTTP, compared with a server that sends the same bytes. */
export const list = {
  name: 'list',
  measure: async (report) => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-bench-'));
    const lines = [];
    try {
      for (const era of ERAS) {
        for (const { size, catalogue } of SETS) {
          const title = `${VERSIONS[era]}, ${inTools(size, catalogue)}`;
          report(title);
          const file = join(folder, `${era}-${catalogue}-${size}.json`);
          writeFileSync(file, await fetchList({ era, size, catalogue }));
          const samples = await measureGroup(createLanes({ era, size, catalogue, file }));
          lines.push({
            measure: `HTTP list, ${title}: CPU µs`,
            target: `≤ ${MAX_FLOOR}× a server that sends the same bytes`,
            figures: figuresOf(samples, 'cpuUs'),
            verdicts: [atMost(samples.ratio('ours', 'floor', 'cpuUs'), MAX_FLOOR, 'baseline')],
          });
        }
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    return { lines };
  },
  profile: () => profileLane(createLanes({ era: 'modern', size: 500 }).find(({ name }) => name === 'ours')),
};

function createLanes({ era, size, catalogue, file }) {
  return HTTP_CONTENDERS.filter(({ eras }) => eras.includes(era)).map((contender) =>
    httpLane({
      name: contender.name,
      file: contender.name === 'floor' ? 'bytes-http' : contender.file,
      specification: { size, catalogue, era, file },
      kind: 'list',
    }),
  );
}

/** The list of Toolwright. */
async function fetchList({ era, size, catalogue }) {
  const child = await Child.start('toolwright-http', { size, catalogue, era });
  const [session] = era === 'legacy' ? await openSessions(child.port, 1) : [];
  const message = listMessage(era);
  const response = await fetch(`http://127.0.0.1:${child.port}/mcp`, {
    method: 'POST',
    headers: headersOf(message, era, session),
    body: message.text,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  await child.stop();
  return bytes;
}
