import { BROWSER } from './browser.mjs';
import { CHAT } from './chat.mjs';
import { DATA } from './data.mjs';
import { FILES } from './files.mjs';
import { ISSUE_TRACKING } from './issue-tracking.mjs';
import { PAGES } from './pages.mjs';
import { PAYMENTS } from './payments.mjs';
import { SOURCE_HOSTING } from './source-hosting.mjs';

/**
 * Argument shapes like those of popular public MCP servers (source hosting, files, browsers, chat, pages and databases, SQL, fetch, a
 * knowledge graph, payments, issue tracking, search), in our own words: the checks, defaults, unions, formats and long descriptions that
 * the plain tools of the benchmark lack.
 *
 * @typedef {object} RealShape
 * @property {string} name
 * @property {string} description
 * @property {() => Record<string, import('zod').ZodType>} fields Made anew for every tool, as different tools do not share schemas.
 * @property {readonly Readonly<Record<string, unknown>>[]} samples Valid arguments of calls.
 */

/** @type {readonly RealShape[]} */
export const REAL_SHAPES = [
  ...SOURCE_HOSTING,
  ...FILES,
  ...BROWSER,
  ...CHAT,
  ...PAGES,
  ...DATA,
  ...PAYMENTS,
  ...ISSUE_TRACKING,
];
