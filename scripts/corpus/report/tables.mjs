/** Formats the results of the corpus as text. */
import { MEASURES } from '../fidelity.mjs';

const MB = 1_048_576;
/** Maximum number of lines of one kind; the file of `--json` has all. */
const MAX_LINES = 20;

const number = (value) => value?.toLocaleString('en') ?? '-';

/** One row for each document. */
export function formatDocuments(results) {
  const header = [
    'document',
    'version',
    'operations',
    'tools',
    'refused',
    'invalid',
    'CPU ms',
    'MB',
    'list bytes',
    'pages',
    'tokens flat',
    'grouped',
    'search',
  ];
  const rows = results.map((each) => {
    const { flat, grouped, search } = each.lists;
    const counts = [each.operations, each.tools, each.refused.length, each.invalid.length];
    const sizes = [flat.bytes, flat.pages, flat.tokens, grouped?.tokens, search?.tokens];
    return [
      each.name + (each.baseUrl === undefined ? '' : ' *'),
      each.version,
      ...counts.map(number),
      each.cpuMs.toFixed(0),
      (each.grownBytes / MB).toFixed(1),
      ...sizes.map(number),
    ];
  });
  return align([header, ...rows]);
}

/** Fidelity of each document: one row for each document, one column for each measure. */
export function formatFidelity(results) {
  const rows = results.map(({ name, fidelity }) => [
    name,
    ...MEASURES.map((measure) => percent(fidelity.counts[measure])),
  ]);
  const sums = MEASURES.map((measure) => {
    const counts = results.map(({ fidelity }) => fidelity.counts[measure]);
    return counts.reduce((sum, { total, kept }) => ({ total: sum.total + total, kept: sum.kept + kept }), {
      total: 0,
      kept: 0,
    });
  });
  return align([
    ['kept', ...MEASURES],
    ...rows,
    ['all', ...sums.map(percent)],
    ['of', ...sums.map(({ total }) => number(total))],
  ]);
}

/** Formats a percentage. It is never rounded up to 100. */
function percent({ total, kept }) {
  return total === 0 ? '-' : `${(Math.floor((kept / total) * 10_000) / 100).toString()} %`;
}

function align(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
        .join('  '),
    )
    .join('\n');
}

/** Lists reasons of refused operations, defects, losses and exclusions. */
export function formatDetails(results) {
  const sections = {
    refused: ({ refused }) => refused.map(({ key, reason }) => `${key}: ${reason}`),
    INVALID: ({ invalid }) =>
      invalid.map(({ exposure = '', kind, tool = '', text }) => `${exposure} ${kind} ${tool} ${text}`),
    LOST: ({ fidelity }) => fidelity.lost,
    'not counted': ({ fidelity }) =>
      Object.entries(fidelity.exceptions).map(([reason, times]) => `${String(times)} × ${reason}`),
  };
  return Object.entries(sections)
    .flatMap(([title, linesOf]) =>
      results.flatMap((result) => {
        const lines = linesOf(result);
        const more = lines.length > MAX_LINES ? [`… and ${lines.length - MAX_LINES} more`] : [];
        const shown = [...lines.slice(0, MAX_LINES), ...more].map((line) => `  ${line.trim()}`);
        return lines.length === 0 ? [] : [[`${title}: ${result.name}`, ...shown].join('\n')];
      }),
    )
    .join('\n');
}
