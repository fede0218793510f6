/**
 * Overhead of a run: 1,000 trivial tests through the server, with an official client over standard input and output, and with `pytest -q`.
 * Both alternate in one process. Run `npm run build` in the root first.
 *
 *   node servers/test-runner/bench/overhead.mjs [rounds]
 *
 * Client, server and pytest need two free cores. On a busy machine, give them real-time priority, which needs root on Linux:
 *
 *   chrt -r 10 node servers/test-runner/bench/overhead.mjs
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [rounds = 5] = process.argv.slice(2).map(Number);
const TESTS = 1_000;
const MAX_RATIO = 1.3;
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const python = process.env.PYTEST_PYTHON ?? 'python3';

const project = mkdtempSync(join(tmpdir(), 'overhead-'));
const tests = Array.from({ length: TESTS }, (_, index) => `def test_${index}(): pass\n`);
writeFileSync(join(project, 'test_trivial.py'), tests.join(''));
const env = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  PYTEST_PYTHON: python,
  PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
};
const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, project, '--pass-env', 'PYTEST_DISABLE_PLUGIN_AUTOLOAD'],
    env,
  }),
);
try {
  await compare();
} finally {
  await client.close();
  rmSync(project, { recursive: true, force: true });
}

async function compare() {
  const samples = { bare: [], server: [], before: [] };
  for (let round = 0; round < rounds; round += 1) {
    samples.bare.push(runBare());
    const { ms, finishedAtFirst } = await runThroughServer();
    samples.server.push(ms);
    samples.before.push(finishedAtFirst);
  }
  // The fastest round of each: other programs on the machine can only slow a round down.
  const [bare, server] = [Math.min(...samples.bare), Math.min(...samples.server)];
  const ratio = server / bare;
  console.log(
    `${TESTS} trivial tests: ${server.toFixed(0)} ms through the server, ${bare.toFixed(0)} ms with pytest -q, ratio ${ratio.toFixed(2)} (at most ${MAX_RATIO})`,
  );
  console.log(
    `Tests that had finished at the first progress update: ${Math.max(...samples.before)} (at most 1)`,
  );
  if (ratio > MAX_RATIO || Math.max(...samples.before) > 1) process.exitCode = 1;
}

function runBare() {
  const start = performance.now();
  const { status, stdout } = spawnSync(python, ['-m', 'pytest', '-q'], {
    cwd: project,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stdout);
  return performance.now() - start;
}

/** The time of a run, and the number of finished tests in the first progress update. */
async function runThroughServer() {
  const start = performance.now();
  let finishedAtFirst;
  const { structuredContent } = await client.callTool(
    { name: 'execute_tests', arguments: {} },
    { onprogress: ({ progress }) => (finishedAtFirst ??= progress) },
  );
  if (structuredContent?.summary?.passed !== TESTS) throw new Error(JSON.stringify(structuredContent));
  return { ms: performance.now() - start, finishedAtFirst };
}
