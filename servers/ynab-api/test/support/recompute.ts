import type * as ynab from 'ynab';

/** The amounts of a plan, computed from its export in another way than the server does: one part after the other. */
export interface Recomputed {
  readonly balances: Map<string, number>;
  readonly cleared: Map<string, number>;
  /** By month and category: `2026-11-01 <id>`. */
  readonly activity: Map<string, number>;
  readonly available: Map<string, number>;
  readonly ready: Map<string, number>;
}

const add = (map: Map<string, number>, key: string, amount: number): void => {
  map.set(key, (map.get(key) ?? 0) + amount);
};

function listParts(plan: ynab.PlanDetail) {
  const parts = plan.subtransactions ?? [];
  return (plan.transactions ?? []).flatMap((row) => {
    const own = parts.filter(({ transaction_id }) => transaction_id === row.id);
    const rows = own.length > 0 ? own : [row];
    return rows.map(({ amount, category_id, transfer_account_id }) => ({
      account: row.account_id,
      month: `${row.date.slice(0, 7)}-01`,
      amount,
      category: category_id ?? null,
      other: transfer_account_id ?? null,
    }));
  });
}

function sumActivity(plan: ynab.PlanDetail): Map<string, number> {
  const accounts = new Map((plan.accounts ?? []).map((account) => [account.id, account]));
  const categories = plan.categories ?? [];
  const idOf = (name: string): string => categories.find((category) => category.name === name)?.id ?? '';
  const payments = categories.filter(({ category_group_name: name }) => name === 'Credit Card Payments');
  const activity = new Map<string, number>();
  for (const part of listParts(plan)) {
    const account = accounts.get(part.account);
    if (account === undefined || !account.on_budget) continue;
    const isCard = account.type === 'creditCard';
    const isInternal = part.other !== null && accounts.get(part.other)?.on_budget === true;
    const isPayment = payments.some(({ id }) => id === part.category);
    const payment = payments.find(({ name }) => name === account.name)?.id ?? '';
    if (isCard && (isInternal || (part.category !== null && !isPayment)))
      add(activity, `${part.month} ${payment}`, -part.amount);
    if (isInternal || isPayment || (isCard && part.category === null)) continue;
    add(activity, `${part.month} ${part.category ?? idOf('Uncategorized')}`, part.amount);
  }
  return activity;
}

export function recompute(plan: ynab.PlanDetail): Recomputed {
  const balances = new Map((plan.accounts ?? []).map(({ id }) => [id, 0]));
  const cleared = new Map(balances);
  for (const { account_id: id, amount, cleared: status } of plan.transactions ?? []) {
    add(balances, id, amount);
    if (status !== 'uncleared') add(cleared, id, amount);
  }
  const activity = sumActivity(plan);
  const inflow = plan.categories?.find(({ name }) => name === 'Inflow: Ready to Assign')?.id ?? '';
  const available = new Map<string, number>();
  const ready = new Map<string, number>();
  let before = new Map<string, number>();
  let rest = 0;
  for (const { month, categories } of [...(plan.months ?? [])].sort((a, b) => (a.month < b.month ? -1 : 1))) {
    const after = new Map<string, number>();
    for (const [id, amount] of before)
      if (amount < 0) rest += amount;
      else after.set(id, amount);
    for (const { id, budgeted } of categories) {
      if (id === inflow) continue;
      add(after, id, budgeted + (activity.get(`${month} ${id}`) ?? 0));
      rest -= budgeted;
      available.set(`${month} ${id}`, after.get(id) ?? 0);
    }
    rest += activity.get(`${month} ${inflow}`) ?? 0;
    ready.set(month, rest);
    before = after;
  }
  return { balances, cleared, activity, available, ready };
}
