import { createServer } from 'node:http';
import { once } from 'node:events';
import { Child } from '../child.mjs';
import { measureGroup } from '../group.mjs';
import { atMost, figuresOf } from '../lines.mjs';
import { profileLane } from '../profile.mjs';

const MAX_FLOOR = 1.3;
const CONTENDERS = [
  { name: 'floor', file: 'floor-imported' },
  { name: 'ours', file: 'toolwright-imported' },
];

/** CPU time per call of a GET imported from OpenAPI, without a transport on our side: the cost in addition to fetching the response. */
export const imported = {
  name: 'imported',
  measure: async (report) => {
    report('a GET without paging');
    const samples = await withUpstream((port) => measureGroup(createLanes(port)));
    return {
      lines: [
        {
          measure: 'in-process call of an imported GET: CPU µs',
          target: `≤ ${MAX_FLOOR}× \`fetch\` and return`,
          figures: figuresOf(samples, 'cpuUs'),
          verdicts: [atMost(samples.ratio('ours', 'floor', 'cpuUs'), MAX_FLOOR, 'baseline')],
        },
      ],
    };
  },
  profile: () => withUpstream((port) => profileLane(createLanes(port).find(({ name }) => name === 'ours'))),
};

function createLanes(upstream) {
  return CONTENDERS.map(({ name, file }) => ({
    name,
    start: async () => {
      const child = await Child.start(file, { upstream });
      return { child, measure: (ms) => child.ask('run', { ms }), close: () => child.stop() };
    },
  }));
}

/** The API runs in this process, which generates no load meanwhile, on the core of the load. */
async function withUpstream(run) {
  const server = createServer((request, response) => {
    const id = decodeURIComponent(request.url.split('/').at(-1));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...ITEM, id }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    return await run(server.address().port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const ITEM = {
  name: 'A lamp with a green shade',
  price: 49.9,
  currency: 'EUR',
  tags: ['lamp', 'green', 'desk'],
  stock: { warehouse: 'north', count: 12 },
  updated: '2026-07-28T12:00:00Z',
};
