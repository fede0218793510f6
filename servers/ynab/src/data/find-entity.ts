import { ToolError } from 'toolwright';
import { ApiError } from '../api/api-error.ts';

/** A kind of entity, and the tool that lists it. */
export interface EntityKind {
  readonly what: string;
  readonly tool: string;
  /** Default: `ids`. */
  readonly values?: string;
}

export const ACCOUNT: EntityKind = { what: 'account', tool: 'list_accounts' };
export const CATEGORY: EntityKind = { what: 'category', tool: 'list_categories' };
export const PAYEE: EntityKind = { what: 'payee', tool: 'list_payees' };
export const MONTH: EntityKind = { what: 'month', tool: 'list_months', values: 'months' };
export const TRANSACTION: EntityKind = { what: 'transaction', tool: 'list_transactions' };
export const SCHEDULED_TRANSACTION: EntityKind = {
  what: 'scheduled transaction',
  tool: 'list_scheduled_transactions',
};

/** The entity with this id, or a `ToolError` that names the tool that lists the ids. */
export function findEntity<TItem extends { readonly id: string }>(
  items: readonly TItem[],
  id: string,
  kind: EntityKind,
): TItem {
  const found = items.find((item) => item.id === id);
  if (found !== undefined) return found;
  throw toUnknown(kind, id);
}

/** The response to a request for one entity, with the error of {@link findEntity}: the API does not say which of the ids of a request it does not know. */
export function rejectUnknown<TEntity>(
  response: Promise<TEntity>,
  kind: EntityKind,
  id: string,
): Promise<TEntity> {
  return response.catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 404 ? toUnknown(kind, id) : error;
  });
}

function toUnknown({ what, tool, values = 'ids' }: EntityKind, id: string): ToolError {
  const suggestions = [`Call ${tool} for the ${values} of this budget.`];
  return new ToolError(`Unknown ${what} "${id}".`, { suggestions });
}
