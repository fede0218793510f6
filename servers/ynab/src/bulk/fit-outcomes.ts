import type { BulkOutcome, BulkOutcomes } from './bulk-transaction.ts';

/** A saved transaction as tools return it. */
export interface DescribedTransaction {
  readonly account_id: string;
  readonly date: string;
  /** Units of the currency. */
  readonly amount: number;
  readonly amount_milliunits: number;
  readonly payee_name?: string | null | undefined;
}

/** Maximum size of each form, in bytes of its JSON in UTF-8. */
const MAX_BYTES = { full: 64 * 1024, summary: 96 * 1024, ids: 100 * 1024 };

/** The outcomes in the most detailed form that is small enough. */
export interface FittedOutcomes {
  /** `full`: whole transactions; `summary`: their main fields; `ids`: only ids; `none`: not even ids fit. */
  readonly detail: 'full' | 'summary' | 'ids' | 'none';
  readonly counts: Readonly<Partial<Record<BulkOutcome<unknown>['status'], number>>>;
  readonly results?: readonly object[];
  readonly uncorrelated_ids?: readonly string[];
  readonly message?: string;
}

/** Shortens outcomes until they fit. A list is never cut: each form has all outcomes, or none. */
export function fitOutcomes(bulk: BulkOutcomes<DescribedTransaction>): FittedOutcomes {
  const { outcomes, uncorrelated_ids } = bulk;
  const counts: Partial<Record<BulkOutcome<unknown>['status'], number>> = {};
  for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
  let bytes = 0;
  for (const [detail, shorten] of FORMS) {
    const fitted = { detail, counts, results: outcomes.map(shorten), uncorrelated_ids };
    bytes = Buffer.byteLength(JSON.stringify(fitted));
    if (bytes <= MAX_BYTES[detail]) return fitted;
  }
  const message = `The outcomes have ${bytes} bytes even as ids, above the limit of ${MAX_BYTES.ids}. The request was processed; list the transactions to see them, and send fewer at once.`;
  return { detail: 'none', counts, message };
}

const FORMS: readonly (readonly [
  detail: keyof typeof MAX_BYTES,
  shorten: (outcome: BulkOutcome<DescribedTransaction>) => object,
])[] = [
  ['full', (outcome) => outcome],
  [
    'summary',
    ({ transaction, ...outcome }) => {
      if (transaction === undefined) return outcome;
      const { account_id, date, amount, amount_milliunits, payee_name } = transaction;
      return { ...outcome, account_id, date, amount, amount_milliunits, payee_name };
    },
  ],
  ['ids', ({ index, key, status, id }) => ({ index, key, status, id })],
];
