import { toMarkdown } from '../report.mjs';
import { COLUMNS, isMet } from './lines.mjs';

/** Titles of columns that differ from the name of the contender. */
const TITLES = { ours: 'Toolwright', floor: 'baseline' };

/**
 * @param {readonly import('./lines.mjs').Line[]} lines
 * @returns {string} Markdown
 */
export function formatLines(lines) {
  const rows = lines.map((line) => [
    line.measure,
    line.target,
    ...COLUMNS.map((column) => formatFigure(line.figures[column])),
    line.verdicts.map(({ text }) => text).join(', '),
    isMet(line) ? 'yes' : '**no**',
  ]);
  return toMarkdown(
    ['measure', 'target', ...COLUMNS.map((column) => TITLES[column] ?? column), 'result', 'met'],
    rows,
  );
}

function formatFigure(value) {
  if (value === undefined) return '–';
  if (typeof value === 'string' || Number.isInteger(value)) return value.toLocaleString('en');
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en');
}
