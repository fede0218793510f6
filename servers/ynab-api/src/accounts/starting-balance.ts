import type { PlanCall } from '../http/operation.ts';
import { findPayeeByName, insertPayee } from '../payees/payee.ts';

/**
 * Adds the transaction that gives an account its first balance. Money in a cash account is ready to assign. The debt of a credit card is
 * categorized with its payment category, which does not change with it.
 */
export function insertStartingBalance(
  call: Pick<PlanCall, 'database' | 'plan' | 'today' | 'newId'>,
  accountId: string,
  amount: number,
): void {
  if (amount === 0) return;
  const { database, plan, today } = call;
  const payee =
    findPayeeByName(database, plan.id, 'Starting Balance') ?? insertPayee(call, 'Starting Balance');
  const category = database.first<{ id: string }>(
    `SELECT c.id FROM accounts a JOIN categories c ON c.plan_id = a.plan_id
     WHERE a.id = ?1 AND a.on_budget = 1
       AND (c.payment_account_id = ?1 OR (a.type <> 'creditCard' AND c.role = 'inflow'))`,
    accountId,
  );
  database.insert('transactions', {
    id: call.newId(),
    plan_id: plan.id,
    account_id: accountId,
    date: today,
    amount,
    cleared: 'cleared',
    approved: true,
    payee_id: payee.id,
    category_id: category?.id ?? null,
    knowledge: plan.knowledge,
  });
}
