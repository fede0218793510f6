/**
 * The cost of several processes and of shared stores: workers, Redis against memory, many subscriptions, many task records. Each part compares
 * its contenders in rounds, in random order. `node bench/nodes/main.mjs [--quick] [part …]`; Redis is that of REDIS_URL, which is emptied.
 */
import { parseArgs } from 'node:util';
import { cpus, loadavg } from 'node:os';
import { measureStores } from './redis.mjs';
import { measureSubscriptions } from './subscriptions.mjs';
import { measureTasks } from './tasks.mjs';
import { measureWorkers } from './workers.mjs';

const PARTS = {
  workers: measureWorkers,
  redis: measureStores,
  subscriptions: measureSubscriptions,
  tasks: measureTasks,
};

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name));
if (unknown !== undefined) {
  console.error(`Unknown part "${unknown}". Known parts: ${Object.keys(PARTS).join(', ')}.`);
  process.exit(1);
}
const date = new Date().toISOString().slice(0, 10);
console.log(
  `${date}; ${cpus()[0]?.model.trim()}, ${cpus().length} cores; Node ${process.versions.node}; load of the machine before: ${loadavg()[0].toFixed(1)}.`,
);
for (const name of positionals.length === 0 ? Object.keys(PARTS) : positionals) {
  console.error(`${name} …`);
  console.log(`\n## ${name}\n\n${await PARTS[name]({ isQuick: values.quick })}`);
}
process.exit();
