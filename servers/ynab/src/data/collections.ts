import type {
  Account,
  Category,
  CategoryGroup,
  Month,
  Payee,
  ScheduledTransaction,
  Subtransaction,
  Transaction,
} from '../api/entities.ts';
import type { Deletable, DeltaShape } from '../delta/merge-delta.ts';
import { byGroup, byId, byMonth, bySplit } from '../delta/delta-shapes.ts';

/** A collection of a budget: the operation that lists it, its structure, and the time for which it is cached. */
export interface Collection<TItem extends Deletable, TChild extends Deletable = never> {
  /** Part of the cache key. */
  readonly name: string;
  readonly operation: string;
  /** The member of the response with the entities. */
  readonly member: string;
  readonly shape: DeltaShape<TItem, TChild>;
  readonly ttlMs: number;
}

const MINUTE_MS = 60_000;

/** Time for which data outside the collections is cached. */
export const TTL_MS = {
  budgets: 10 * MINUTE_MS,
  user: 30 * MINUTE_MS,
  month: 5 * MINUTE_MS,
  transaction: 2 * MINUTE_MS,
};

export const ACCOUNTS: Collection<Account> = {
  name: 'accounts',
  operation: 'getAccounts',
  member: 'accounts',
  shape: byId(),
  ttlMs: 5 * MINUTE_MS,
};
export const CATEGORIES: Collection<CategoryGroup, Category> = {
  name: 'categories',
  operation: 'getCategories',
  member: 'category_groups',
  shape: byGroup(),
  ttlMs: 5 * MINUTE_MS,
};
export const PAYEES: Collection<Payee> = {
  name: 'payees',
  operation: 'getPayees',
  member: 'payees',
  shape: byId(),
  ttlMs: 10 * MINUTE_MS,
};
export const MONTHS: Collection<Month> = {
  name: 'months',
  operation: 'getPlanMonths',
  member: 'months',
  shape: byMonth(),
  ttlMs: 5 * MINUTE_MS,
};
export const TRANSACTIONS: Collection<Transaction, Subtransaction> = {
  name: 'transactions',
  operation: 'getTransactions',
  member: 'transactions',
  shape: bySplit(),
  ttlMs: 2 * MINUTE_MS,
};
export const SCHEDULED: Collection<ScheduledTransaction, Subtransaction> = {
  name: 'scheduled',
  operation: 'getScheduledTransactions',
  member: 'scheduled_transactions',
  shape: bySplit(),
  ttlMs: 5 * MINUTE_MS,
};
