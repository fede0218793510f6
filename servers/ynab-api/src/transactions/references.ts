import { findAccount } from '../accounts/account.ts';
import type { AccountRow } from '../accounts/account.ts';
import { badRequest } from '../http/api-error.ts';
import type { PlanCall } from '../http/operation.ts';
import type { Role } from '../months/compute-months.ts';
import { findPayee, findPayeeByName, insertPayee } from '../payees/payee.ts';
import type { PayeeRow } from '../payees/payee.ts';

type Place = Pick<PlanCall, 'database' | 'plan'>;
/** A place where payees may be created. */
type WritablePlace = Pick<PlanCall, 'database' | 'plan' | 'newId'>;

/** The account of a request body. */
export function getBodyAccount({ database, plan }: Place, id: string): AccountRow {
  const account = findAccount(database, plan.id, id);
  if (account === undefined) throw badRequest(`account_id ${id} does not exist in this plan`);
  return account;
}

interface PayeeFields {
  readonly payee_id?: string | null | undefined;
  readonly payee_name?: string | null | undefined;
}

/** The payee of a request body: by id; else by name, created if the plan has none with this name; null to remove it; undefined if neither is given. */
export function resolvePayee(place: WritablePlace, fields: PayeeFields): PayeeRow | null | undefined {
  const { database, plan } = place;
  const { payee_id: id, payee_name: name } = fields;
  if (id !== undefined && id !== null) {
    const payee = findPayee(database, plan.id, id);
    if (payee === undefined) throw badRequest(`payee_id ${id} does not exist in this plan`);
    return payee;
  }
  if (name !== undefined && name !== null && name.trim() !== '')
    return findPayeeByName(database, plan.id, name) ?? insertPayee(place, name);
  return id === undefined && name === undefined ? undefined : null;
}

/** The account to which a payee transfers, if it is not the account of the transaction itself. */
export function findTransferTarget(
  place: Place,
  account: AccountRow,
  payee: Pick<PayeeRow, 'transfer_account_id'> | null | undefined,
): AccountRow | undefined {
  const id = payee?.transfer_account_id ?? null;
  if (id === null) return undefined;
  if (id === account.id) throw badRequest('payee_id must not be the transfer payee of the same account');
  return getBodyAccount(place, id);
}

/** Whether both accounts of a transfer are on budget, so that the transfer has no category. */
export function isInternalTransfer(account: AccountRow, target: AccountRow | undefined): boolean {
  return account.on_budget === 1 && target?.on_budget === 1;
}

interface Categorized {
  readonly account: AccountRow;
  readonly target: AccountRow | undefined;
  /** The category that stays if the requested one is ignored. */
  readonly current: string | null;
}

/** The category of a request body. Payment categories are ignored; tracking accounts and transfers between on-budget accounts have none. */
export function resolveCategory(
  { database, plan }: Place,
  id: string | null | undefined,
  { account, target, current }: Categorized,
): string | null {
  const category =
    id === undefined || id === null
      ? undefined
      : database.first<{ role: Role }>(
          'SELECT role FROM categories WHERE plan_id = ? AND id = ?',
          plan.id,
          id,
        );
  if (category === undefined && typeof id === 'string')
    throw badRequest(`category_id ${id} does not exist in this plan`);
  if (account.on_budget === 0 || isInternalTransfer(account, target)) return null;
  if (id === undefined || category?.role === 'payment') return current;
  return category?.role === 'uncategorized' ? null : id;
}
