import { ValidationError } from 'toolwright';
import * as z from 'zod';
import type { CurrencyFormat } from '../../money/currency-format.ts';
import { addDays } from '../../data/dates.ts';
import { sum } from '../../money/money.ts';
import { amount, clearedStatus, flagColor, isoDate } from '../define/arguments.ts';
import { readAmount, readOptionalAmount } from '../define/amounts.ts';
import { given } from '../define/present.ts';

/** Where the money goes: payee, category and memo of a transaction or of a part of one. */
const TARGET = {
  payee_name: z.string().max(200).nullish().describe('Existing or new payee. Or payee_id.'),
  payee_id: z.string().nullish(),
  category_id: z.string().nullish(),
  memo: z.string().max(500).nullish(),
};

const STATUS = {
  cleared: clearedStatus.optional(),
  approved: z.boolean().optional(),
  flag_color: flagColor.nullish(),
};

/** The fields of a new transaction without parts. */
export const NEW_TRANSACTION = {
  account_id: z.string().min(1),
  ...amount,
  date: isoDate,
  ...TARGET,
  ...STATUS,
  import_id: z
    .string()
    .min(1)
    .max(36)
    .optional()
    .describe('Unique per account: creating it twice has no effect.'),
};

export const SUBTRANSACTIONS = z
  .array(z.object({ ...amount, ...TARGET }))
  .min(1)
  .max(100)
  .describe('Parts of a split; their sum must equal the amount.');

/** The fields that a change may have. */
export const CHANGES = {
  account_id: z.string().min(1).optional(),
  ...amount,
  date: isoDate.optional(),
  ...TARGET,
  ...STATUS,
};

type GivenTarget = Readonly<
  Partial<Record<'payee_name' | 'payee_id' | 'category_id' | 'memo', string | null | undefined>>
>;

type GivenFields = GivenTarget &
  Readonly<{
    account_id?: string | undefined;
    date?: string | undefined;
    amount_decimal?: number | undefined;
    amount_milliunits?: number | undefined;
    cleared?: string | undefined;
    approved?: boolean | undefined;
    flag_color?: string | null | undefined;
    import_id?: string | undefined;
  }>;

type GivenPart = GivenTarget & Pick<GivenFields, 'amount_decimal' | 'amount_milliunits'>;

type Path = readonly (string | number)[];

/** The budget and the day of a change. */
export interface ChangedOn {
  readonly currency: CurrencyFormat;
  /** The current date in UTC. */
  readonly today: string;
}

/** The body of a new transaction. `at`: the path of its arguments. */
export function toNewTransaction(
  fields: GivenFields & { readonly subtransactions?: readonly GivenPart[] | undefined },
  { currency, today }: ChangedOn,
  at: Path = [],
): Record<string, unknown> & { readonly amount: number; readonly subtransactions?: readonly object[] } {
  assertPast(fields, today, at);
  const total = readAmount(
    { decimal: fields.amount_decimal, milliunits: fields.amount_milliunits },
    currency,
    { decimal: 'amount_decimal', milliunits: 'amount_milliunits', at },
  );
  return { ...commonFields(fields), amount: total, ...toParts(fields, { total, currency, at }) };
}

/** The body of a change: only the given fields. */
export function toChange(
  fields: GivenFields,
  { currency, today }: ChangedOn,
  at: Path = [],
): Record<string, unknown> & { readonly amount?: number } {
  assertPast(fields, today, at);
  const changed = readOptionalAmount(
    { decimal: fields.amount_decimal, milliunits: fields.amount_milliunits },
    currency,
    { decimal: 'amount_decimal', milliunits: 'amount_milliunits', at },
  );
  return { ...commonFields(fields), ...(changed === undefined ? {} : { amount: changed }) };
}

/** Rejects a date that the API rejects on every day of the calendar: where the day begins first, it is one day later than in UTC. */
export function assertPast({ date }: Pick<GivenFields, 'date'>, today: string, at: Path = []): void {
  if (date === undefined || date <= addDays(today, 1)) return;
  const message = 'must not be in the future: YNAB accepts such dates only in scheduled transactions';
  throw new ValidationError([{ path: [...at, 'date'], message }]);
}

function commonFields(fields: GivenFields): Record<string, unknown> {
  const { account_id, date, cleared, approved, flag_color, import_id } = fields;
  return {
    ...given({ account_id, date, cleared, approved, flag_color, import_id }),
    ...targetFields(fields),
  };
}

function targetFields({ payee_name, payee_id, category_id, memo }: GivenTarget): Record<string, unknown> {
  return given({ payee_name, payee_id, category_id, memo });
}

/** The parts of a split; they must add up to the total. Nothing if there are none. */
export function toParts(
  { subtransactions }: { readonly subtransactions?: readonly GivenPart[] | undefined },
  {
    total,
    currency,
    at = [],
  }: { readonly total: number; readonly currency: CurrencyFormat; readonly at?: Path },
): { readonly subtransactions?: readonly object[] } {
  if (subtransactions === undefined) return {};
  const parts = subtransactions.map((part, index) =>
    toPart(part, currency, [...at, 'subtransactions', index]),
  );
  assertSum(total, parts, at);
  return { subtransactions: parts };
}

function toPart(
  part: GivenPart,
  currency: CurrencyFormat,
  at: Path,
): Record<string, unknown> & { amount: number } {
  const part_amount = readAmount(
    { decimal: part.amount_decimal, milliunits: part.amount_milliunits },
    currency,
    {
      decimal: 'amount_decimal',
      milliunits: 'amount_milliunits',
      at,
    },
  );
  return { ...targetFields(part), amount: part_amount };
}

function assertSum(total: number, parts: readonly { readonly amount: number }[], at: Path): void {
  const partsTotal = sum(parts.map(({ amount: each }) => each));
  if (partsTotal === total) return;
  throw new ValidationError([
    {
      path: [...at, 'subtransactions'],
      message: `must add up to the amount: ${partsTotal} milliunits instead of ${total}`,
    },
  ]);
}
