import { createHash } from 'node:crypto';
import type { TransactionFields } from './bulk-transaction.ts';

/**
 * A key for each item, so that a caller can find its outcome: the `import_id`, else a hash of the fields. Equal items without `import_id` get
 * different keys: the second one ends with `#2`.
 */
export function listKeys(items: readonly TransactionFields[]): string[] {
  const occurrences = new Map<string, number>();
  return items.map((item) => {
    if (typeof item.import_id === 'string') return item.import_id;
    const hash = createHash('sha256')
      .update(JSON.stringify(canonicalFields(item)))
      .digest('hex')
      .slice(0, 16);
    const occurrence = (occurrences.get(hash) ?? 0) + 1;
    occurrences.set(hash, occurrence);
    return occurrence === 1 ? `hash:${hash}` : `hash:${hash}#${occurrence}`;
  });
}

/** The fields in a fixed order, with the defaults of the API: a field that is left out equals its default. */
function canonicalFields(item: TransactionFields): unknown[] {
  return [
    item.account_id,
    item.date,
    item.amount,
    item.payee_id ?? null,
    item.payee_name ?? null,
    ...otherFields(item),
  ];
}

/** The fields that the API returns as they were given, apart from account, date, amount and payee. */
export function otherFields(item: TransactionFields): readonly (string | boolean)[] {
  return [
    item.category_id ?? '',
    item.memo ?? '',
    item.cleared ?? 'uncleared',
    item.approved ?? false,
    item.flag_color ?? '',
  ];
}
