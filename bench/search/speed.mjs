/**
 * Measures the search index: building it, and one search, with 1,200 and with 20,000 operations. `node bench/search/speed.mjs [document]`:
 * an OpenAPI document whose operations are repeated; default: generated operations. The exit code is 1 if a goal is missed. Run it on an
 * idle machine.
 */
import { performance } from 'node:perf_hooks';
import { addressOf, silentLogger, ToolRegistry } from '../library.mjs';
import { median } from '../statistics.mjs';
import { toMarkdown } from '../report.mjs';
import { readQuestions } from './documents.mjs';

const { fromOpenAPI } = await import(addressOf('openapi.ts'));

/** Milliseconds. The first search builds the index. */
const GOALS = [
  { operations: 1200, build: 150, search: 5 },
  { operations: 20_000, build: Infinity, search: 40 },
];
const BUILDS = 7;

const [file] = process.argv.slice(2);
const tools =
  file === undefined ? makeUp() : (await fromOpenAPI(file, { baseUrl: 'https://api.example.com' })).tools;
const queries = readQuestions().flatMap(({ direct, paraphrases }) =>
  [...direct.tuning, ...paraphrases.tuning].map(({ ask }) => ask),
);

let isMissed = false;
const rows = [];
for (const { operations, build, search } of GOALS) {
  const measured = await measure(operations);
  isMissed ||= measured.build > build || measured.search > search;
  rows.push([
    operations.toLocaleString('en'),
    `${measured.build.toFixed(0)} ms${build === Infinity ? '' : ` (${build})`}`,
    `${measured.search.toFixed(2)} ms (${search})`,
    `${measured.slowest.toFixed(2)} ms`,
  ]);
}
console.log(
  toMarkdown(['operations', 'first search, with the index (goal)', 'search, median (goal)', 'slowest'], rows),
);
if (isMissed) process.exitCode = 1;

/** Through `search_tools`, with a policy that is asked about each operation. */
async function measure(count) {
  const registry = new ToolRegistry({
    name: 'speed',
    logger: silentLogger,
    exposure: 'search',
    rateLimit: false,
    policy: (_subject, caller) => caller !== undefined,
  });
  registry.registerAll(
    Array.from({ length: count }, (_, at) => {
      const tool = tools[at % tools.length];
      return at < tools.length ? tool : { ...tool, name: `${tool.name.slice(0, 100)}_${at}` };
    }),
  );
  const builds = [];
  for (let round = 0; round < BUILDS; round += 1) {
    const surface = registry.surface({ exposure: 'search', tokenBudget: 1000 + round });
    builds.push(await time(surface, queries[0]));
    if (round < BUILDS - 1) continue;
    for (const query of queries) await time(surface, query);
    const times = [];
    for (const query of queries) times.push(await time(surface, query));
    return { build: median(builds), search: median(times), slowest: Math.max(...times) };
  }
}

async function time(surface, query) {
  const start = performance.now();
  const { isError } = await surface.executeTool({ name: 'search_tools', arguments: { query } });
  if (isError) throw new Error(`search_tools failed for "${query}".`);
  return performance.now() - start;
}

/** Operations about as long as those of large APIs. */
function makeUp() {
  const words = Array.from({ length: 3000 }, (_, at) => `w${((at * 7919) % 3000).toString(36)}ord`);
  const text = (from, length) =>
    Array.from({ length }, (_, at) => words[(from * 31 + at * at * 17) % 3000]).join(' ');
  return Array.from({ length: 20_000 }, (_, at) => ({
    name: `get_${at}_${text(at, 2).replaceAll(' ', '_')}`,
    description: `${text(at, 6)}.\n\n${text(at + 1, 60)}`,
    tags: [words[at % 40]],
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        text(at, 6)
          .split(' ')
          .map((name) => [name, {}]),
      ),
    },
    handler: () => 'done',
  }));
}
