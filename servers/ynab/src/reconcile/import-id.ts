import { createHash } from 'node:crypto';
import { sortRows } from '../matching/canonical-order.ts';
import type { BankRow } from '../statement/statement.ts';

/** The API allows 36 characters. */
const LENGTH = 36;
const PREFIX = 'statement:';

/**
 * The import id of each row by its number. It depends on the account, the date, the amount, and the place among the rows with the same date and amount,
 * so that a repeated run gives the same ids and the API creates nothing twice. Rows with a transaction have the first places: a row that the bank adds to
 * a day later does not get the id of one that was created before.
 */
export function listImportIds(
  accountId: string,
  rows: readonly BankRow[],
  taken: ReadonlySet<number>,
): Map<number, string> {
  const places = new Map<string, number>();
  const ids = new Map<number, string>();
  const sorted = sortRows(rows);
  const matchedFirst = [
    ...sorted.filter(({ row }) => taken.has(row)),
    ...sorted.filter(({ row }) => !taken.has(row)),
  ];
  for (const { row, date, amount } of matchedFirst) {
    const key = `${accountId} ${date} ${amount}`;
    const place = (places.get(key) ?? 0) + 1;
    places.set(key, place);
    const hash = createHash('sha256').update(`${key} ${place}`).digest('hex');
    ids.set(row, PREFIX + hash.slice(0, LENGTH - PREFIX.length));
  }
  return ids;
}
