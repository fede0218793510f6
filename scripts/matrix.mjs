/**
 * `npm run matrix`: tests the packed package with the runtimes, compilers, test runners and clients that docs/compatibility.md lists.
 * Installs them only in `matrix/`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FOLDERS, formatRow, headOf, inMatrix, readTable, TABLES, writeTable } from '../matrix/index.mjs';
import { assertNode, build, ensureInstalled, install, root } from './steps.mjs';

const USAGE = `npm run matrix [-- options]

  --only <names>  only tables and rows whose names begin with one of these, separated by commas: --only bun,clients
  --write         write the results into docs/compatibility.md
  --list          print the rows, and run none
  --help          print this text`;

const PAGE = join(root, 'docs/compatibility.md');

const options = readOptions();
const rows = Object.entries(TABLES).flatMap(([table, list]) => list.map((row) => ({ table, row })));
const wanted = options?.only.toLowerCase().split(',') ?? [];
const chosen = rows.filter(({ table, row }) =>
  [table, row.name.toLowerCase()].some((name) => wanted.some((part) => name.startsWith(part))),
);

if (options === undefined) fail(USAGE);
else if (options.help) console.log(USAGE);
else if (chosen.length === 0)
  fail(`No table or row has a name that begins with "${String(options.only)}". See --list.`);
else if (options.list) for (const entry of chosen) console.log(formatLine(entry));
else await runMatrix();

function readOptions() {
  try {
    const boolean = { type: 'boolean' };
    const only = { type: 'string', default: '' };
    return parseArgs({ options: { only, write: boolean, list: boolean, help: boolean } }).values;
  } catch (error) {
    return fail(error.message);
  }
}

function formatLine({ table, row }) {
  const [name, version, under] = headOf(row);
  return `${table}: ${name} (${version}, ${under})`;
}

async function runMatrix() {
  assertNode();
  ensureInstalled();
  if (!build().ok || !FOLDERS.every((folder) => install(inMatrix(folder)))) return fail('See above.');
  installPackage();
  const results = new Map();
  for (const entry of chosen) results.set(entry.row, await runRow(entry));
  if (options.write) writePage(results);
  const failed = [...results.values()].filter((outcome) => outcome instanceof Error).length;
  console.log(`${results.size - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

async function runRow(entry) {
  const outcome = await entry.row.run().catch((error) => error);
  const isFailed = outcome instanceof Error;
  console.log(`${isFailed ? 'FAILED' : 'ok    '} ${formatLine(entry)}`);
  if (isFailed) console.log(outcome.message);
  return outcome;
}

/** Packs the build and installs it for all rows, as a user does. */
function installPackage() {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-pack-'));
  const npm = (cwd, ...args) =>
    execFileSync('npm', [...args, '--loglevel=error'], {
      cwd,
      encoding: 'utf8',
      shell: process.platform === 'win32',
      timeout: 180_000,
    });
  try {
    const packed = npm(root, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder);
    const [{ filename }] = JSON.parse(packed);
    // npm does not reinstall a package with the same version.
    rmSync(inMatrix('node_modules/toolwright'), { recursive: true, force: true });
    npm(inMatrix(), 'install', '--no-save', '--prefer-offline', join(folder, filename));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the rows that ran, and keeps the others. */
function writePage(results) {
  const date = new Date().toISOString().slice(0, 10);
  let page = readFileSync(PAGE, 'utf8');
  for (const [table, rows] of Object.entries(TABLES)) {
    const before = readTable(page, table);
    const lines = rows.flatMap((row) => {
      const outcome = results.get(row);
      if (outcome !== undefined) return [formatRow(row, outcome, date)];
      return before.filter(([name]) => name === row.name);
    });
    page = writeTable(page, table, lines);
  }
  writeFileSync(PAGE, page);
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
