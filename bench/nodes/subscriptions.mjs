import { fileURLToPath } from 'node:url';
import { toMarkdown } from '../report.mjs';
import { median } from '../statistics.mjs';
import { ask, startNode, stop } from './processes.mjs';

const path = (name) => fileURLToPath(new URL(`./servers/${name}.mjs`, import.meta.url));
const FLAGS = ['--expose-gc', '--max-old-space-size=12000'];

/**
 * Open subscriptions to changes of the tools: over sockets, with the clients in another process, and in process. Memory of the server for each,
 * and the cost of a change.
 */
export async function measureSubscriptions({ isQuick }) {
  const rows = [];
  for (const count of isQuick ? [500] : [1000, 10_000]) rows.push(await measureSockets(count));
  for (const count of isQuick ? [1000] : [10_000, 100_000]) rows.push(await measureInProcess(count));
  return toMarkdown(
    [
      'subscriptions',
      'kB of heap each',
      'kB of memory (RSS) each',
      'CPU µs of the server per notification',
      'ms until the last client has it',
    ],
    rows,
  );
}

async function measureSockets(count) {
  const { child: server, found } = await startNode(
    [...FLAGS, path('subscribed-server'), 'sockets'],
    /port (\d+)/,
  );
  const { child: clients } = await startNode([path('subscribers')], /ready/);
  const port = Number(found[1]);
  const before = await ask(server, { ask: 'memory' });
  await ask(clients, { open: count, port });
  const after = await ask(server, { ask: 'memory' });
  const changes = [];
  for (let change = 0; change < 6; change += 1) {
    const { cpuUs } = await ask(server, { ask: 'usage' });
    const startedAt = performance.now();
    const heard = ask(clients, { wait: true });
    const changed = ask(server, { ask: 'change' });
    await heard;
    const ms = performance.now() - startedAt;
    await changed;
    const used = (await ask(server, { ask: 'usage' })).cpuUs - cpuUs;
    // The first one compiles the code.
    if (change > 0) changes.push({ ms, cpuUs: used / count });
  }
  await stop(clients);
  await stop(server);
  return describe(`${count.toLocaleString('en')} over sockets`, { count, before, after, changes });
}

async function measureInProcess(count) {
  const { child } = await startNode([...FLAGS, path('subscribed-server'), 'process'], /ready/);
  const { before, after, changes } = await ask(child, { ask: 'open', count });
  await stop(child);
  return describe(`${count.toLocaleString('en')} in process`, { count, before, after, changes });
}

function describe(name, { count, before, after, changes }) {
  const kB = (figure) => ((after[figure] - before[figure]) / count / 1000).toFixed(1);
  const of = (figure, digits) => median(changes.map((change) => change[figure])).toFixed(digits);
  return [name, kB('heap'), kB('rss'), of('cpuUs', 1), of('ms', 0)];
}
