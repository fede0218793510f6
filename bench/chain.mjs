/**
 * The cost of a chain of ten empty asynchronous middlewares, and of an action in a grouped tool compared with the same handler as a single
 * tool. One process, adjacent pairs, medians of the differences.
 */
import { parseArgs } from 'node:util';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { createTool, silentLogger, ToolRegistry } from './library.mjs';
import { toMarkdown } from './report.mjs';
import { median, shuffle } from './statistics.mjs';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } },
});
const ROUNDS = values.quick ? 7 : 25;
const BATCH = values.quick ? 5_000 : 20_000;
/** More would be noticeable in small tools. */
const MAX_ADDED_US = 2.5;

const schema = z.object({ id: z.string(), count: z.number().default(1) });
const handler = async ({ input }) => `${input.id} ${input.count}`;
const args = { id: 'a', count: 2 };
const definition = { name: 'single', description: 'A tool', inputSchema: schema, handler };
const create = () => new ToolRegistry({ logger: silentLogger, rateLimit: false });
const empty =
  () =>
  async ({ next }) =>
    next();

const plain = create().register(definition);
const chained = create();
for (let index = 0; index < 10; index += 1) chained.use(empty());
chained.register(definition);
/** The cost of the language itself: ten async functions around the handler that only await the next one. */
let nested = handler;
for (let index = 0; index < 10; index += 1) {
  const inner = nested;
  nested = async (call) => inner(call);
}
const bare = create().register({ ...definition, handler: nested });
const grouped = create().register(createTool('grouped').action({ name: 'run', schema, handler }));

const lanes = {
  plain: () => plain.handleCall({ name: 'single', arguments: args }),
  'ten empty async middlewares': () => chained.handleCall({ name: 'single', arguments: args }),
  'ten bare async functions': () => bare.handleCall({ name: 'single', arguments: args }),
  'as an action of a grouped tool': () =>
    grouped.handleCall({ name: 'grouped', arguments: { action: 'run', ...args } }),
};

async function measure(run) {
  await setImmediate();
  const before = process.cpuUsage();
  let reply;
  for (let index = 0; index < BATCH; index += 1) reply = await run();
  const { user, system } = process.cpuUsage(before);
  if (reply.result?.content[0].text !== 'a 2') throw new Error(`wrong response: ${JSON.stringify(reply)}`);
  return (user + system) / BATCH;
}

const samples = Object.fromEntries(Object.keys(lanes).map((name) => [name, []]));
for (let round = -2; round < ROUNDS; round += 1) {
  for (const name of shuffle(Object.keys(lanes))) {
    const us = await measure(lanes[name]);
    if (round >= 0) samples[name].push(us);
  }
}
const added = (name) => median(samples[name].map((us, round) => us - samples.plain[round]));
const rows = Object.keys(lanes).map((name) => [
  name,
  median(samples[name]).toFixed(2),
  name === 'plain' ? '' : added(name).toFixed(2),
]);
console.log(toMarkdown(['in-process call', 'CPU µs', 'added µs'], rows));
const isCheap = added('ten empty async middlewares') <= MAX_ADDED_US;
console.log(`\nten empty middlewares add at most ${MAX_ADDED_US} µs: ${isCheap ? 'yes' : 'no'}`);
if (values.check && !isCheap) process.exitCode = 1;
