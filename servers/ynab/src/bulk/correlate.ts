import type {
  BulkOutcome,
  BulkOutcomes,
  SavedTransaction,
  SaveResponse,
  TransactionFields,
} from './bulk-transaction.ts';
import { listKeys, otherFields } from './correlation-keys.ts';

const NOT_SAVED = 'The API did not return this transaction.';

/**
 * Finds the outcome of each item of `create_transactions`. The API returns transactions in an order of its own: those with an `import_id`
 * are found by account and `import_id`, which are unique together; the others by their fields, each transaction once.
 */
export function correlateCreated<TSaved extends SavedTransaction>(
  items: readonly TransactionFields[],
  response: SaveResponse<TSaved>,
): BulkOutcomes<TSaved> {
  const saved = response.transactions ?? [];
  const found = pairBest(items, saved);
  const duplicates = new Set(response.duplicate_import_ids);
  const keys = listKeys(items);
  const outcomes = items.map((item, index): BulkOutcome<TSaved> => {
    const common = { index, key: keys[index] ?? '' };
    const transaction = found.get(index);
    if (transaction !== undefined) return { ...common, status: 'created', id: transaction.id, transaction };
    if (typeof item.import_id === 'string' && duplicates.has(item.import_id))
      return { ...common, status: 'duplicate' };
    return { ...common, status: 'failed', reason: NOT_SAVED };
  });
  return { outcomes, uncorrelated_ids: findOthers(outcomes, response) };
}

/** Finds the outcome of each item of `update_transactions`, by id. */
export function correlateUpdated<TSaved extends { readonly id: string }>(
  items: readonly { readonly id: string }[],
  response: SaveResponse<TSaved>,
): BulkOutcomes<TSaved> {
  const ids = new Set(response.transaction_ids);
  const saved = new Map((response.transactions ?? []).map((transaction) => [transaction.id, transaction]));
  const outcomes = items.map(({ id }, index): BulkOutcome<TSaved> => {
    const transaction = saved.get(id);
    if (transaction !== undefined) return { index, key: id, status: 'updated', id, transaction };
    if (ids.has(id)) return { index, key: id, status: 'updated', id };
    return { index, key: id, status: 'failed', id, reason: NOT_SAVED };
  });
  return { outcomes, uncorrelated_ids: findOthers(outcomes, response) };
}

function findOthers(outcomes: readonly BulkOutcome<unknown>[], response: SaveResponse<unknown>): string[] {
  const known = new Set(outcomes.map((outcome) => outcome.id));
  return response.transaction_ids.filter((id) => !known.has(id));
}

/** Pairs items with transactions, those first that agree in most fields; the earlier of equal ones. */
function pairBest<TSaved extends SavedTransaction>(
  items: readonly TransactionFields[],
  saved: readonly TSaved[],
): Map<number, TSaved> {
  const pairs = items
    .flatMap((item, index) =>
      saved
        .filter((transaction) => isCandidate(item, transaction))
        .map((transaction) => ({ index, transaction, score: countAgreeing(item, transaction) })),
    )
    .toSorted((one, other) => other.score - one.score);
  const found = new Map<number, TSaved>();
  const taken = new Set<TSaved>();
  for (const { index, transaction } of pairs) {
    if (found.has(index) || taken.has(transaction)) continue;
    found.set(index, transaction);
    taken.add(transaction);
  }
  return found;
}

function isCandidate(item: TransactionFields, saved: SavedTransaction): boolean {
  if (item.account_id !== saved.account_id || (item.import_id ?? null) !== (saved.import_id ?? null))
    return false;
  return typeof item.import_id === 'string' || (item.date === saved.date && item.amount === saved.amount);
}

function countAgreeing(item: TransactionFields, saved: SavedTransaction): number {
  const fields = otherFields(saved);
  const agreeing = otherFields(item).filter((value, index) => value === fields[index]).length;
  return agreeing + (hasSamePayee(item, saved) ? 1 : 0);
}

/** A payee that was given by id is returned with its name, and one that was given by name with its id. */
function hasSamePayee(item: TransactionFields, saved: SavedTransaction): boolean {
  if (typeof item.payee_id === 'string') return item.payee_id === saved.payee_id;
  return (item.payee_name ?? '') === (saved.payee_name ?? '');
}
