/** Counts the tokens of the 300 actions of the test catalog, and the hits of search. Prints tables; measures no time. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { QUESTIONS, toBuilders } from './catalog.mjs';
import { ToolRegistry, addressOf, silentLogger } from './library.mjs';
import { toMarkdown } from './report.mjs';

const { estimateTokens } = await import(addressOf('registry/exposure/estimate-tokens.ts'));

/** Maximum error of the estimate for a list of tools. */
const ESTIMATE_WITHIN = 0.15;
const PLACES = [1, 3, 5, 10];

const lists = ['grouped', 'flat', 'search', 'auto'].map((exposure) => describeList(exposure));
const isClose = lists.every(({ deviation }) => Math.abs(deviation) <= ESTIMATE_WITHIN);
const sections = [
  formatLists(lists),
  `the estimate is within ${percent(ESTIMATE_WITHIN)}: ${isClose ? 'yes' : 'no'}`,
  formatDescriptions(),
  await formatSearch(),
];
console.log(sections.join('\n\n'));
if (!isClose) process.exitCode = 1;

/** @param {'grouped' | 'flat' | 'search' | 'auto'} exposure */
function describeList(exposure) {
  const json = listCatalog({ exposure });
  const tokens = countTokens(json);
  const estimate = estimateTokens(json);
  const tools = JSON.parse(json).tools.length;
  return { exposure, tools, length: json.length, tokens, estimate, deviation: estimate / tokens - 1 };
}

/** @param {readonly ReturnType<typeof describeList>[]} lists */
function formatLists(lists) {
  const [grouped] = lists;
  const rows = lists.map(({ exposure, tools, length, tokens, estimate, deviation }) => [
    exposure,
    number(tools),
    number(length),
    number(tokens),
    (tokens / grouped.tokens).toFixed(2),
    number(estimate),
    `${(deviation * 100).toFixed(1)} %`,
  ]);
  return toMarkdown(
    ['tools/list, 300 actions', 'tools', 'characters', 'tokens', '× grouped', 'estimate', 'off by'],
    rows,
  );
}

/** Descriptions of the grouped tools in sentences and in TOON. */
function formatDescriptions() {
  const rows = [
    ['plain', listCatalog({ exposure: 'grouped' })],
    ['TOON', listCatalog({ exposure: 'grouped', isToon: true })],
  ].map(([name, json]) => {
    const descriptions = JSON.parse(json).tools.map(({ description }) => description);
    return { name, descriptions: countTokens(descriptions.join('\n')), list: countTokens(json) };
  });
  const [plain] = rows;
  return toMarkdown(
    ['descriptions of grouped tools', 'tokens', '× plain', 'whole list', '× plain'],
    rows.map(({ name, descriptions, list }) => [
      name,
      number(descriptions),
      (descriptions / plain.descriptions).toFixed(2),
      number(list),
      (list / plain.list).toFixed(2),
    ]),
  );
}

/** Number of questions with the right tool among the first hits, and the missed ones. */
async function formatSearch() {
  const registry = openCatalog({ exposure: 'search' });
  const places = [];
  for (const { question, expects } of QUESTIONS) {
    const args = { query: question, limit: Math.max(...PLACES) };
    const { content } = await registry.executeTool({ name: 'search_tools', arguments: args });
    const place = JSON.parse(content[0].text).tools.findIndex(({ name }) => expects.includes(name)) + 1;
    places.push({ question, expects, place: place === 0 ? Infinity : place });
  }
  const rows = PLACES.map((limit) => {
    const found = places.filter(({ place }) => place <= limit).length;
    return [`top ${limit}`, `${found} of ${places.length}`, percent(found / places.length)];
  });
  const missed = places
    .filter(({ place }) => place > 5)
    .map(({ question, expects, place }) => `- ${question} (${expects.join(', ')}: ${describePlace(place)})`);
  const table = toMarkdown(['search, 60 questions', 'found', 'share'], rows);
  return [table, ['not among the first five:', ...missed].join('\n')].join('\n\n');
}

/** @param {number} place */
function describePlace(place) {
  return place === Infinity ? `after ${Math.max(...PLACES)}` : `${place}th`;
}

/** @param {{ exposure: 'grouped' | 'flat' | 'search' | 'auto', isToon?: boolean }} options */
function listCatalog(options) {
  return openCatalog(options).listToolsJson();
}

/** @param {{ exposure: 'grouped' | 'flat' | 'search' | 'auto', isToon?: boolean }} options */
function openCatalog({ exposure, isToon = false }) {
  const registry = new ToolRegistry({ name: 'catalog', logger: silentLogger, exposure });
  for (const builder of toBuilders()) registry.register(isToon ? builder.toonDescription() : builder);
  return registry;
}

/** @param {number} value */
function number(value) {
  return value.toLocaleString('en');
}

/** @param {number} value */
function percent(value) {
  return `${(value * 100).toFixed(0)} %`;
}
