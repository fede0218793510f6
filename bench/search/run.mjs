/**
 * Measures how often `search_tools` finds the right operation of real OpenAPI documents, compared with MiniSearch and its defaults. `node
 * bench/search/run.mjs <folder…>`: the folders contain the documents that `questions/*.json` name. `--half tuning` skips the other half;
 * `--misses` also lists the questions of the tuning half whose operation is not first. `TOOLWRIGHT_DIST` names another build.
 */
import { parseArgs } from 'node:util';
import { toMarkdown } from '../report.mjs';
import { findDocuments, openDocument, readQuestions } from './documents.mjs';

const SETS = ['direct', 'paraphrases'];
const HALVES = ['tuning', 'unseen'];
const PLACES = [1, 3, 5, 10];

const { positionals: folders, values } = parseArgs({
  allowPositionals: true,
  options: { half: { type: 'string' }, misses: { type: 'boolean', default: false } },
});
if (values.half !== undefined && !HALVES.includes(values.half)) {
  console.error(`--half must be ${HALVES.join(' or ')}; received "${values.half}".`);
  process.exit(2);
}
const halves = values.half === undefined ? HALVES : [values.half];

const apis = readQuestions();
const { found, missing } = findDocuments(apis, folders);
for (const { document, source } of missing) console.error(`Missing: ${document} (${source})`);
if (found.length === 0) {
  console.error(
    'No document was found. Name the folders that hold them: node bench/search/run.mjs <folder…>',
  );
  process.exit(2);
}

const results = [];
for (const api of found) {
  const { searches, count, close } = await openDocument(api.file);
  for (const set of SETS)
    for (const half of halves)
      for (const question of api[set][half])
        for (const [index, search] of Object.entries(searches))
          results.push({
            api: api.document,
            set,
            half,
            index,
            question,
            place: await placeOf(question, search),
          });
  close();
  console.error(`${api.document}: ${count} operations`);
}

for (const set of SETS) console.log(`${formatSet(set)}\n`);
if (missing.length > 0) console.log(`Without ${missing.map(({ document }) => document).join(', ')}.\n`);
if (values.misses) console.log(formatMisses());
if (missing.length > 0) process.exitCode = 1;

/** The rank of the first right operation; infinite if it is not among the first ten. */
async function placeOf({ ask, expect }, search) {
  const keys = await search(ask, Math.max(...PLACES));
  const at = keys.findIndex((key) => expect.includes(key));
  return at < 0 ? Infinity : at + 1;
}

function formatSet(set) {
  const indexes = [...new Set(results.map(({ index }) => index))];
  const rows = halves.flatMap((half) =>
    indexes.map((index) => {
      const places = results
        .filter((result) => result.set === set && result.half === half && result.index === index)
        .map(({ place }) => place);
      const shares = PLACES.map((limit) => {
        const hits = places.filter((place) => place <= limit).length;
        return `${hits} (${((hits / places.length) * 100).toFixed(0)} %)`;
      });
      return [half, index, `${places.length}`, ...shares];
    }),
  );
  return toMarkdown([set, 'index', 'questions', ...PLACES.map((limit) => `top ${limit}`)], rows);
}

/** Only for the tuning half. */
function formatMisses() {
  return results
    .filter(({ half, index, place }) => half === 'tuning' && index === 'search_tools' && place > 1)
    .map(
      ({ api, set, question, place }) =>
        `${place}\t${set}\t${api}\t${question.ask}\t${question.expect.join(', ')}`,
    )
    .join('\n');
}
