import { ToolError } from 'toolwright';
import type { BudgetApi } from '../api/budget-api.ts';
import type {
  Account,
  Budget,
  Category,
  CategoryGroup,
  Month,
  MonthDetail,
  Payee,
  ScheduledTransaction,
  Transaction,
  User,
} from '../api/entities.ts';
import type { CurrencyFormat } from '../money/currency-format.ts';
import type { BudgetStore, Loaded } from './budget-store.ts';
import type { Caller } from './caller.ts';
import { ACCOUNTS, CATEGORIES, MONTHS, PAYEES, SCHEDULED, TRANSACTIONS, TTL_MS } from './collections.ts';
import { describeBudgets } from './describe-budgets.ts';
import {
  ACCOUNT,
  CATEGORY,
  findEntity,
  MONTH,
  PAYEE,
  rejectUnknown,
  SCHEDULED_TRANSACTION,
  TRANSACTION,
} from './find-entity.ts';

/** A budget that a call works on: a real id, never `default` or `last-used`. */
export interface ChosenBudget {
  readonly id: string;
  readonly name: string;
  readonly currency: CurrencyFormat;
  /** As the API lists it. */
  readonly listed: Budget;
}

interface BudgetList {
  readonly plans: readonly Budget[];
  readonly default_plan?: Budget | null;
}

/** Name of the cached id of the budget that was used last. */
const LAST_USED = 'last-used';

/** For a budget without a currency format: two digits, no symbol. */
const PLAIN_CURRENCY: CurrencyFormat = {
  iso_code: '',
  decimal_digits: 2,
  decimal_separator: '.',
  group_separator: ',',
  symbol_first: true,
  currency_symbol: '',
  display_symbol: false,
};

/** Reads the data of one caller through the cache. */
export class BudgetReader {
  readonly #caller: Caller;
  readonly #api: BudgetApi;
  readonly #store: BudgetStore;
  readonly #configuredBudgetId: string | undefined;
  /** The budget of the latest call. */
  #usedId: string | undefined;

  constructor(parts: {
    caller: Caller;
    api: BudgetApi;
    store: BudgetStore;
    configuredBudgetId: string | undefined;
  }) {
    this.#caller = parts.caller;
    this.#api = parts.api;
    this.#store = parts.store;
    this.#configuredBudgetId = parts.configuredBudgetId;
  }

  user(): Promise<User> {
    return this.#value('user', TTL_MS.user, async () => (await this.#call<{ user: User }>('getUser')).user);
  }

