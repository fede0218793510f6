import type { ProxiedStack } from './proxied-stack.ts';

/** A transaction as `list_transactions` returns it. */
export interface Listed {
  readonly id: string;
  readonly date: string;
  readonly amount: number;
  readonly payee_name?: string;
  readonly memo?: string;
  readonly import_id?: string;
  readonly cleared: string;
}

/** A new account without transactions. */
export async function createAccount(stack: ProxiedStack, more: object = {}): Promise<string> {
  const args = { name: 'Statement Test', type: 'checking', ...more };
  const { account } = await stack.json<{ account: { id: string } }>('create_account', args);
  return account.id;
}

/** Adds transactions: date, amount, payee, and whether they are cleared. */
export async function addTransactions(
  stack: ProxiedStack,
  accountId: string,
  rows: readonly (readonly [date: string, amount: number, payee: string, cleared?: string])[],
): Promise<void> {
  await stack.json('create_transactions', {
    transactions: rows.map(([date, amount, payee, cleared = 'uncleared']) => ({
      account_id: accountId,
      date,
      amount_decimal: amount,
      payee_name: payee,
      cleared,
    })),
  });
}

/** The transactions of an account by date, as `date amount payee cleared`. */
export async function listTransactions(
  stack: ProxiedStack,
  accountId: string,
  more: object = {},
): Promise<readonly string[]> {
  const args = { account_id: accountId, since_date: '2026-01-01', limit: 500, ...more };
  const { transactions } = await stack.json<{ transactions: Listed[] }>('list_transactions', args);
  return transactions
    .map(({ date, amount, payee_name: payee, cleared }) => `${date} ${amount} ${payee ?? ''} ${cleared}`)
    .toSorted();
}

/** The parts of the structure of `reconcile_account` that tests read. */
export interface Reconciled {
  readonly summary: Readonly<Record<string, unknown>>;
  readonly balance: Readonly<Record<string, unknown>>;
  readonly balance_after?: Readonly<Record<string, unknown>>;
  readonly plan: {
    readonly writes: Readonly<Record<string, number>>;
    readonly skipped: readonly object[];
    readonly would_send?: readonly object[];
  };
  readonly recommendations: readonly { readonly tool: string; readonly arguments: object }[];
  readonly executed?: {
    readonly done: Readonly<Record<string, number>>;
    readonly left: Readonly<Record<string, number>>;
    readonly duplicate_import_ids: readonly string[];
    readonly stopped?: string;
  };
  readonly dry_run: boolean;
  readonly next_steps: readonly string[];
  readonly csv: { readonly errors: readonly object[]; readonly warnings: readonly object[] };
}

/** The structure of the result, which follows the text. */
export function readReconciled({ raw }: { readonly raw: string }): Reconciled {
  const { content } = JSON.parse(raw) as { content: readonly { text: string }[] };
  return JSON.parse(content[1]?.text ?? '{}') as Reconciled;
}

/** All switches, and no dry run. */
export const ALL_CHANGES = {
  dry_run: false,
  auto_create_transactions: true,
  auto_update_cleared_status: true,
  auto_unclear_missing: true,
  auto_adjust_dates: true,
};
