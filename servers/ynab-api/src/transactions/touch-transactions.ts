import type { PlanCall } from '../http/operation.ts';

/** Marks the transactions that show the name of a payee or category as changed, so that deltas bring the new name. */
export function touchTransactions(
  { database, plan }: Pick<PlanCall, 'database' | 'plan'>,
  column: 'payee_id' | 'category_id',
  id: string,
): void {
  for (const [table, parts, parent] of [
    ['transactions', 'subtransactions', 'transaction_id'],
    ['scheduled_transactions', 'scheduled_subtransactions', 'scheduled_transaction_id'],
  ] as const) {
    database.run(
      `UPDATE ${table} SET knowledge = ?1 WHERE plan_id = ?2 AND deleted = 0
       AND (${column} = ?3 OR id IN (SELECT ${parent} FROM ${parts} WHERE plan_id = ?2 AND ${column} = ?3))`,
      plan.knowledge,
      plan.id,
      id,
    );
  }
}
