/**
 * Imports the given documents one after the other, and reports for each: rejections and their reasons, `tools/list`, results of calls, and
 * the cost.
 */
import { readFileSync } from 'node:fs';
import { ToolRegistry, ToolwrightError } from 'toolwright';
import { fromOpenAPI } from 'toolwright/openapi';
import { connectTestClient } from 'toolwright/testing';

/** Invisible characters: default ignorable ones, controls, lone surrogates, other line breaks. */
const HIDDEN =
  /\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|(?![\n\t])\p{Cc}|\p{Cs}|[\u2028\u2029\uFFF9-\uFFFB]/u;
const MOST = 200;
const MAX_LIST = 4_000_000;
const PROTOTYPES = [Object, Array, Function, String, Number, Map, Set, RegExp].map((type) => type.prototype);

const NOTHING = { title: '', operations: [], notes: [], names: [], hidden: [], hiddenWords: [], list: '' };
/** The last import. */
let last = { client: undefined, close: () => {} };

process.on('message', async (message) => {
  if (message.document !== undefined) process.send({ imported: await importOne(message) });
  if (message.calls !== undefined) process.send({ answers: await callAll(message.calls) });
  if (message === 'prototypes') {
    const names = PROTOTYPES.flatMap((prototype) => Reflect.ownKeys(prototype).map(String));
    const inherited = [];
    for (const key in {}) inherited.push(key);
    process.send({ prototypes: names, inherited });
  }
});

async function importOne({ document, options, exposure = 'flat' }) {
  last.close();
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const costs = () => {
    const { user, system } = process.cpuUsage(cpu);
    return { cpuMs: (user + system) / 1000, ms: performance.now() - startedAt, peakBytes: peakBytes() };
  };
  try {
    const imported = await fromOpenAPI(document, options);
    const registry = new ToolRegistry({ exposure });
    registry.registerAll(imported.tools);
    const spent = costs();
    last = { client: connectTestClient(registry), close: () => imported.close() };
    return { ...spent, ...(await look(imported.report)) };
  } catch (error) {
    const isOurs = error instanceof ToolwrightError;
    return { ...costs(), ...NOTHING, error: String(error?.message).slice(0, 5000), isOurs };
  }
}

/** The import as a client sees it. */
async function look({ operations, notes, title }) {
  const tools = await last.client.listTools();
  const list = JSON.stringify(tools);
  return {
    title,
    operations: operations.slice(0, MOST).map((each) => ({ ...each, notes: each.notes.slice(0, MOST) })),
    notes: notes.slice(0, MOST),
    names: tools.map(({ name }) => name),
    hidden: [...findHidden(tools, '')].slice(0, MOST),
    hiddenWords: [...findHidden({ notes, said: operations.map(wordsOf) }, '')].slice(0, MOST),
    list: list.length > MAX_LIST ? '' : list,
  };
}

/** Without its key, by which it is found. */
function wordsOf({ reason, notes, missingCredentials }) {
  return { reason, notes, missingCredentials };
}

async function callAll(calls) {
  const answers = [];
  for (const { name, args } of calls) {
    const { isError, text } = await last.client.callTool(name, JSON.parse(args));
    answers.push({ isError, text: text.slice(0, 1000) });
  }
  return answers;
}

/** The peak memory of the process. */
function peakBytes() {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
  return Number(kilobytes) * 1024;
}

/** Paths of strings and member names with invisible characters. */
function* findHidden(value, path) {
  if (typeof value === 'string' && HIDDEN.test(value)) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (HIDDEN.test(key)) yield `${path} has such a name`;
    yield* findHidden(member, `${path}/${key}`);
  }
}

// Keeps the process alive.
setInterval(() => {}, 60_000);
process.send({ port: 0 });
