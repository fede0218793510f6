import type { Issue } from 'toolwright';
import { ValidationError } from 'toolwright';
import type { BudgetReader } from '../../data/budget-reader.ts';
import { ACCOUNT, CATEGORY, PAYEE } from '../../data/find-entity.ts';

type Path = readonly (string | number)[];

/** Fields that name other entities of the budget. Null clears a field. */
type References = Readonly<Partial<Record<keyof typeof KINDS, string | null | undefined>>>;

/** The path of the fields in the arguments. */
export interface Referring {
  readonly fields: References;
  readonly at: Path;
}

type ListNamed = (
  budgets: BudgetReader,
  budgetId: string,
) => Promise<readonly { readonly id: string; readonly name: string }[]>;

/** Names by id. */
export type Names = ReadonlyMap<string, string>;

const KINDS = {
  account_id: {
    ...ACCOUNT,
    list: (async (budgets, budgetId) => (await budgets.accounts(budgetId)).items) satisfies ListNamed,
  },
  category_id: {
    ...CATEGORY,
    list: (async (budgets, budgetId) =>
      (await budgets.categories(budgetId)).items.flatMap(({ categories }) => categories)) satisfies ListNamed,
  },
  payee_id: {
    ...PAYEE,
    list: (async (budgets, budgetId) => (await budgets.payees(budgetId)).items) satisfies ListNamed,
  },
};

/**
 * Rejects ids that the budget does not have, so that a preview or a dry run shows no change that the API would reject. Returns the names of all
 * entities of the kinds that the fields name.
 */
export async function assertReferences(
  referring: readonly Referring[],
  budgets: BudgetReader,
  budgetId: string,
): Promise<Names> {
  const issues: Issue[] = [];
  const names = new Map<string, string>();
  for (const [name, { what, tool, list }] of Object.entries(KINDS)) {
    const given = referring.flatMap(({ fields, at }) => {
      const id = fields[name as keyof typeof KINDS];
      return typeof id === 'string' ? [{ id, path: [...at, name] }] : [];
    });
    if (given.length === 0) continue;
    const known = new Map((await list(budgets, budgetId)).map((entity) => [entity.id, entity.name]));
    for (const [id, entityName] of known) names.set(id, entityName);
    for (const { id, path } of given) {
      if (known.has(id)) continue;
      issues.push({ path, message: `unknown ${what} "${id}"; ${tool} returns the ids of this budget` });
    }
  }
  if (issues.length > 0) throw new ValidationError(issues);
  return names;
}
