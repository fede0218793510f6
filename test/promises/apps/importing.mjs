/**
 * Imports the documents that it is told about, one after the other, and tells what came of each: what was refused and why, what `tools/list`
 * shows, what calls are answered with, and what it cost.
 */
import { readFileSync } from 'node:fs';
import { ToolRegistry, ToolwrightError } from 'toolwright';
import { fromOpenAPI } from 'toolwright/openapi';
import { connectTestClient } from 'toolwright/testing';

/** What nobody sees: drawn as nothing, controls, halves of characters, other ends of lines. */
const HIDDEN =
  /\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|(?![\n\t])\p{Cc}|\p{Cs}|[\u2028\u2029\uFFF9-\uFFFB]/u;
const MOST = 200;
const MAX_LIST = 4_000_000;
const PROTOTYPES = [Object, Array, Function, String, Number, Map, Set, RegExp].map((type) => type.prototype);

const NOTHING = { title: '', operations: [], notes: [], names: [], hidden: [], hiddenWords: [], list: '' };
/** What was imported last. */
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

/** What others see of it. */
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

/** Not its key, which is what it is found by. */
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

/** The most memory that it ever had. */
function peakBytes() {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
  return Number(kilobytes) * 1024;
}

/** Where texts and names of members have characters that nobody sees. */
function* findHidden(value, path) {
  if (typeof value === 'string' && HIDDEN.test(value)) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (HIDDEN.test(key)) yield `${path} has such a name`;
    yield* findHidden(member, `${path}/${key}`);
  }
}

// Nothing else would keep it alive.
setInterval(() => {}, 60_000);
process.send({ port: 0 });
