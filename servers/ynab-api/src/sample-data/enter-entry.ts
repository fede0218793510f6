import { addDays, daysBetween } from '../dates/dates.ts';
import { hasImportId } from '../transactions/import-id.ts';
import type { Book } from './book.ts';
import { ACCOUNTS } from './household.ts';
import type { AccountKey } from './household.ts';
import type { Habit } from './habits.ts';

/** One transaction of the sample data. */
export interface Entry {
  readonly date: string;
  readonly account: AccountKey;
  readonly to?: AccountKey | undefined;
  readonly payee: string;
  readonly category: Habit[2];
  readonly amount: number;
}

const MEMOS = [
  'With friends',
  'For the weekend',
  'On sale',
  'Receipt in the folder',
  'Shared with Sam',
] as const;
const FLAGS = ['red', 'orange', 'yellow', 'green', 'blue', 'purple'] as const;

/** The columns that only depend on the age of a transaction: old ones are reconciled, new ones may be unapproved or uncleared. */
function toStatus({ random, today }: Book, { date, account }: Entry) {
  const age = daysBetween(date, today);
  const uncleared = age < 5 || (age < 25 && random.chance(8));
  return {
    cleared: age > 45 ? 'reconciled' : uncleared ? 'uncleared' : 'cleared',
    approved: age > 30 || account === 'cash' || !random.chance(18),
    memo: random.chance(4) ? random.pick(MEMOS) : null,
    flag_color: random.chance(2) ? random.pick(FLAGS) : null,
  };
}

function isLinked(key: AccountKey): boolean {
  return ACCOUNTS.some((account) => account.key === key && account.linked);
}

/** Adds the rows of a transaction: itself, the parts of a split, the counterpart of a transfer. */
export function enterEntry(book: Book, entry: Entry): void {
  const { database, plan, random, today } = book;
  const { date, amount, category } = entry;
  if (amount === 0 || date > today) return;
  if (entry.to !== undefined) return enterTransfer(book, entry, entry.to);
  const id = book.newId();
  const recent = date > addDays(today, -30) && entry.account === 'card';
  const single = typeof category === 'string' && !(recent && random.chance(15)) ? category : undefined;
  const importId = `YNAB:${amount}:${date}:1`;
  const imported =
    isLinked(entry.account) && random.chance(60) && !hasImportId(book, book.account(entry.account), importId);
  database.insert('transactions', {
    id,
    plan_id: plan.id,
    account_id: book.account(entry.account),
    date,
    amount,
    ...toStatus(book, entry),
    payee_id: book.payee(entry.payee),
    category_id: single === undefined ? null : book.category(single),
    import_id: imported ? importId : null,
    import_payee_name: imported ? entry.payee.toUpperCase() : null,
    split: category !== null && typeof category === 'object',
    knowledge: plan.knowledge,
  });
  if (category !== null && typeof category === 'object')
    enterParts(book, id, { amount, categories: category });
}

function enterParts(
  book: Book,
  id: string,
  split: { amount: number; categories: readonly [string, string] },
): void {
  const { database, plan, sample, random } = book;
  const step = 10 ** (3 - sample.currency.decimal_digits);
  const first = Math.round((split.amount * random.integer(40, 80)) / 100 / step) * step;
  const amounts = [first, split.amount - first];
  for (const [index, name] of split.categories.entries()) {
    database.insert('subtransactions', {
      id: book.newId(),
      plan_id: plan.id,
      transaction_id: id,
      amount: amounts[index] ?? 0,
      category_id: book.category(name),
    });
  }
}

function enterTransfer(book: Book, entry: Entry, to: AccountKey): void {
  const { database, plan } = book;
  const [id, other] = [book.newId(), book.newId()];
  const sides = [
    { id, from: entry.account, to, amount: entry.amount, other },
    { id: other, from: to, to: entry.account, amount: -entry.amount, other: id },
  ];
  for (const side of sides) {
    const target = ACCOUNTS.find(({ key }) => key === side.to)?.name ?? '';
    database.insert('transactions', {
      id: side.id,
      plan_id: plan.id,
      account_id: book.account(side.from),
      date: entry.date,
      amount: side.amount,
      ...toStatus(book, entry),
      payee_id: book.payee(`Transfer : ${target}`),
      category_id:
        typeof entry.category === 'string' && side.id === id ? book.category(entry.category) : null,
      transfer_account_id: book.account(side.to),
      transfer_transaction_id: side.other,
      knowledge: plan.knowledge,
    });
  }
}
