import type { Database } from '../database/database.ts';
import { listMonths, toMonth } from '../dates/dates.ts';
import { computeAges } from './age-of-money.ts';
import type { CashFlow } from './age-of-money.ts';
import { computeMonths } from './compute-months.ts';
import type { Flow, MonthAmounts, Role } from './compute-months.ts';

/** The plan, the knowledge of the change and the date of the request. */
export interface Settlement {
  readonly database: Database;
  readonly plan: { readonly id: string; readonly knowledge: number };
  readonly today: string;
}

/** Transactions and, in place of split ones, their parts. */
const PARTS = `
  SELECT id, account_id, date, amount, category_id, transfer_account_id FROM transactions
    WHERE plan_id = ?1 AND deleted = 0 AND split = 0
  UNION ALL
  SELECT t.id, t.account_id, t.date, s.amount, s.category_id, s.transfer_account_id
    FROM subtransactions s JOIN transactions t ON t.id = s.transaction_id
    WHERE s.plan_id = ?1 AND s.deleted = 0 AND t.deleted = 0`;

const FLOWS = `
  SELECT substr(p.date, 1, 7) || '-01' AS month, p.category_id, c.id AS payment_category_id,
    other.on_budget AS transfer_on_budget, SUM(p.amount) AS amount
  FROM (${PARTS}) p
  JOIN accounts a ON a.id = p.account_id AND a.on_budget = 1
  LEFT JOIN accounts other ON other.id = p.transfer_account_id
  LEFT JOIN categories c ON c.payment_account_id = a.id
  GROUP BY 1, 2, 3, 4`;

const CASH_FLOWS = `
  SELECT p.date, p.amount
  FROM (${PARTS}) p
  JOIN accounts a ON a.id = p.account_id AND a.on_budget = 1 AND a.type <> 'creditCard'
  LEFT JOIN accounts other ON other.id = p.transfer_account_id
  LEFT JOIN categories c ON c.id = p.category_id
  WHERE (p.amount > 0 AND c.role = 'inflow')
    OR (p.amount < 0 AND (other.id IS NULL OR other.on_budget = 0 OR other.type = 'creditCard'))
  ORDER BY p.date, p.amount DESC, p.id`;

/** Writes all derived amounts of a plan. Rows whose amounts differ get the knowledge of the change; the others stay as they are. */
export function settle({ database, plan, today }: Settlement): void {
  settleAccounts(database, plan);
  const months = listExistingMonths(database, plan.id, today);
  const stored = loadStored(database, plan.id);
  const computed = computeMonths({
    months,
    roles: loadRoles(database, plan.id),
    flows: loadFlows(database, plan.id),
    assigned: new Map([...stored].map(([key, { budgeted }]) => [key, budgeted])),
  });
  const ages = computeAges(database.all<CashFlow>(CASH_FLOWS, plan.id));
  let age: number | null = null;
  for (const [month, amounts] of computed) {
    age = ages.get(month) ?? age;
    const changed = storeCategories({ database, plan, month, amounts, stored });
    storeMonth({ database, plan, month, amounts, age, changed });
  }
}

/** The sums of the on-budget accounts by month and category. */
export function loadFlows(database: Database, planId: string): Flow[] {
  return database.all<Flow>(FLOWS, planId);
}

function settleAccounts(database: Database, plan: Settlement['plan']): void {
  database.run(
    `UPDATE accounts SET balance = sums.balance, cleared_balance = sums.cleared, knowledge = ?2
     FROM (
       SELECT a.id, COALESCE(SUM(t.amount), 0) AS balance,
         COALESCE(SUM(CASE WHEN t.cleared <> 'uncleared' THEN t.amount END), 0) AS cleared
       FROM accounts a LEFT JOIN transactions t ON t.account_id = a.id AND t.plan_id = ?1 AND t.deleted = 0
       WHERE a.plan_id = ?1 GROUP BY a.id
     ) AS sums
     WHERE accounts.id = sums.id AND (accounts.balance <> sums.balance OR accounts.cleared_balance <> sums.cleared)`,
    plan.id,
    plan.knowledge,
  );
}

