import { listMonths, toMonth } from '../dates/dates.ts';
import { computeMonths } from '../months/compute-months.ts';
import { loadFlows, loadRoles } from '../months/settle.ts';
import type { Book } from './book.ts';
import { toMilliunits } from './scale.ts';

/** Months, counted back from the current one, whose assignments are kept as money movements. */
const RECORDED = 6;

/** Dollars that categories without monthly spending get each month. */
const SAVED = { Vacation: 130, Furniture: 45, 'New Car': 60, Taxes: 70, 'Car Maintenance': 50 };

/** Dollars that stay ready to assign at the end of a month, for the time before the next salary. */
const BUFFER = 1800;

/** Assigns, in each month, what the categories lack for their spending, then what they save, then the rest to the emergency fund. */
export function assignMonths(book: Book): void {
  const { database, plan, today, sample } = book;
  const roles = loadRoles(database, plan.id);
  const months = listMonths(book.first, toMonth(today));
  const spent = computeMonths({ months, roles, flows: loadFlows(database, plan.id), assigned: new Map() });
  const step = toMilliunits(500, sample);
  const available = new Map<string, number>();
  let ready = 0;
  for (const [index, [month, { income, categories }]] of [...spent].entries()) {
    ready += income;
    const group = index >= months.length - RECORDED ? insertGroup(book, month) : undefined;
    const give = (category: string, amount: number): void => {
      if (amount <= 0) return;
      ready -= amount;
      available.set(category, (available.get(category) ?? 0) + amount);
      insertAssigned(book, { month, category, amount, group });
    };
    const saved = index < months.length - 1 ? Object.entries(SAVED) : [];
    for (const [name, dollars] of saved) give(book.category(name), toMilliunits(dollars * 100, sample));
    for (const [category, { activity }] of categories) {
      const role = roles.get(category);
      const before = available.get(category) ?? 0;
      available.set(category, before + activity);
      // The first payment of the card includes the debt that it started with.
      if (role === 'payment' && index === 0) give(category, toMilliunits(64_000, sample));
      if (role === 'ordinary') give(category, Math.ceil(-(before + activity) / step) * step);
    }
    const rest = ready - toMilliunits(index < months.length - 1 ? BUFFER * 100 : 20_000, sample);
    give(book.category('Emergency Fund'), Math.floor(rest / step) * step);
  }
}

function insertGroup({ database, plan, newId, user }: Book, month: string): string {
  const id = newId();
  database.insert('money_movement_groups', {
    id,
    plan_id: plan.id,
    month,
    note: 'Assigned on payday',
    group_created_at: `${month}T08:00:00Z`,
    performed_by_user_id: user.id,
  });
  return id;
}

interface Assigned {
  readonly month: string;
  readonly category: string;
  readonly amount: number;
  readonly group: string | undefined;
}

function insertAssigned(
  { database, plan, newId, user }: Book,
  { month, category, amount, group }: Assigned,
): void {
  database.run(
    `INSERT INTO month_categories (plan_id, month, category_id, budgeted, activity, balance, knowledge) VALUES (?, ?, ?, ?, 0, 0, ?)
     ON CONFLICT DO UPDATE SET budgeted = month_categories.budgeted + excluded.budgeted`,
    plan.id,
    month,
    category,
    amount,
    plan.knowledge,
  );
  if (group === undefined) return;
  database.insert('money_movements', {
    id: newId(),
    plan_id: plan.id,
    month,
    moved_at: `${month}T08:00:00Z`,
    money_movement_group_id: group,
    performed_by_user_id: user.id,
    to_category_id: category,
    amount,
  });
}
