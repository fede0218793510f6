// Only the call path of Toolwright, for: node --cpu-prof --cpu-prof-dir=/tmp/profile bench/profile-call.mjs [tools] [seconds] [async |
// sync] [plain | real]
import { createRegistry, serveRegistry } from './registry.mjs';
import { createCalls } from './requests.mjs';
import { measure } from './measure.mjs';

const [size = '50', seconds = '5', handlers = 'async', catalogue = 'plain'] = process.argv.slice(2);
const { call } = serveRegistry(createRegistry(Number(size), { isAsync: handlers === 'async', catalogue }));
const lane = {
  name: 'toolwright',
  size: Number(size),
  catalogue,
  kind: 'call',
  serve: call,
  requests: createCalls(Number(size), catalogue),
  batch: 20_000,
  next: 0,
};

const endsAt = performance.now() + Number(seconds) * 1000;
while (performance.now() < endsAt) {
  const { cpuUs } = await measure(lane);
  console.log(`${cpuUs.toFixed(2)} µs`);
}
