/** Imports one document in every exposure and finds whatever is wrong with what it came to. */
import { checkList } from './check-list.mjs';
import { compareWithDocument } from './fidelity.mjs';
import { listPages, toolsOf } from './list-pages.mjs';
import { readRawOperations } from './raw-operations.mjs';

/** Clients over stdio read 10 MiB at most; ours are never near that. */
export const MAX_PAGE_BYTES = 1_048_576;
/** What the first list costs in the exposure for large catalogs. */
export const MAX_SEARCH_TOKENS = 3000;
/** For documents that do not say where their API is. */
export const BASE_URL = 'https://api.example.com';

const silent = { debug() {}, info() {}, warning() {}, error() {} };

/**
 * Loads a document and lists its tools, as a client sees them.
 *
 * @param {{ OpenAPIServer: any, serveStdio: any, estimateTokens: (text: string) => number }} library
 * @param {{ file: string, baseUrl?: string, exposure?: string }} how
 */
export async function load(library, { file, baseUrl, exposure = 'flat' }) {
  const server = await library.OpenAPIServer.load({
    document: file,
    exposure,
    logger: silent,
    openapi: baseUrl === undefined ? {} : { baseUrl },
  });
  const pages = await listPages(server, library.serveStdio);
  const [report] = server.reports;
  await server.close();
  return { report, pages };
}

/**
 * What became of a document: counts, sizes and everything that is wrong.
 *
 * @param {Parameters<typeof load>[0]} library
 * @param {{ file: string, root: object, baseUrl?: string, flat?: Awaited<ReturnType<typeof load>> }} document
 */
export async function examine(library, { file, root, baseUrl, flat: given }) {
  const flat = given ?? (await load(library, { file, baseUrl }));
  const { report } = flat;
  const tools = toolsOf(flat.pages);
  const lists = { flat: describe(library, flat.pages, tools) };
  const invalid = [
    ...checkList(tools).map((problem) => ({ exposure: 'flat', ...problem })),
    ...checkOutcomes(readRawOperations(root), report, tools),
  ];
  for (const exposure of ['grouped', 'search']) {
    try {
      const { pages } = await load(library, { file, baseUrl, exposure });
      const others = toolsOf(pages);
      lists[exposure] = describe(library, pages, others);
      invalid.push(...checkList(others).map((problem) => ({ exposure, ...problem })));
    } catch (error) {
      invalid.push({ exposure, kind: 'import', text: error.message });
    }
  }
  invalid.push(...checkSizes(lists));
  const notTools = report.operations.filter(({ outcome }) => outcome !== 'tool');
  return {
    version: report.openapi,
    operations: readRawOperations(root).length,
    tools: tools.length,
    refused: notTools.map(({ key, reason }) => ({ key, reason })),
    invalid,
    lists,
    fidelity: compareWithDocument(root, report.operations, tools),
  };
}

function describe({ estimateTokens }, pages, tools) {
  const bytes = pages.map((page) => Buffer.byteLength(page));
  return {
    tools: tools.length,
    pages: pages.length,
    bytes: bytes.reduce((sum, each) => sum + each, 0),
    largestPage: Math.max(...bytes),
    tokens: estimateTokens(JSON.stringify({ tools })),
  };
}

function checkSizes(lists) {
  const large = Object.entries(lists).filter(([, { largestPage }]) => largestPage > MAX_PAGE_BYTES);
  const problems = large.map(([exposure, { largestPage }]) => ({
    exposure,
    kind: 'page',
    text: `a page of ${largestPage} bytes`,
  }));
  const { tokens = 0 } = lists.search ?? {};
  if (tokens >= MAX_SEARCH_TOKENS)
    problems.push({ exposure: 'search', kind: 'tokens', text: `${tokens} tokens` });
  return problems;
}

/** Every operation is a tool that is listed, or there is a reason why not. */
function checkOutcomes(operations, { operations: reports }, tools) {
  const names = new Set(tools.map(({ name }) => name));
  const byKey = new Map(reports.map((report) => [report.key, report]));
  const problems = operations.flatMap(({ key }) => {
    const { outcome, name, reason = '' } = byKey.get(key) ?? {};
    const isAccounted = outcome === 'tool' ? names.has(name) : reason !== '';
    return isAccounted ? [] : [{ kind: 'operation', tool: key, text: 'is no tool, and nothing says why' }];
  });
  const isMore = tools.length > operations.length;
  return isMore
    ? [...problems, { kind: 'operation', text: 'there are more tools than operations' }]
    : problems;
}