/** From the first month with a transaction or an assigned amount to the current month, or a later one with an assigned amount; months never disappear. */
function listExistingMonths(database: Database, planId: string, today: string): string[] {
  const range = database.first<{ first: string | null; last: string | null }>(
    `SELECT MIN(month) AS first, MAX(month) AS last FROM (
       SELECT month FROM months WHERE plan_id = ?1
       UNION ALL SELECT month FROM month_categories WHERE plan_id = ?1
       UNION ALL SELECT substr(MIN(date), 1, 7) || '-01' FROM transactions WHERE plan_id = ?1 AND deleted = 0
     )`,
    planId,
  );
  const current = toMonth(today);
  const first = range?.first ?? current;
  const last = range?.last ?? current;
  return listMonths(first < current ? first : current, last > current ? last : current);
}

export function loadRoles(database: Database, planId: string): Map<string, Role> {
  const rows = database.all<{ id: string; role: Role }>(
    'SELECT id, role FROM categories WHERE plan_id = ? ORDER BY rowid',
    planId,
  );
  return new Map(rows.map(({ id, role }) => [id, role]));
}

interface StoredAmounts {
  readonly month: string;
  readonly category_id: string;
  readonly budgeted: number;
  readonly activity: number;
  readonly balance: number;
}

function loadStored(database: Database, planId: string): Map<string, StoredAmounts> {
  const rows = database.all<StoredAmounts>(
    'SELECT month, category_id, budgeted, activity, balance FROM month_categories WHERE plan_id = ?',
    planId,
  );
  return new Map(rows.map((row) => [`${row.month} ${row.category_id}`, row]));
}

interface MonthStep {
  readonly database: Database;
  readonly plan: Settlement['plan'];
  readonly month: string;
  readonly amounts: MonthAmounts;
}

/** Returns whether any category of the month has changed, also by an assigned amount that this change has written. */
function storeCategories(step: MonthStep & { readonly stored: Map<string, StoredAmounts> }): boolean {
  const { database, plan, month, amounts, stored } = step;
  for (const [id, { budgeted, activity, balance }] of amounts.categories) {
    const known = stored.get(`${month} ${id}`) ?? { activity: 0, balance: 0 };
    if (known.activity === activity && known.balance === balance) continue;
    database.run(
      `INSERT INTO month_categories (plan_id, month, category_id, budgeted, activity, balance, knowledge)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET activity = excluded.activity, balance = excluded.balance, knowledge = excluded.knowledge`,
      plan.id,
      month,
      id,
      budgeted,
      activity,
      balance,
      plan.knowledge,
    );
  }
  const sql = 'SELECT 1 FROM month_categories WHERE plan_id = ? AND month = ? AND knowledge = ? LIMIT 1';
  return database.first(sql, plan.id, month, plan.knowledge) !== undefined;
}

function storeMonth(step: MonthStep & { readonly age: number | null; readonly changed: boolean }): void {
  const { database, plan, month, amounts, age, changed } = step;
  database.run(
    `INSERT INTO months (plan_id, month, income, budgeted, activity, to_be_budgeted, age_of_money, knowledge)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET income = excluded.income, budgeted = excluded.budgeted, activity = excluded.activity,
       to_be_budgeted = excluded.to_be_budgeted, age_of_money = excluded.age_of_money, knowledge = excluded.knowledge
     WHERE ? OR (months.income, months.budgeted, months.activity, months.to_be_budgeted) IS NOT
       (excluded.income, excluded.budgeted, excluded.activity, excluded.to_be_budgeted)
       OR months.age_of_money IS NOT excluded.age_of_money`,
    plan.id,
    month,
    amounts.income,
    amounts.budgeted,
    amounts.activity,
    amounts.to_be_budgeted,
    age,
    plan.knowledge,
    changed,
  );
}
