import { addMonths } from '../dates/dates.ts';
import { badRequest } from '../http/api-error.ts';
import {
  amount,
  arrayOf,
  boolean,
  date,
  nullable,
  object,
  oneOf,
  optional,
  string,
  uuid,
} from '../validation/parsers.ts';
import type { Parsed } from '../validation/parsers.ts';

/** The members that transactions, their parts and scheduled transactions share. */
export const sharedFields = {
  payee_id: nullable(uuid),
  payee_name: nullable(string({ max: 200 })),
  category_id: nullable(uuid),
  memo: nullable(string({ max: 500 })),
};

export const flagColor = nullable(oneOf(['red', 'orange', 'yellow', 'green', 'blue', 'purple', '']));

const partFields = object({ amount, ...sharedFields });

const OPTIONAL = {
  ...sharedFields,
  account_id: optional(uuid),
  date: optional(date),
  amount: optional(amount),
  cleared: optional(oneOf(['cleared', 'uncleared', 'reconciled'])),
  approved: optional(boolean),
  flag_color: flagColor,
  subtransactions: nullable(arrayOf(partFields)),
};

const importId = nullable(string({ max: 36 }));

export const existingTransaction = object(OPTIONAL);
export const newTransaction = object({ ...OPTIONAL, account_id: uuid, date, amount, import_id: importId });
export const identifiedTransaction = object({ ...OPTIONAL, id: nullable(string()), import_id: importId });

export type PartFields = Parsed<typeof partFields>;
export type TransactionChanges = Parsed<typeof existingTransaction>;
export type NewTransaction = Parsed<typeof newTransaction>;

/** Transactions with a future date are scheduled transactions. The lower limit bounds the number of months of a plan. */
export function assertPastDate(value: string, today: string): void {
  if (value > today || value < addMonths(today, -60))
    throw badRequest('date must not be in the future or over 5 years ago');
}

/** The parts of a split have the amount of the whole. */
export function assertPartsSum(parts: readonly PartFields[], total: number): void {
  const sum = parts.reduce((value, part) => value + part.amount, 0);
  if (sum !== total)
    throw badRequest(
      `The amounts of subtransactions must sum to the amount: they are ${sum}, it is ${total}`,
    );
}
