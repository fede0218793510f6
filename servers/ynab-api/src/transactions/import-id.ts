import { ApiError } from '../http/api-error.ts';
import type { PlanCall } from '../http/operation.ts';

/** Whether an account has a transaction with this `import_id` that is not deleted. */
export function hasImportId(
  { database }: Pick<PlanCall, 'database'>,
  accountId: string,
  importId: string,
): boolean {
  const sql = 'SELECT 1 FROM transactions WHERE account_id = ? AND import_id = ? AND deleted = 0';
  return database.first(sql, accountId, importId) !== undefined;
}

export function assertImportIdFree(
  place: Pick<PlanCall, 'database'>,
  accountId: string,
  importId: string | null,
): void {
  if (importId !== null && hasImportId(place, accountId, importId))
    throw new ApiError(
      'conflict',
      `A transaction on the same account with the same import_id (${importId}) already exists`,
    );
}
