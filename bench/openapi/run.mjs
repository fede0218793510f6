/**
 * Counts the requests that work end to end, for every server with the same documents: requests that arrive correctly at a recording API.
 * `node bench/openapi/run.mjs [folder]`; `--json` prints JSON, `--names` also the failures of Toolwright.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toMarkdown } from '../report.mjs';
import { CONTENDERS } from './contenders.mjs';
import { findWorkingCases } from './count-cases.mjs';
import { findWorkingOperations } from './count-operations.mjs';
import { parts } from './parts.mjs';

const {
  casesOf,
  operationsOf,
  readDocument,
  RecordingServer,
  REQUEST_CASES,
  SWAGGER_CASES,
  toDocument,
  toSwagger,
} = parts;

const args = process.argv.slice(2);
const isJson = args.includes('--json');
const folder =
  args.find((arg) => !arg.startsWith('--')) ??
  fileURLToPath(new URL('../../test/fixtures/openapi', import.meta.url));

if (!existsSync(folder)) {
  console.error(
    `There is no folder ${folder}. Name one with OpenAPI documents, or none for those of the tests.`,
  );
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), 'toolwright-openapi-'));
const api = await RecordingServer.start();
const place = { api, base: '/base/v1', folder: scratch };
try {
  const rows = [];
  for (const row of [...listCases(), ...listDocuments()]) rows.push(await count(row));
  const total = sum(rows);
  if (isJson) console.log(JSON.stringify([...rows, total], undefined, 2));
  else printTable([...rows, total]);
  const [ours, ...others] = CONTENDERS.map(({ name }) => name);
  const isBehind = rows.some(({ works }) => others.some((other) => works[other] > works[ours]));
  if (isBehind) process.exitCode = 1;
} finally {
  api.close();
  rmSync(scratch, { recursive: true, force: true });
}

/** The test cases, as documents of each version. */
function listCases() {
  const versions = ['3.0', '3.1'].map((version) => ({
    title: `request cases, OpenAPI ${version}`,
    all: casesOf(version, REQUEST_CASES),
    toDocument: (cases) => toDocument(version, cases),
  }));
  const swagger = { title: 'request cases, Swagger 2.0', all: SWAGGER_CASES, toDocument: toSwagger };
  return [...versions, swagger].map(({ title, all, toDocument: write }) => ({
    title,
    names: all.map(({ name }) => name),
    find: (contender) => findWorkingCases(contender, { cases: all, toDocument: write }, place),
  }));
}

/** Real documents. */
function listDocuments() {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => /\.(?:json|ya?ml)$/.test(name))
    .toSorted()
    .map((name) => ({ name, file: join(folder, name) }))
    .map(({ name, file }) => ({ name, file, root: readDocument(file) }))
    .map((document) => ({ ...document, operations: operationsOf(document.root) }))
    .filter(({ operations }) => operations.length > 0)
    .map((document) => ({
      title: document.name,
      names: document.operations.map(({ key }) => key),
      find: (contender) => findWorkingOperations(contender, document, place),
    }));
}

async function count({ title, names, find }) {
  const works = {};
  for (const contender of CONTENDERS) {
    const working = await find(contender);
    works[contender.name] = working.length;
    const isOurs = contender === CONTENDERS[0];
    if (isOurs && args.includes('--names'))
      for (const name of names) if (!working.includes(name)) console.error(`${title}: ${name}`);
  }
  if (!isJson) console.error(`${title}: ${Object.values(works).join(', ')} of ${names.length}`);
  return { title, operations: names.length, works };
}

function sum(rows) {
  const works = CONTENDERS.map(({ name }) => [name, rows.reduce((all, row) => all + row.works[name], 0)]);
  const operations = rows.reduce((all, row) => all + row.operations, 0);
  return { title: 'all', operations, works: Object.fromEntries(works) };
}

function printTable(rows) {
  const names = CONTENDERS.map(({ name }) => name);
  console.log(
    toMarkdown(
      ['document', 'operations', ...names],
      rows.map(({ title, operations, works }) => [
        title,
        `${operations}`,
        ...names.map((name) => `${works[name]}`),
      ]),
    ),
  );
}
