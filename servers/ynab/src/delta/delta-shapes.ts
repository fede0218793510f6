import { sum } from '../money/money.ts';
import type { Deletable, DeltaShape } from './merge-delta.ts';

interface Identified extends Deletable {
  readonly id: string;
}

interface Part extends Identified {
  readonly amount: number;
}

/** Accounts, payees and other flat entities. */
export function byId<TEntity extends Identified>(): DeltaShape<TEntity> {
  return { id: (entity) => entity.id };
}

/** Months, which have no id. */
export function byMonth<TEntity extends Deletable & { readonly month: string }>(): DeltaShape<TEntity> {
  return { id: (entity) => entity.month };
}

/** Transactions and scheduled transactions. The parts of a split must add up to its amount. */
export function bySplit<
  TPart extends Part,
  TEntity extends Part & { readonly subtransactions: readonly TPart[] },
>(): DeltaShape<TEntity, TPart> {
  return {
    id: (entity) => entity.id,
    children: {
      id: (part) => part.id,
      of: (entity) => entity.subtransactions,
      replace: (entity, subtransactions) => ({ ...entity, subtransactions }),
    },
    isConsistent: ({ amount, subtransactions: parts }) =>
      parts.length === 0 || sum(parts.map((part) => part.amount)) === amount,
  };
}

/** Groups of categories. */
export function byGroup<
  TCategory extends Identified,
  TEntity extends Identified & { readonly categories: readonly TCategory[] },
>(): DeltaShape<TEntity, TCategory> {
  return {
    id: (entity) => entity.id,
    children: {
      id: (category) => category.id,
      of: (entity) => entity.categories,
      replace: (entity, categories) => ({ ...entity, categories }),
    },
  };
}
