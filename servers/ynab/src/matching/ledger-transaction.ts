/** A transaction of the budget, with the names of the API and only the fields that bank statements are compared with. */
export interface LedgerTransaction {
  readonly id: string;
  readonly account_id: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Milliunits. */
  readonly amount: number;
  readonly payee_name?: string | null | undefined;
  /** The name that the bank gave when the transaction was imported. */
  readonly import_payee_name?: string | null | undefined;
  readonly memo?: string | null | undefined;
  readonly cleared: 'cleared' | 'reconciled' | 'uncleared';
  readonly approved: boolean;
  readonly import_id?: string | null | undefined;
  readonly transfer_account_id?: string | null | undefined;
  readonly deleted?: boolean | undefined;
  /** The parts of a split. */
  readonly subtransactions?: readonly { readonly deleted: boolean }[] | undefined;
}
