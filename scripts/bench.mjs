/**
 * `npm run bench`: builds, installs the peers (only in `bench/`), measures all promises about speed and prints one table; then the cost of
 * middleware chains and the tokens of tool lists. Each runs in its own process.
 * `--only <row>`, `--profile <row>` and `--json` stop after the table; `--tokens` only counts. Other arguments are passed on to the table.
 * `--openapi` instead counts the OpenAPI operations that round-trip, for Toolwright and its peers.
 */
import { join, resolve } from 'node:path';
import { assertNode, build, ensureInstalled, install, root, run } from './steps.mjs';

const USAGE = `npm run bench [-- options]

  --quick           two short rounds: tests the benchmark, not the speed
  --only <row>      only this row of the table; may be repeated. Rows: call, list, in-process, imported,
                    identity, stdio, stream, session, fetch, start, memory, heap, install
  --check           exit code 1 when a target is missed
  --json            print the figures as JSON
  --profile <row>   print a CPU profile of Toolwright
  --write <page>    write the table into a page, such as docs/performance.md
  --tokens          only the tables of tokens and search
  --openapi         count the OpenAPI operations that round-trip, for Toolwright and its peers

Without options, a run takes about three quarters of an hour. bench/README.md explains the figures.`;

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log(USAGE);
  process.exit();
}
assertNode();
ensureInstalled();
const cwd = join(root, 'bench');
const args = process.argv.slice(2);
const has = (...flags) => args.some((arg) => flags.includes(arg.split('=')[0]));
const node = (file, passed) => () => run(process.execPath, [file, ...passed], { cwd });

const table = node('serving/main.mjs', args);
const chains = node(
  'chain.mjs',
  args.filter((arg) => ['--quick', '--check'].includes(arg)),
);
const tokens = node('tokens.mjs', []);
const openapi = node(
  'openapi/run.mjs',
  // The benchmark runs in another folder, so paths are made absolute.
  args.filter((arg) => arg !== '--openapi').map((arg) => (arg.startsWith('--') ? arg : resolve(arg))),
);
const measuring = chooseMeasuring();

const preparing = [
  // Another build is measured, so this one is not needed.
  ...(process.env.TOOLWRIGHT_DIST === undefined ? [build] : []),
  () => ({ ok: install(has('--openapi') ? join(cwd, 'openapi') : cwd) }),
];
const isReady = preparing.every((step) => step().ok);
// A missed target does not stop the other measurements.
const results = isReady ? measuring.map((step) => step().ok) : [false];
process.exitCode = results.every(Boolean) ? 0 : 1;

function chooseMeasuring() {
  if (has('--openapi')) return [openapi];
  if (has('--tokens')) return [tokens];
  return has('--only', '--profile', '--json') ? [table] : [table, chains, tokens];
}
