/** Formats the results of the corpus as part of a page: a summary, and a table with one row for each document. */

const BEGIN = '<!-- corpus: begin -->';
const END = '<!-- corpus: end -->';

const number = (value) => value?.toLocaleString('en') ?? '–';
const sum = (list) => list.reduce((total, each) => total + each, 0);

/**
 * Replaces the part of a page between its two markers.
 *
 * @param {string} page
 * @param {string} part
 */
export function replacePart(page, part) {
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start === -1 || end < start)
    throw new Error(`Missing markers in the page: expected "${BEGIN}" and, after it, "${END}".`);
  return `${page.slice(0, start)}${BEGIN}\n\n${part}\n\n${page.slice(end)}`;
}

/**
 * @param {readonly object[]} results of the documents
 * @param {Readonly<Record<string, string>>} sources of the documents, by name
 */
export function formatPart(results, sources = {}) {
  const read = results.filter(({ failed }) => failed === undefined);
  const invalid = sum(read.map((each) => each.invalid.length));
  const served = ['flat', 'grouped', 'search'].map(
    (exposure) => `${exposure} ${read.filter((each) => isServed(each, exposure)).length}`,
  );
  const summary = [
    ['documents', number(results.length)],
    ['loaded', number(read.length)],
    ['operations', number(sum(read.map(({ operations }) => operations)))],
    ['tools', number(sum(read.map(({ tools }) => tools)))],
    ['operations refused, with a reason', number(sum(read.map(({ refused }) => refused.length)))],
    ['schemas that Ajv 2020 does not compile', number(sum(read.map((each) => countOf(each, 'schema'))))],
    ['other invalid things', number(invalid - sum(read.map((each) => countOf(each, 'schema'))))],
    ['documents served to the official client', served.join(', ')],
    ['statements on arguments that are compared, and lost', formatLost(read)],
  ];
  const rows = results.map((each) => formatRow(each, sources[each.name] ?? ''));
  return [
    table(['', ''], summary),
    '',
    table(
      ['document', 'OpenAPI', 'operations', 'tools', 'refused', 'tokens flat', 'grouped', 'search', 'source'],
      rows,
    ),
  ].join('\n');
}

function formatLost(results) {
  const counts = results.flatMap(({ fidelity }) => Object.values(fidelity.counts));
  const lost = sum(results.map(({ fidelity }) => fidelity.lost.length));
  return `${number(sum(counts.map(({ total }) => total)))}, ${number(lost)}`;
}

function formatRow(result, source) {
  const { name, failed, version, operations, tools, refused, lists } = result;
  if (failed !== undefined) return [name, `failed: ${failed.split('\n')[0]}`, '', '', '', '', '', '', source];
  const cost = (exposure) =>
    isServed(result, exposure) ? number(lists[exposure]?.tokens) : `${number(lists[exposure]?.tokens)} ✗`;
  return [
    name,
    version,
    number(operations),
    number(tools),
    number(refused.length),
    cost('flat'),
    cost('grouped'),
    cost('search'),
    source,
  ];
}

/** Whether an exposure was listed without defects. */
function isServed({ lists, invalid }, exposure) {
  return lists[exposure] !== undefined && !invalid.some((problem) => problem.exposure === exposure);
}

function countOf({ invalid }, kind) {
  return invalid.filter((problem) => problem.kind === kind).length;
}

function table(header, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const ruler = header.map((_, index) => (index === 0 || index === header.length - 1 ? '---' : '---:'));
  return [line(header), line(ruler), ...rows.map(line)].join('\n');
}
