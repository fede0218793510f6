import Papa from 'papaparse';
import type { Delimiter } from './statement.ts';
import { cleanCell, cleanText } from './clean-text.ts';
import { findDelimiter } from './find-delimiter.ts';

export interface TableRecord {
  readonly row: number;
  readonly cells: readonly string[];
}

export interface Table {
  readonly delimiter: string;
  /** Records with at least one cell that is not empty. */
  readonly records: readonly TableRecord[];
}

/** Splits the text of a CSV file into cells. */
export function readTable(csv: string, delimiter: Delimiter | undefined): Table {
  const text = cleanText(csv);
  const used = delimiter ?? findDelimiter(text);
  const parsed = Papa.parse<string[]>(text, { delimiter: used, newline: '\n' });
  // A quote that is never closed makes one cell of the rest of the file. Without quotes across lines, only its own row is in doubt.
  const hasStrayQuote = parsed.errors.some(({ type }) => type === 'Quotes');
  const rows = hasStrayQuote ? text.split('\n').map((line) => splitLine(line, used)) : parsed.data;
  const records = rows.map((cells, index) => ({ row: index + 1, cells: cells.map(cleanCell) }));
  return { delimiter: used, records: records.filter(({ cells }) => cells.some((cell) => cell !== '')) };
}

function splitLine(line: string, delimiter: string): readonly string[] {
  if (!line.includes('"')) return line.split(delimiter);
  const { data, errors } = Papa.parse<string[]>(line, { delimiter, newline: '\n' });
  const [cells = []] = data;
  return errors.length === 0 ? cells : line.split(delimiter).map((cell) => cell.replaceAll(/^"|"$/g, ''));
}
