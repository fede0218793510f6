/** Counts the cases of a document that arrive correctly. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openServer } from './open-server.mjs';
import { parts } from './parts.mjs';

const { attemptsFor, meansTheSame, operationIdOf } = parts;

/**
 * @typedef {{ api: import('../../test/openapi/support/recording-server.ts').RecordingServer, base: string, folder: string }} Place
 * @typedef {{ cases: readonly object[], toDocument: (cases: readonly object[]) => object }} CaseDocument
 */

/**
 * The names of the cases that work. All cases are in one document; if a client rejects its list, it is split into halves, and so on, so
 * that one case cannot fail another.
 *
 * @param {import('./contenders.mjs').Contender} contender
 * @param {CaseDocument} document
 * @param {Place} place
 */
export async function findWorkingCases(contender, { cases, toDocument }, place) {
  const working = await runCases(contender, { cases, toDocument }, place);
  if (working !== undefined || cases.length < 2) return working ?? [];
  const half = Math.ceil(cases.length / 2);
  const halves = [cases.slice(0, half), cases.slice(half)];
  const found = [];
  for (const each of halves)
    found.push(...(await findWorkingCases(contender, { cases: each, toDocument }, place)));
  return found;
}

/** Undefined if the tools cannot be listed. */
async function runCases(contender, { cases, toDocument }, place) {
  const document = join(place.folder, 'cases.json');
  writeFileSync(document, JSON.stringify(toDocument(cases)));
  const opened = await openServer(contender, document, place);
  if (opened === undefined) return undefined;
  const working = [];
  try {
    for (const each of cases) if (await works(each, opened, place)) working.push(each.name);
  } finally {
    await opened.server.close();
  }
  return working;
}

async function works(each, { server, tools }, { api, base }) {
  const id = operationIdOf(each);
  const tool = tools.find(({ name, description = '' }) => name === id || description.includes(`Case ${id}.`));
  if (tool === undefined) return false;
  for (const args of attemptsFor(each, tool.inputSchema)) {
    api.take();
    await server.call(tool.name, args);
    const requests = api.take();
    if (requests.length === 1 && (await meansTheSame(requests[0], each, base))) return true;
  }
  return false;
}
