/** The amounts of the months of a plan, computed from its transactions and its assigned amounts. Pure. */

/** A sum of transaction amounts in one month: of one on-budget account and one category. */
export interface Flow {
  readonly month: string;
  readonly amount: number;
  readonly category_id: string | null;
  /** The payment category of the account if it is a credit card. */
  readonly payment_category_id: string | null;
  /** Whether the other account of a transfer is on budget; null for anything but a transfer. */
  readonly transfer_on_budget: number | null;
}

export type Role = 'ordinary' | 'inflow' | 'uncategorized' | 'payment';

export interface CategoryAmounts {
  budgeted: number;
  activity: number;
  balance: number;
}

export interface MonthAmounts {
  readonly income: number;
  readonly budgeted: number;
  readonly activity: number;
  readonly to_be_budgeted: number;
  readonly categories: ReadonlyMap<string, CategoryAmounts>;
}

export interface Sources {
  readonly months: readonly string[];
  readonly roles: ReadonlyMap<string, Role>;
  readonly flows: readonly Flow[];
  /** The assigned amount by month and category: `2026-11-01 <category id>`. */
  readonly assigned: ReadonlyMap<string, number>;
}

/**
 * The categories that a flow changes. Money that is spent with a credit card moves from its category to the payment category of the card;
 * a transfer between on-budget accounts changes only payment categories. Whatever the flow, the sum over all categories and
 * Ready to Assign changes as much as the cash accounts do.
 */
function toEffects(
  flow: Flow,
  roles: ReadonlyMap<string, Role>,
  uncategorized: string | undefined,
): [string, number][] {
  const payment: [string, number][] =
    flow.payment_category_id === null ? [] : [[flow.payment_category_id, -flow.amount]];
  if (flow.transfer_on_budget === 1) return payment;
  // The starting balance of a credit card is categorized with its payment category: an old debt that nothing pays for yet.
  if (flow.category_id !== null && roles.get(flow.category_id) === 'payment') return [];
  if (flow.category_id !== null) return [[flow.category_id, flow.amount], ...payment];
  return flow.payment_category_id === null && uncategorized !== undefined
    ? [[uncategorized, flow.amount]]
    : [];
}

function sumActivity(sources: Sources): Map<string, number> {
  const [uncategorized] = [...sources.roles].find(([, role]) => role === 'uncategorized') ?? [];
  const activity = new Map<string, number>();
  for (const flow of sources.flows) {
    for (const [category, amount] of toEffects(flow, sources.roles, uncategorized)) {
      const key = `${flow.month} ${category}`;
      activity.set(key, (activity.get(key) ?? 0) + amount);
    }
  }
  return activity;
}

/** The amounts of each month, in the order of the months. What a category has left carries over; what it lacks is taken from Ready to Assign of the next month. */
export function computeMonths(sources: Sources): Map<string, MonthAmounts> {
  const activity = sumActivity(sources);
  const carried = new Map<string, number>();
  const results = new Map<string, MonthAmounts>();
  let ready = 0;
  for (const month of sources.months) {
    const categories = new Map<string, CategoryAmounts>();
    const totals = { income: 0, budgeted: 0, activity: 0 };
    let overspent = 0;
    for (const [id, role] of sources.roles) {
      const own = activity.get(`${month} ${id}`) ?? 0;
      const budgeted = sources.assigned.get(`${month} ${id}`) ?? 0;
      const balance = (carried.get(id) ?? 0) + budgeted + own;
      if (role === 'inflow') totals.income += own;
      else {
        totals.budgeted += budgeted;
        if (role !== 'payment') totals.activity += own;
        carried.set(id, Math.max(0, balance));
        overspent += Math.min(0, balance);
      }
      categories.set(id, { budgeted, activity: own, balance });
    }
    ready += totals.income - totals.budgeted;
    for (const [id, role] of sources.roles) {
      if (role === 'inflow') categories.set(id, { budgeted: 0, activity: totals.income, balance: ready });
    }
    results.set(month, { ...totals, to_be_budgeted: ready, categories });
    ready += overspent;
  }
  return results;
}
