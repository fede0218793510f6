import Papa from 'papaparse';
import { isDate } from './guess-columns.ts';
import { isAmount } from './read-amount.ts';
import type { Delimiter } from './statement.ts';

const DELIMITERS: Delimiter[] = [',', ';', '\t', '|'];

/** Lines that are enough to tell the delimiter. */
const SAMPLE = 50;

/**
 * The delimiter with which most lines have a date and an amount. Counting columns alone is not enough: in `1.11.2026;-12,50`, the comma separates two
 * columns as well. Without such lines, it is the delimiter that gives the same number of columns in most lines.
 */
export function findDelimiter(text: string): string {
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: countRows(text, delimiter) }));
  const [best] = counts.toSorted((a, b) => b.count - a.count);
  if (best !== undefined && best.count > 0) return best.delimiter;
  const { meta } = Papa.parse(text, {
    delimitersToGuess: DELIMITERS,
    newline: '\n',
    preview: 1,
    skipEmptyLines: 'greedy',
  });
  return meta.delimiter;
}

/** The lines of the sample with a date in one cell and an amount in another one. */
function countRows(text: string, delimiter: Delimiter): number {
  const { data } = Papa.parse<string[]>(text, { delimiter, newline: '\n', preview: SAMPLE });
  return data.filter((cells) => {
    const at = cells.findIndex((cell) => isDate(cell.trim()));
    return at !== -1 && cells.some((cell, index) => index !== at && isAmount(cell.trim()));
  }).length;
}
