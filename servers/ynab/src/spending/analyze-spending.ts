import { sum } from '../money/money.ts';
import type { SpendingPart, SpendingTransaction } from './spending-transaction.ts';

/** The criterion that transactions are grouped by. */
export type SpendingGroupBy = 'category' | 'payee' | 'account' | 'week' | 'month';

/** Options of {@link analyzeSpending}. The dates are `YYYY-MM-DD`, both inclusive. */
export interface SpendingOptions {
  readonly since: string;
  readonly until: string;
  readonly groupBy: SpendingGroupBy;
  readonly includeTransfers: boolean;
}

/** Milliunits. Income and spending are not negative; `net` is income minus spending. */
export interface SpendingFigures {
  readonly income: number;
  readonly spending: number;
  readonly net: number;
  /** Number of transactions; when grouped by category, each part of a split counts as one. */
  readonly count: number;
}

/** One group. `key` is an id, the Monday of a week or the first day of a month; null without a category or payee. */
export interface SpendingGroup extends SpendingFigures {
  readonly key: string | null;
  readonly name: string;
}

/** The figures of a period. The groups add up to the totals. */
export interface SpendingAnalysis extends SpendingFigures {
  readonly options: SpendingOptions;
  readonly groups: readonly SpendingGroup[];
}

/** Adds up income and spending of a period, in total and by group, the largest spending first. Throws a `RangeError` if the period ends before it begins. */
export function analyzeSpending(
  transactions: readonly SpendingTransaction[],
  options: SpendingOptions,
): SpendingAnalysis {
  const { since, until } = options;
  if (since > until)
    throw new RangeError(`The period ends (${until}) before it begins (${since}). Swap the dates.`);
  const entries = transactions
    .filter(({ date, deleted }) => !deleted && date >= since && date <= until)
    .flatMap((transaction) => toEntries(transaction, options));
  const groups = new Map<string | null, { readonly name: string; readonly amounts: number[] }>();
  for (const { key, name, amount } of entries) {
    const group = groups.get(key) ?? { name, amounts: [] };
    groups.set(key, group);
    group.amounts.push(amount);
  }
  return {
    options,
    ...toFigures(entries.map((entry) => entry.amount)),
    groups: [...groups]
      .map(([key, { name, amounts }]) => ({ key, name, ...toFigures(amounts) }))
      .toSorted((one, other) => other.spending - one.spending || compareNames(one, other)),
  };
}

/** Orders groups by name; by key where names are equal, so that the order never depends on the transactions' order. */
export function compareNames(one: NamedKey, other: NamedKey): number {
  return compareTexts(one.name, other.name) || compareTexts(one.key ?? '', other.key ?? '');
}

interface NamedKey {
  readonly key: string | null;
  readonly name: string;
}

interface Entry extends NamedKey {
  readonly amount: number;
}

/** The amounts of a transaction that count. A split is judged by its parts, because each of them can be a transfer. */
function toEntries(
  transaction: SpendingTransaction,
  { groupBy, includeTransfers }: SpendingOptions,
): Entry[] {
  const parts = transaction.subtransactions.filter((part) => !part.deleted);
  const counted = (parts.length === 0 ? [transaction] : parts).filter(
    (part) => includeTransfers || typeof part.transfer_account_id !== 'string',
  );
  if (groupBy === 'category') return counted.map((part) => ({ ...toCategory(part), amount: part.amount }));
  if (counted.length === 0) return [];
  return [{ ...toGroup(transaction, groupBy), amount: sum(counted.map((part) => part.amount)) }];
}

function toCategory({ category_id: id, category_name: name }: SpendingPart): NamedKey {
  return { key: id ?? null, name: name ?? id ?? 'Uncategorized' };
}

function toGroup(transaction: SpendingTransaction, groupBy: Exclude<SpendingGroupBy, 'category'>): NamedKey {
  const { date, payee_id: payee, payee_name: payeeName } = transaction;
  switch (groupBy) {
    case 'payee':
      return { key: payee ?? null, name: payeeName ?? payee ?? 'No payee' };
    case 'account':
      return { key: transaction.account_id, name: transaction.account_name };
    case 'week':
      return { key: mondayOf(date), name: `Week of ${mondayOf(date)}` };
    case 'month':
      return { key: `${date.slice(0, 7)}-01`, name: date.slice(0, 7) };
  }
}

function mondayOf(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

function toFigures(amounts: readonly number[]): SpendingFigures {
  const income = sum(amounts.filter((amount) => amount > 0));
  const spending = sum(amounts.filter((amount) => amount < 0).map((amount) => -amount));
  return { income, spending, net: income - spending, count: amounts.length };
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
