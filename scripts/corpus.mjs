/**
 * `npm run corpus -- <folders or files>`: imports OpenAPI documents, each in its own process on the built package. Prints operations, tools,
 * refused operations with their reasons, CPU time and memory until the list is written, its size, and its fidelity. Serves each document,
 * flat, grouped and search, to the official client. Default: the documents in `test/fixtures/openapi`. Exits with 1 if anything is invalid
 * or lost.
 *
 * `--json <file>` writes the figures. `--write <page>` writes the table into a page such as `docs/corpus.md`, with the sources in
 * `sources.json` of a folder (`{ "<file>": "<source>" }`). `--generated 1200` measures a generated document with this number of operations;
 * with `--check`, it must take less than a second of CPU time and 250 MB. `--built` uses the existing `dist/`.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { assertNode, build, ensureInstalled, root } from './steps.mjs';

const FIXTURES = join(root, 'test/fixtures/openapi');
const MAX_CPU_MS = 1000;
const MAX_BYTES = 250 * 1_048_576;
/** Number of runs; the best counts, because other processes only slow a run down. */
const TRIES = 3;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    write: { type: 'string' },
    generated: { type: 'string' },
    check: { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
  },
});
const generated = Number(options.generated ?? 0);
// npm runs scripts in the root of the package; INIT_CWD is the folder of the user.
const fromHere = (path) => resolve(process.env.INIT_CWD ?? process.cwd(), path);
const asked = positionals.map(fromHere);
const missing = asked.find((path) => !existsSync(path));
if (!Number.isInteger(generated) || generated < 0 || missing !== undefined) {
  console.error(
    missing === undefined
      ? '--generated must be a number of operations.'
      : `File or folder not found: ${missing}.`,
  );
  process.exit(1);
}

assertNode();
ensureInstalled();
if (!options.built && !build().ok) process.exit(1);
// Imported here, because their dependencies may just have been installed.
const {
  BASE_URL,
  findFiles,
  formatPart,
  generateDocument,
  hasAddress,
  measureDocument,
  readDocument,
  replacePart,
} = await import('./corpus/index.mjs');
const { formatDetails, formatDocuments, formatFidelity } = await import('./corpus/report/tables.mjs');

const folders = asked.length > 0 ? asked : generated > 0 ? [] : [FIXTURES];
const results = [];
/** Maximum number of skipped files shown: documents of several files have hundreds of parts. */
const MAX_SKIPPED = 10;
let skipped = 0;
for (const file of findFiles(folders)) await look(file, shorten(file, folders));
const isWithin = generated === 0 || (await lookAtGenerated());
print();
if (options.json !== undefined)
  writeFileSync(fromHere(options.json), `${JSON.stringify(results, undefined, 2)}\n`);
if (options.write !== undefined) writePage(fromHere(options.write));
const isGood = results.length > 0 && results.every(isFaultless);
process.exitCode = isGood && isWithin ? 0 : 1;

async function look(file, name) {
  const document = readDocument(file);
  if (document.skipped !== undefined) {
    skipped += 1;
    if (skipped <= MAX_SKIPPED) console.log(`skipped ${name}: ${document.skipped}`);
    return;
  }
  console.error(name);
  const baseUrl = hasAddress(document.root) ? undefined : BASE_URL;
  const found = await measureDocument(file, { baseUrl });
  results.push({ name, baseUrl, ...found });
}

/** Measures a generated document in several processes; the best result counts. */
async function lookAtGenerated() {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-corpus-'));
  const file = join(folder, 'generated.json');
  try {
    writeFileSync(file, JSON.stringify(generateDocument(generated)));
    await look(file, `generated (${generated})`);
    const tries = [];
    for (let count = 0; count < TRIES; count += 1)
      tries.push(await measureDocument(file, { onlyLoad: true }));
    const cpuMs = Math.min(...tries.map((each) => each.cpuMs));
    const peakBytes = Math.min(...tries.map((each) => each.peakBytes));
    Object.assign(results.at(-1), { best: { cpuMs, peakBytes } });
    const isGood = cpuMs < MAX_CPU_MS && peakBytes < MAX_BYTES;
    const limits = options.check
      ? ` (less than ${MAX_CPU_MS} ms and ${megabytes(MAX_BYTES)}: ${isGood ? 'yes' : 'NO'})`
      : '';
    console.log(
      `${generated} operations, loaded and listed, best of ${TRIES}: ${cpuMs.toFixed(0)} ms of CPU time, ${megabytes(peakBytes)} for the whole process${limits}`,
    );
    return !options.check || isGood;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writePage(page) {
  const sources = Object.assign(
    {},
    ...folders
      .map((folder) => join(folder, 'sources.json'))
      .filter((file) => existsSync(file))
      .map((file) => JSON.parse(readFileSync(file, 'utf8'))),
  );
  writeFileSync(page, replacePart(readFileSync(page, 'utf8'), formatPart(results, sources)));
}

function megabytes(bytes) {
  return `${(bytes / 1_048_576).toFixed(0)} MB`;
}

function shorten(file, folders) {
  const folder = folders.find((each) => file.startsWith(each + sep));
  return folder === undefined ? relative(process.cwd(), file) : relative(folder, file);
}

function isFaultless({ failed, invalid, fidelity }) {
  return failed === undefined && invalid.length === 0 && fidelity.lost.length === 0;
}

function print() {
  const read = results.filter(({ failed }) => failed === undefined);
  if (read.length > 0) {
    console.log(`\n${formatDocuments(read)}\n\n${formatFidelity(read)}\n\n${formatDetails(read)}`);
    if (read.some(({ baseUrl }) => baseUrl !== undefined))
      console.log(`* has no server URL; imported with ${BASE_URL}`);
  }
  if (skipped > MAX_SKIPPED) console.log(`skipped ${skipped} files in all`);
  for (const { name, failed } of results) if (failed !== undefined) console.log(`FAILED ${name}: ${failed}`);
  const sum = (count) => read.reduce((total, each) => total + count(each), 0);
  console.log(
    `${results.length} documents, ${sum(({ operations }) => operations)} operations, ${sum(({ tools }) => tools)} tools, ` +
      `${sum(({ refused }) => refused.length)} refused, ${sum(({ invalid }) => invalid.length)} invalid, ` +
      `${sum(({ fidelity }) => fidelity.lost.length)} lost, ${results.length - read.length} failed`,
  );
}
