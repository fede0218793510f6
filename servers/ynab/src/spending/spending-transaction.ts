/** The members of a transaction and of a part of a split that an analysis reads, with the names of the API. */
export interface SpendingPart {
  readonly amount: number;
  readonly deleted: boolean;
  readonly category_id?: string | null | undefined;
  readonly category_name?: string | null | undefined;
  readonly transfer_account_id?: string | null | undefined;
}

/** A transaction of the API. `subtransactions` are the parts of a split; empty if it is not one. */
export interface SpendingTransaction extends SpendingPart {
  readonly date: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly payee_id?: string | null | undefined;
  readonly payee_name?: string | null | undefined;
  readonly subtransactions: readonly SpendingPart[];
}
