import type { Budget } from '../api/entities.ts';

/** The budgets for an error message: names and ids. */
export function describeBudgets(budgets: readonly Budget[]): string {
  return budgets.map(({ id, name }) => `${id} (${name})`).join(', ');
}
