/**
 * `npm run bench`: builds, installs what is compared with (in `bench/` alone), measures everything that is promised about speed and prints one
 * table; then what chains cost and how many tokens lists have. Each in a process of its own.
 * `--only <row>`, `--profile <row>` and `--json` stop after the table; `--tokens` only counts. Other arguments are passed on to the table.
 * `--openapi` counts instead what works of OpenAPI documents, with ours and with others.
 */
import { join, resolve } from 'node:path';
import { assertNode, build, ensureInstalled, install, root, run } from './steps.mjs';

const USAGE = `npm run bench [-- options]

  --quick           two short rounds: whether it works, not how fast it is
  --only <row>      only this row of the table; may be repeated. Rows: call, list, in-process, imported,
                    identity, stdio, stream, session, fetch, start, memory, heap, install
  --check           exit code 1 when a target is missed
  --json            print the figures as JSON
  --profile <row>   print where our CPU time goes
  --write <page>    write the table into a page, such as docs/performance.md
  --tokens          only the tables of tokens and search
  --openapi         how many operations of OpenAPI documents work, with ours and with peers

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
  // It is run elsewhere; a folder is meant from here.
  args.filter((arg) => arg !== '--openapi').map((arg) => (arg.startsWith('--') ? arg : resolve(arg))),
);
const measuring = chooseMeasuring();

const preparing = [
  // Another build was named: this one is not what is measured.
  ...(process.env.TOOLWRIGHT_DIST === undefined ? [build] : []),
  () => ({ ok: install(has('--openapi') ? join(cwd, 'openapi') : cwd) }),
];
const isReady = preparing.every((step) => step().ok);
// What misses a target does not keep the others from being measured.
const results = isReady ? measuring.map((step) => step().ok) : [false];
process.exitCode = results.every(Boolean) ? 0 : 1;

function chooseMeasuring() {
  if (has('--openapi')) return [openapi];
  if (has('--tokens')) return [tokens];
  return has('--only', '--profile', '--json') ? [table] : [table, chains, tokens];
}
