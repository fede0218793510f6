/**
 * Start options of a server of the benchmark.
 *
 * @typedef {object} Specification
 * @property {number} size How many tools it has.
 * @property {import('../../tools.mjs').Catalogue} [catalogue] Which tools they are; plain ones if it is left out.
 * @property {'modern' | 'legacy'} era What it is asked in: 2026-07-28, or 2025-11-25.
 * @property {boolean} [reports] Whether every call reports progress ten times.
 * @property {boolean} [keepsSessions] Whether clients of 2025-11-25 get a session, where a contender has both.
 * @property {number} [upstream] The port of the API that the calls of an imported operation go to.
 * @property {'none' | 'warm' | 'any-of' | 'api-key' | 'cold' | 'introspection'} [identity] How callers are authenticated, where that is measured.
 * @property {boolean} [isLimited] Whether calls are counted by a rate limit, where that is measured.
 * @property {boolean} [isAudited] Whether calls are audited, where that is measured.
 * @property {string} [file] What to send, for the server that sends the same bytes whatever it is asked.
 */

/** @type {Specification} */
export const specification = JSON.parse(process.argv[2] ?? '{}');
