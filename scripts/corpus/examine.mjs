/** Imports one document in every exposure and finds defects in the result. */
import { statSync } from 'node:fs';
import { checkList } from './check-list.mjs';
import { compareWithDocument } from './fidelity.mjs';
import { listPages, toolsOf } from './list-pages.mjs';
import { readRawOperations } from './raw-operations.mjs';
import { serveToClient } from './serve-client.mjs';

/** Maximum size of a page, far below the 10 MiB that clients over stdio read. */
export const MAX_PAGE_BYTES = 1_048_576;
/** Maximum size of the first list in the exposure for large catalogs. */
export const MAX_SEARCH_TOKENS = 3000;
/** Base URL for documents without servers. */
export const BASE_URL = 'https://api.example.com';

/** Files above this size are imported with a higher limit. */
const USUAL_BYTES = 33_554_432;
const LARGE = {
  maxDocumentBytes: 8 * USUAL_BYTES,
  maxTotalBytes: 8 * USUAL_BYTES,
  maxDocumentNodes: 24_000_000,
};

const silent = { debug() {}, info() {}, warning() {}, error() {} };

/**
 * Loads a document and lists its tools as a client does. With `toClient`, also serves them to the official client.
 *
 * @param {{ OpenAPIServer: any, serveStdio: any, connectInMemory: any, estimateTokens: (text: string) => number }} library
 * @param {{ file: string, baseUrl?: string, exposure?: string, outputSchemas?: boolean, toClient?: boolean }} how
 */
export async function load(
  library,
  { file, baseUrl, exposure = 'flat', outputSchemas = false, toClient = false },
) {
  const server = await library.OpenAPIServer.load({
    document: file,
    exposure,
    logger: silent,
    openapi: {
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(outputSchemas ? { outputSchemas } : {}),
      ...(statSync(file).size > USUAL_BYTES ? { limits: LARGE } : {}),
    },
  });
  try {
    const pages = await listPages(server, library.serveStdio);
    const [report] = server.reports;
    if (!toClient) return { report, pages, problems: [] };
    const names = toolsOf(pages).map(({ name }) => name);
    return {
      report,
      pages,
      problems: await serveToClient(library.connectInMemory, { server, exposure, names }),
    };
  } finally {
    await server.close();
  }
}

/**
 * Examines a document: counts, sizes and defects.
 *
 * @param {Parameters<typeof load>[0]} library
 * @param {{ file: string, root: object, baseUrl?: string, flat?: Awaited<ReturnType<typeof load>> }} document
 */
export async function examine(library, { file, root, baseUrl, flat: given }) {
  const flat = given ?? (await load(library, { file, baseUrl }));
  const { report } = flat;
  const tools = toolsOf(flat.pages);
  const lists = { flat: describe(library, flat.pages, tools) };
  const invalid = [...checkOutcomes(readRawOperations(root), report, tools)];
  for (const exposure of ['flat', 'grouped', 'search']) {
    try {
      // The flat list is checked again with output schemas, which clients compile too.
      const outputSchemas = exposure === 'flat';
      const how = { file, baseUrl, exposure, outputSchemas, toClient: true };
      const { pages, problems } = await load(library, how);
      const others = toolsOf(pages);
      lists[exposure] ??= describe(library, pages, others);
      invalid.push(...problems, ...checkList(others).map((problem) => ({ exposure, ...problem })));
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

/** Checks that every operation is a listed tool or has a reason. */
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
