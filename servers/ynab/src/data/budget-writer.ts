import { ApiError } from '../api/api-error.ts';
import type { BudgetApi } from '../api/budget-api.ts';
import type { Transaction } from '../api/entities.ts';
import type { SaveResponse, TransactionFields } from '../bulk/bulk-transaction.ts';
import type { BudgetStore } from './budget-store.ts';
import type { Caller } from './caller.ts';
import { findCreated, isLost, restoreResponse, toUnknownOutcome } from './lost-response.ts';

/** One write request. */
export interface Write {
  readonly operation: string;
  readonly budgetId: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The cached collections that the write changes. */
  readonly touches: readonly string[];
  /** Whether sending the request twice has the effect of sending it once, such as an update by id or a creation with `import_id`. */
  readonly isRepeatable: boolean;
  /** Deletions: the response if the entity no longer exists, as when a deletion is repeated because its response was lost. */
  readonly ifGone?: object;
}

/** Called after each write, also after a failed one. */
type OnWrite = (caller: Caller, budgetId: string, touches: readonly string[]) => void;

/** Transactions change the balances of accounts, categories and months, and may create payees. */
export const TOUCHED_BY_TRANSACTIONS = ['transactions', 'accounts', 'categories', 'months', 'payees'];

/** Writes the data of one caller. A write is never cancelled half-way: once sent, its response is awaited. */
export class BudgetWriter {
  readonly #caller: Caller;
  readonly #api: BudgetApi;
  readonly #store: BudgetStore;
  readonly #onWrite: OnWrite;

  constructor(options: { caller: Caller; api: BudgetApi; store: BudgetStore; onWrite: OnWrite }) {
    this.#caller = options.caller;
    this.#api = options.api;
    this.#store = options.store;
    this.#onWrite = options.onWrite;
  }

  /** Sends a write. A repeatable one is sent once more if the response was lost. */
  async send<TData>(write: Write): Promise<TData> {
    const { budgetId, touches, isRepeatable, ifGone } = write;
    try {
      return await this.#attempt<TData>(write).catch((error: unknown) => {
        if (ifGone !== undefined && isStatus(error, 404)) return ifGone as TData;
        if (!isLost(error)) throw error;
        if (!isRepeatable) throw toUnknownOutcome(error);
        return this.#repeat<TData>(write).catch((repeat: unknown) => {
          if (ifGone !== undefined && isStatus(repeat, 404)) return ifGone as TData;
          throw isRejection(repeat) ? repeat : toUnknownOutcome(error, repeat);
        });
      });
    } finally {
      // Also after a failure: the server may have applied the write.
      await this.#store.forget(this.#caller, budgetId, touches);
      this.#onWrite(this.#caller, budgetId, touches);
    }
  }

  #attempt<TData>({ operation, budgetId, args }: Write): Promise<TData> {
    return this.#call<TData>(operation, budgetId, args);
  }

  /** Sends a write again. A creation that the first request made is returned, not reported as a duplicate. */
  async #repeat<TData>(write: Write): Promise<TData> {
    const { transaction, transactions } = write.args as {
      readonly transaction?: TransactionFields;
      readonly transactions?: readonly TransactionFields[];
    };
    if (write.operation !== 'createTransaction') return this.#attempt<TData>(write);
    if (transactions !== undefined) {
      const response = await this.#attempt<SaveResponse<Transaction>>(write);
      return restoreResponse(response, transactions, await this.#listExisting(write, transactions)) as TData;
    }
    return this.#attempt<TData>(write).catch(async (error: unknown) => {
      if (transaction === undefined || !isStatus(error, 409)) throw error;
      const found = findCreated(transaction, await this.#listExisting(write, [transaction]));
      if (found === undefined) throw error;
      return { transaction: found } as TData;
    });
  }

  async #listExisting(
    { budgetId }: Write,
    sent: readonly TransactionFields[],
  ): Promise<readonly Transaction[]> {
    const [first] = sent.map(({ date }) => date).toSorted();
    const { transactions } = await this.#call<{ readonly transactions: readonly Transaction[] }>(
      'getTransactions',
      budgetId,
      { since_date: first },
    );
    return transactions;
  }

  #call<TData>(operation: string, budgetId: string, args: Write['args']): Promise<TData> {
    return this.#api.call<TData>(operation, { plan_id: budgetId, ...args }, { caller: this.#caller });
  }
}

/** Whether the API rejected a request for its content: the first one, with the same content, had no effect either. */
function isRejection(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}
