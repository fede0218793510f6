/**
 * `npm run soak`: fifty clients for ten minutes against the built package, then a minute of attacks on its memory, then the long forms of
 * the promises (`test/promises`). Prints the figures; exits with 1 if a promise is broken.
 *
 * `--minutes 0.5` for a short run; `--only soak`, `--only memory` or `--only promises`; `--attack NAME` for one memory attack, `--promise 38`
 * for one promise (both may be repeated); `--write` writes the figures to docs/soak.md; `--built` uses the existing `dist/`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { assertNode, build, ensureInstalled, root, runTool } from './steps.mjs';

const PAGE = join(root, 'docs/soak.md');
const PROMISES = join(root, 'test/promises');

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    only: { type: 'string' },
    attack: { type: 'string', multiple: true },
    promise: { type: 'string', multiple: true },
    write: { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
  },
});
const minutes = Number(options.minutes);
if (!(minutes > 0) || !['soak', 'memory', 'promises', undefined].includes(options.only)) {
  console.error('--minutes must be a number; --only must be soak, memory or promises.');
  process.exit(1);
}
const promises = options.promise?.map((number) => `${number}-`) ?? [''];
const unknown = promises.find((start) => !readdirSync(PROMISES).some((file) => file.startsWith(start)));
if (unknown !== undefined) {
  console.error(
    `Unknown promise ${unknown.slice(0, -1)}: use the number of a file in test/promises, such as 38.`,
  );
  process.exit(1);
}

assertNode();
ensureInstalled();
if (!options.built && !build().ok) process.exit(1);
// Imported here, because the dependencies may just have been installed.
const { formatPromises, formatSoak, figuresOf, replaceBetween } = await import('./soak/report.mjs');

let holds = true;
const isMeant = (part) => options.only === undefined || options.only === part;
if (isMeant('soak')) holds = (await runSoak()) && holds;
if (isMeant('memory')) holds = (await runMemory()) && holds;
if (isMeant('promises')) holds = runPromises() && holds;
process.exitCode = holds ? 0 : 1;

async function runSoak() {
  const { soak } = await import('./soak/soak.mjs');
  const found = await soak({ minutes }, ({ ms, heapUsed, total, lost, duplicated }) => {
    const at = `${Math.round(ms / 1000)} s`.padStart(6);
    console.log(
      `${at}  ${(heapUsed / 1_048_576).toFixed(2)} MB  ${total} done, ${lost} lost, ${duplicated} twice`,
    );
  });
  for (const reason of found.tally.reasons) console.log(`FAILED ${reason}`);
  if (found.complaints !== '') console.log(found.complaints);
  const text = formatSoak(found);
  console.log(text);
  keep('soak', () => text);
  return figuresOf(found).every(([, , , isKept]) => isKept);
}

async function runMemory() {
  const { ATTACKS, attackMemory, formatMemory, memoryFigures } = await import('./soak/memory/index.mjs');
  const attacks = options.attack ?? Object.keys(ATTACKS);
  const unknown = attacks.filter((name) => !Object.hasOwn(ATTACKS, name));
  if (unknown.length > 0) {
    console.error(`Unknown attack ${unknown.join(', ')}: use ${Object.keys(ATTACKS).join(', ')}.`);
    return false;
  }
  const found = await attackMemory({ attacks, seconds: Math.min(60, minutes * 60), keptMs: 20_000 });
  const text = formatMemory(found);
  console.log(text);
  if (options.attack === undefined) keep('memory', () => text);
  return memoryFigures(found).every(([, , , isKept]) => isKept);
}

function runPromises() {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-promises-'));
  const report = join(folder, 'report.json');
  process.env.PROMISES = 'long';
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    // One file at a time: tests that measure time must not compete with others.
    const meant = promises.map((start) => join(PROMISES, start));
    const { ok } = runTool('vitest', ['run', ...meant, '--no-file-parallelism', ...reporters]);
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
    const files = testResults.map(toFile).sort((one, other) => one.name.localeCompare(other.name));
    console.log(formatPromises(files));
    keep('promises', (before) => formatPromises(files, options.promise === undefined ? '' : before));
    return ok && files.length > 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function toFile({ name, assertionResults, startTime, endTime }) {
  const count = (status) => assertionResults.filter((result) => result.status === status).length;
  return {
    name: basename(name, '.test.ts')
      .replace(/^(\d+)-/, '$1 ')
      .replaceAll('-', ' '),
    passed: count('passed'),
    failed: count('failed'),
    seconds: (endTime - startTime) / 1000,
  };
}

function keep(name, write) {
  if (options.write) writeFileSync(PAGE, replaceBetween(readFileSync(PAGE, 'utf8'), name, write));
}
