import type { Issue } from 'toolwright';
import { ValidationError } from 'toolwright';
import type { BudgetReader } from '../data/budget-reader.ts';

type Path = readonly (string | number)[];

/** Fields that name other entities of the budget. Null clears a field. */
type References = Readonly<Partial<Record<keyof typeof KINDS, string | null | undefined>>>;

/** The path of the fields in the arguments. */
export interface Referring {
  readonly fields: References;
  readonly at: Path;
}

type ListIds = (budgets: BudgetReader, budgetId: string) => Promise<readonly { readonly id: string }[]>;

const KINDS = {
  account_id: {
    what: 'account',
    tool: 'list_accounts',
    list: (async (budgets, budgetId) => (await budgets.accounts(budgetId)).items) satisfies ListIds,
  },
  category_id: {
    what: 'category',
    tool: 'list_categories',
    list: (async (budgets, budgetId) =>
      (await budgets.categories(budgetId)).items.flatMap(({ categories }) => categories)) satisfies ListIds,
  },
  payee_id: {
    what: 'payee',
    tool: 'list_payees',
    list: (async (budgets, budgetId) => (await budgets.payees(budgetId)).items) satisfies ListIds,
  },
};

/** Rejects ids that the budget does not have, so that a preview or a dry run shows no change that the API would reject. */
export async function assertReferences(
  referring: readonly Referring[],
  budgets: BudgetReader,
  budgetId: string,
): Promise<void> {
  const issues: Issue[] = [];
  for (const [name, { what, tool, list }] of Object.entries(KINDS)) {
    const given = referring.flatMap(({ fields, at }) => {
      const id = fields[name as keyof typeof KINDS];
      return typeof id === 'string' ? [{ id, path: [...at, name] }] : [];
    });
    if (given.length === 0) continue;
    const known = new Set((await list(budgets, budgetId)).map(({ id }) => id));
    for (const { id, path } of given) {
      if (known.has(id)) continue;
      issues.push({ path, message: `unknown ${what} "${id}"; ${tool} returns the ids of this budget` });
    }
  }
  if (issues.length > 0) throw new ValidationError(issues);
}
