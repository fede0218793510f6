/** The members of a transaction that a caller writes, with the names of the API. */
export interface TransactionFields {
  readonly account_id: string;
  readonly date: string;
  readonly amount: number;
  readonly payee_id?: string | null | undefined;
  readonly payee_name?: string | null | undefined;
  readonly category_id?: string | null | undefined;
  readonly memo?: string | null | undefined;
  readonly cleared?: string | undefined;
  readonly approved?: boolean | undefined;
  readonly flag_color?: string | null | undefined;
  readonly import_id?: string | null | undefined;
}

/** A transaction in a response of the API. */
export interface SavedTransaction extends TransactionFields {
  readonly id: string;
}

/** The response of the API to a request that saves several transactions. */
export interface SaveResponse<TSaved> {
  readonly transaction_ids: readonly string[];
  readonly transactions?: readonly TSaved[] | undefined;
  readonly duplicate_import_ids?: readonly string[] | undefined;
}

/** The outcome of one item of a request. */
export interface BulkOutcome<TSaved> {
  /** Position of the item in the request, from 0. */
  readonly index: number;
  readonly key: string;
  readonly status: 'created' | 'updated' | 'duplicate' | 'failed';
  readonly id?: string;
  readonly reason?: string;
  readonly transaction?: TSaved;
}

/** The outcomes in the order of the items. */
export interface BulkOutcomes<TSaved> {
  readonly outcomes: readonly BulkOutcome<TSaved>[];
  /** Saved transactions that belong to no item. */
  readonly uncorrelated_ids: readonly string[];
}
