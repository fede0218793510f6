import type { Issue } from 'toolwright';
import type { Transaction } from '../../api/entities.ts';

const MESSAGE =
  'the transaction is a split, in which YNAB does not change this. Delete it, and create it again';

/** The fields that a change of a split has no effect on, by the argument that gives them. The API ignores them silently. */
const IGNORED = {
  date: 'date',
  amount_decimal: 'amount',
  amount_milliunits: 'amount',
  category_id: 'category_id',
} as const;

export type GivenChange = Readonly<Partial<Record<keyof typeof IGNORED, unknown>>>;
export type Change = Readonly<Partial<Record<(typeof IGNORED)[keyof typeof IGNORED], unknown>>>;

export function isSplit({ subtransactions }: Transaction): boolean {
  return subtransactions.some(({ deleted }) => !deleted);
}

/** Whether a change has one of these fields. */
export function hasSplitField(given: GivenChange): boolean {
  return Object.keys(IGNORED).some((name) => given[name as keyof GivenChange] !== undefined);
}

/** The arguments of a change that have no effect, if the transaction is a split. A value that it has already is no change. */
export function findIgnored(
  { given, changes }: { readonly given: GivenChange; readonly changes: Change },
  known: Transaction,
  at: readonly (string | number)[] = [],
): readonly Issue[] {
  if (!isSplit(known)) return [];
  return Object.entries(IGNORED).flatMap(([name, field]) => {
    const isChanged =
      given[name as keyof GivenChange] !== undefined && (changes[field] ?? null) !== (known[field] ?? null);
    return isChanged ? [{ path: [...at, name], message: MESSAGE }] : [];
  });
}
