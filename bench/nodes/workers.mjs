import { fileURLToPath } from 'node:url';
import { folder } from '../library.mjs';
import { toMarkdown } from '../report.mjs';
import { median, shuffle } from '../statistics.mjs';
import { ask, cpuMsOf, machineMs, startNode, stop } from './processes.mjs';

const CONNECTIONS = 32;
const MEMORY = 'tasks,rateLimit,confirmations,cache,state,eventBus';
const path = (name) => fileURLToPath(new URL(`./servers/${name}.mjs`, import.meta.url));

/** `toolwright serve --workers 2` against `--workers 1`, on two cores that the load uses too. */
export async function measureWorkers({ isQuick }) {
  const { child: load } = await startNode([path('load')], /ready/);
  const servers = new Map();
  for (const workers of [1, 2]) servers.set(workers, await startServer(workers));
  const rows = [];
  for (const tool of ['nothing', 'compute']) {
    const samples = new Map([
      [1, []],
      [2, []],
    ]);
    for (let round = -1; round < (isQuick ? 2 : 10); round += 1)
      for (const workers of shuffle([1, 2])) {
        const sample = await measureOne(load, servers.get(workers), { tool, ms: isQuick ? 500 : 3000 });
        if (round >= 0) samples.get(workers).push(sample);
      }
    rows.push(...[1, 2].map((workers) => describe(tool, workers, samples)));
  }
  for (const { child } of servers.values()) await stop(child);
  await stop(load);
  return toMarkdown(
    [
      'tool',
      'workers',
      'calls per second',
      '× 1 worker (each round)',
      'CPU µs per call',
      'cores: server',
      'load',
      'others',
    ],
    rows,
  );
}

async function startServer(workers) {
  const args = ['serve', path('worker-server'), '--http', '--port', '0', '--workers', String(workers)];
  const { child, found } = await startNode(
    [`${folder}/bundle/cli.js`, ...args, '--no-sessions', '--allow-memory', MEMORY],
    /http:\/\/127\.0\.0\.1:(\d+)\/mcp/,
  );
  return { child, port: Number(found[1]) };
}

async function measureOne(load, { child, port }, { tool, ms }) {
  const [machine, server] = [machineMs(), cpuMsOf(child.pid)];
  const { count, wallMs, cpuMs } = await ask(load, { port, tool, connections: CONNECTIONS, ms });
  const serverMs = cpuMsOf(child.pid) - server;
  const busyMs = machineMs().busy - machine.busy;
  return {
    perSecond: (count * 1000) / wallMs,
    cpuUs: (serverMs * 1000) / count,
    server: serverMs / wallMs,
    load: cpuMs / wallMs,
    others: Math.max(0, busyMs - serverMs - cpuMs) / wallMs,
  };
}

function describe(tool, workers, samples) {
  const own = samples.get(workers);
  const ratios = own.map(({ perSecond }, round) => perSecond / samples.get(1)[round].perSecond);
  const of = (name) => median(own.map((sample) => sample[name]));
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  return [
    tool,
    String(workers),
    of('perSecond').toFixed(0),
    workers === 1 ? '' : `${median(ratios).toFixed(2)} (${spread})`,
    of('cpuUs').toFixed(0),
    of('server').toFixed(2),
    of('load').toFixed(2),
    of('others').toFixed(2),
  ];
}
