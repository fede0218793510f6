/**
 * A line of the table.
 *
 * @typedef {object} Line
 * @property {string} measure
 * @property {string} target
 * @property {Partial<Record<Column, number | string>>} figures
 * @property {readonly Verdict[]} verdicts none where nothing is asked
 */

/** @typedef {'ours' | 'floor' | 'SDK v2' | 'SDK v1' | 'tmcp'} Column */

/** @typedef {{ text: string, isMet: boolean }} Verdict */

/** @type {readonly Column[]} */
export const COLUMNS = ['ours', 'floor', 'SDK v2', 'SDK v1', 'tmcp'];

export const ERAS = ['modern', 'legacy'];

/**
 * A ratio that must not be larger.
 *
 * @param {number} ratio
 * @param {number} limit
 * @param {string} to
 * @returns {Verdict}
 */
export function atMost(ratio, limit, to) {
  return { text: `${formatRatio(ratio)}× ${to}`, isMet: ratio <= limit };
}

/**
 * A ratio that must not be smaller.
 *
 * @param {number} ratio
 * @param {number} limit
 * @param {string} to
 * @returns {Verdict}
 */
export function atLeast(ratio, limit, to) {
  return { text: `${formatRatio(ratio)}× ${to}`, isMet: ratio >= limit };
}

/**
 * Medians of all contenders.
 *
 * @param {import('./group.mjs').Samples} samples
 * @param {string} figure
 * @returns {Line['figures']}
 */
export function figuresOf(samples, figure) {
  return Object.fromEntries(
    COLUMNS.map((column) => [column, samples.median(column, figure)]).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

/**
 * @param {number} size
 * @param {import('../tools.mjs').Catalogue} [catalogue]
 */
export function inTools(size, catalogue = 'plain') {
  if (catalogue === 'real') return `${size.toLocaleString('en')} real tools`;
  return size === 1 ? '1 tool' : `${size.toLocaleString('en')} tools`;
}

/** @param {Line} line */
export function isMet({ verdicts }) {
  return verdicts.every((verdict) => verdict.isMet);
}

function formatRatio(value) {
  return value < 0.095 ? value.toFixed(3) : value < 10 ? value.toFixed(2) : value.toFixed(1);
}
