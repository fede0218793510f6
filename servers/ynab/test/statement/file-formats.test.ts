import { expect, test } from 'vitest';
import { readStatement } from '../../src/statement/read-statement.ts';

/** Three rows, written in each combination of delimiter, dates, amounts, header and surrounding lines. */

const ROWS = [
  { date: '2026-11-13', amount: -12_340 },
  { date: '2026-11-03', amount: 1_234_500 },
  { date: '2026-11-14', amount: -1_650_000 },
];
const TEXTS = ['Coffee, "Best"; shop', 'Salary\t|', 'Rent 2026'];
const DELIMITERS = [',', ';', '\t', '|'];
const DATES = [
  ['2026-11-13', '2026-11-03', '2026-11-14'],
  ['20261113', '20261103', '20261114'],
  ['11/13/2026', '11/03/2026', '11/14/2026'],
  ['13/11/2026', '03/11/2026', '14/11/2026'],
  ['13.11.26', '3.11.26', '14.11.26'],
  ['13-Nov-2026', '3-Nov-2026', '14-Nov-2026'],
  ['Nov 13, 2026', 'Nov 3, 2026', 'Nov 14, 2026'],
  ['2026-11-13T10:11:12Z', '2026-11-03T00:00:00Z', '2026-11-14T23:59:59Z'],
];
const AMOUNTS = [
  ['-12.34', '1234.50', '-1650.00'],
  ['-12,34', '1234,50', '-1650,00'],
  ['-$12.34', '$1,234.50', '-$1,650.00'],
  ['-12,34 €', '1.234,50 €', '-1.650,00 €'],
  ['(12.34)', '1,234.50', '(1,650.00)'],
  ['12.34-', '1234.50', '1650.00-'],
  ['\u221212,34 kr.', '+1\u202F234,50 kr.', '\u22121\u202F650,00 kr.'],
];
const HEADERS = [['Date', 'Description', 'Amount'], ['Date', 'Amount'], undefined];
const SURROUNDINGS = [
  (lines: string): string => lines,
  (lines: string): string => `Account: 12345, main\n\n${lines}\n\n\n`,
];

/** All combinations of one value of each list. */
function* combine(): Generator<{ readonly csv: string; readonly name: string }> {
  for (const delimiter of DELIMITERS)
    for (const dates of DATES)
      for (const amounts of AMOUNTS)
        for (const header of HEADERS)
          for (const [index, surround] of SURROUNDINGS.entries()) {
            const lines = dates.map((date, row) => {
              const text = header?.length === 2 ? [] : [TEXTS[row] ?? ''];
              return [date, ...text, amounts[row] ?? ''];
            });
            const csv = [...(header === undefined ? [] : [header]), ...lines]
              .map((cells) => cells.map((cell) => quote(cell, delimiter)).join(delimiter))
              .join('\n');
            const name = [delimiter, dates[0], amounts[0], header?.length ?? 0, index].join(' ');
            // Lines before the rows can only be told from rows by a header.
            if (index === 0 || header !== undefined) yield { name, csv: surround(`${csv}\n`) };
          }
}

/** Quotes a cell if its file needs it: other delimiters stay bare. */
function quote(cell: string, delimiter: string): string {
  return cell.includes('"') || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

test('each combination is read as the same rows', () => {
  let count = 0;
  const wrong: string[] = [];
  for (const { name, csv } of combine()) {
    const read = readStatement(csv, { decimalDigits: 2 });
    const found = read.ok ? read.statement.rows.map(({ date, amount }) => ({ date, amount })) : read.reason;
    count += 1;
    if (JSON.stringify(found) !== JSON.stringify(ROWS)) wrong.push(name);
  }
  expect(count).toBe(4 * 8 * 7 * 5);
  expect(wrong).toEqual([]);
});
