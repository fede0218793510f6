/** The tables of docs/compatibility.md: one row for each row of the matrix, between two comments. */
import { lockedVersion, nodeVersion } from './execute.mjs';

/** The first cells of a row, which are known before it runs: name, version, and the Node that it runs under. */
export function headOf({ name, folder, of, under = `Node ${nodeVersion(folder)}` }) {
  const version = of === undefined ? nodeVersion(folder) : lockedVersion(folder, of);
  return [name, version, under];
}

/** The whole row. `outcome` is what `run` returned, or the error that it threw. */
export function formatRow(row, outcome, date) {
  const { transports, checked } = outcome instanceof Error ? { transports: '', checked: '' } : outcome;
  const result = outcome instanceof Error ? 'failed' : (row.result ?? 'passed');
  return [...headOf(row), transports ?? '–', checked, result, date];
}

const mark = (table) => [`<!-- matrix: ${table} -->`, `<!-- /matrix: ${table} -->`];

/** The cells of every row of a table on the page. */
export function readTable(page, table) {
  const [begin, end] = mark(table);
  const lines = page.slice(page.indexOf(begin), page.indexOf(end)).split('\n');
  const rows = lines.filter((line) => line.startsWith('| ')).slice(1);
  return rows.map((line) => line.slice(2, -2).split(' | '));
}

const HEAD = ['name', 'version', 'ran under', 'transports (revision)', 'checked', 'result', 'date'];

/** The page with other rows in one of its tables. */
export function writeTable(page, table, rows) {
  const [begin, end] = mark(table);
  const [head, ...lines] = [HEAD, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const whole = [head, `|${'---|'.repeat(HEAD.length)}`, ...lines].join('\n');
  const before = page.slice(0, page.indexOf(begin) + begin.length);
  return `${before}\n\n${whole}\n\n${page.slice(page.indexOf(end))}`;
}