  async budgets(): Promise<readonly Budget[]> {
    return (await this.#list()).plans;
  }

  /** The budget with this id. `default` is the default of this caller, then the configured one, then the only one, then that of the API. */
  async choose(budgetId: string): Promise<ChosenBudget> {
    const { plans, default_plan: standard } = await this.#list();
    const configured = this.#configuredBudgetId;
    const chosen = this.#caller.defaultBudgetId ?? (configured === 'default' ? undefined : configured);
    const only = plans.length === 1 ? plans[0] : standard;
    const wanted = budgetId === 'default' ? (chosen ?? only?.id) : budgetId;
    const id = wanted === 'last-used' ? await this.#lastUsedId() : wanted;
    const found = plans.find((plan) => plan.id === id);
    if (found !== undefined) {
      await this.#noteUse(found.id);
      const { id: foundId, name, currency_format: currency } = found;
      return { id: foundId, name, currency: currency ?? PLAIN_CURRENCY, listed: found };
    }
    const origin = wanted === configured ? ', the value of YNAB_DEFAULT_BUDGET_ID' : '';
    throw new ToolError(
      wanted === undefined ? 'This account has no default budget.' : `Unknown budget "${wanted}"${origin}.`,
      { suggestions: [`Use one of these as budget_id: ${describeBudgets(plans)}.`] },
    );
  }

  accounts(budgetId: string): Promise<Loaded<Account>> {
    return this.#store.list(ACCOUNTS, { caller: this.#caller, budgetId });
  }

  categories(budgetId: string): Promise<Loaded<CategoryGroup>> {
    return this.#store.list(CATEGORIES, { caller: this.#caller, budgetId });
  }

  payees(budgetId: string): Promise<Loaded<Payee>> {
    return this.#store.list(PAYEES, { caller: this.#caller, budgetId });
  }

  months(budgetId: string): Promise<Loaded<Month>> {
    return this.#store.list(MONTHS, { caller: this.#caller, budgetId });
  }

  scheduled(budgetId: string): Promise<Loaded<ScheduledTransaction>> {
    return this.#store.list(SCHEDULED, { caller: this.#caller, budgetId });
  }

  /** The transactions of the year of `since`, and of all years after it. */
  transactions(budgetId: string, since: string): Promise<Loaded<Transaction>> {
    return this.#store.list(TRANSACTIONS, { caller: this.#caller, budgetId, since: startOfYear(since) });
  }

  /** The same, loaded whole from the API. */
  transactionsWhole(budgetId: string, since: string): Promise<readonly Transaction[]> {
    return this.#store.listWhole(TRANSACTIONS, { caller: this.#caller, budgetId, since: startOfYear(since) });
  }

  month(budgetId: string, month: string): Promise<MonthDetail> {
    const load = async (): Promise<MonthDetail> => {
      const args = { plan_id: budgetId, month };
      return (await this.#call<{ month: MonthDetail }>('getPlanMonth', args)).month;
    };
    return this.#value(`${budgetId}/months/${month}`, TTL_MS.month, () =>
      rejectUnknown(load(), MONTH, month),
    );
  }

  async account(budgetId: string, accountId: string): Promise<Account> {
    const { items } = await this.accounts(budgetId);
    return findEntity(items, accountId, ACCOUNT);
  }

  /** {@link BudgetReader.account} with balances that are loaded whole from the API. */
  async accountWhole(budgetId: string, accountId: string): Promise<Account> {
    const items = await this.#store.listWhole(ACCOUNTS, { caller: this.#caller, budgetId });
    return findEntity(items, accountId, ACCOUNT);
  }

  async category(budgetId: string, categoryId: string): Promise<Category> {
    const { items } = await this.categories(budgetId);
    const group = items.find(({ categories }) => categories.some(({ id }) => id === categoryId));
    return findEntity(group?.categories ?? [], categoryId, CATEGORY);
  }

  async payee(budgetId: string, payeeId: string): Promise<Payee> {
    const { items } = await this.payees(budgetId);
    return findEntity(items, payeeId, PAYEE);
  }

  async transaction(budgetId: string, transactionId: string): Promise<Transaction> {
    const args = { plan_id: budgetId, transaction_id: transactionId };
    const name = `${budgetId}/transactions/one/${transactionId}`;
    const load = async (): Promise<Transaction> =>
      (await this.#call<{ transaction: Transaction }>('getTransactionById', args)).transaction;
    return this.#value(name, TTL_MS.transaction, () => rejectUnknown(load(), TRANSACTION, transactionId));
  }

  /** A scheduled transaction as it is now: a change sends all its fields, and an old one would undo changes made elsewhere. */
  async scheduledTransactionNow(budgetId: string, id: string): Promise<ScheduledTransaction> {
    const args = { plan_id: budgetId, scheduled_transaction_id: id };
    type Found = { readonly scheduled_transaction: ScheduledTransaction };
    const found = this.#call<Found>('getScheduledTransactionById', args);
    return (await rejectUnknown(found, SCHEDULED_TRANSACTION, id)).scheduled_transaction;
  }

  async scheduledTransaction(budgetId: string, id: string): Promise<ScheduledTransaction> {
    const { items } = await this.scheduled(budgetId);
    return findEntity(items, id, SCHEDULED_TRANSACTION);
  }

  #list(): Promise<BudgetList> {
    return this.#value('budgets', TTL_MS.budgets, () => this.#call<BudgetList>('getPlans'));
  }

  /** Only the API knows which budget was used last; a response with details names it. */
  #lastUsedId(): Promise<string> {
    return this.#value(LAST_USED, TTL_MS.budgets, async () => {
      const { plan } = await this.#call<{ plan: Budget }>('getPlanById', { plan_id: 'last-used' });
      return plan.id;
    });
  }

  /** The API does not see calls that are answered from the cache, so its answer would be a budget that was used before. */
  async #noteUse(id: string): Promise<void> {
    if (id === this.#usedId) return;
    this.#usedId = id;
    await this.#store.remember(LAST_USED, { caller: this.#caller, ttlMs: TTL_MS.budgets }, id);
  }

  #call<TData>(operation: string, args: Readonly<Record<string, unknown>> = {}): Promise<TData> {
    return this.#api.call<TData>(operation, args, { caller: this.#caller });
  }

  #value<TValue>(name: string, ttlMs: number, load: () => Promise<TValue>): Promise<TValue> {
    return this.#store.value(name, { caller: this.#caller, ttlMs }, load);
  }
}

/** Requests for different days of a year share one cached list. */
function startOfYear(date: string): string {
  return `${date.slice(0, 4)}-01-01`;
}
