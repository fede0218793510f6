import { insertAccount } from '../accounts/account.ts';
import { insertStartingBalance } from '../accounts/starting-balance.ts';
import { addMonths, toMonth } from '../dates/dates.ts';
import type { PlanCall } from '../http/operation.ts';
import { findPayeeByName, insertPayee } from '../payees/payee.ts';
import { ACCOUNTS, GROUPS } from './household.ts';
import type { AccountKey, SampleGoal } from './household.ts';
import type { Random } from './random.ts';
import { toMilliunits } from './scale.ts';
import type { SamplePlan } from './scale.ts';

interface Place extends Pick<PlanCall, 'database' | 'plan' | 'today' | 'newId' | 'user'> {
  readonly sample: SamplePlan;
  readonly random: Random;
  /** The first day of the plan. */
  readonly first: string;
}

/** A plan that is being filled: its accounts, categories and payees by name. */
export interface Book extends Place {
  account(key: AccountKey): string;
  category(name: string): string;
  payee(name: string): string;
}

/** Creates the groups, categories and accounts of a plan. */
export function createBook(place: Place): Book {
  const { database, first } = place;
  const categories = insertCategories(place);
  const accounts = new Map<AccountKey, string>();
  for (const { key, name, type, start, linked, note } of ACCOUNTS) {
    const id = place.newId();
    accounts.set(key, id);
    insertAccount({ ...place, today: first }, { id, name, type });
    insertStartingBalance({ ...place, today: first }, id, toMilliunits(start * 100, place.sample));
    const reconciled = `${addMonths(place.today, -1, 3)}T18:30:00Z`;
    const details = { note: note ?? null, direct_import_linked: linked ?? false, closed: key === 'old' };
    database.update('accounts', id, { ...details, last_reconciled_at: key === 'car' ? null : reconciled });
  }
  const payees = new Map<string, string>();
  return {
    ...place,
    account: (key) => find(accounts, key),
    category: (name) => find(categories, name),
    payee: (name) => {
      const id =
        payees.get(name) ?? (findPayeeByName(database, place.plan.id, name) ?? insertPayee(place, name)).id;
      payees.set(name, id);
      return id;
    },
  };
}

function find<K>(map: ReadonlyMap<K, string>, key: K): string {
  const id = map.get(key);
  if (id === undefined) throw new Error(`The sample data have no "${String(key)}".`);
  return id;
}

function insertCategories(place: Place): Map<string, string> {
  const { database, plan } = place;
  const ids = new Map<string, string>();
  const insertGroup = (name: string, kind: { internal?: true; payments?: true } = {}): string => {
    const id = place.newId();
    database.insert('category_groups', { id, plan_id: plan.id, name, ...kind, knowledge: plan.knowledge });
    return id;
  };
  const insert = (group: string, name: string, columns: Record<string, string | number | null>): string => {
    const id = place.newId();
    const { knowledge } = plan;
    database.insert('categories', {
      id,
      plan_id: plan.id,
      category_group_id: group,
      name,
      ...columns,
      knowledge,
    });
    return id;
  };
  const internal = insertGroup('Internal Master Category', { internal: true });
  ids.set('Inflow', insert(internal, 'Inflow: Ready to Assign', { role: 'inflow' }));
  insert(internal, 'Uncategorized', { role: 'uncategorized' });
  insertGroup('Credit Card Payments', { payments: true });
  for (const [group, categories] of Object.entries(GROUPS)) {
    const id = insertGroup(group);
    for (const [name, goal] of categories)
      ids.set(name, insert(id, name, { role: 'ordinary', ...toGoal(place, goal) }));
  }
  return ids;
}

function toGoal(
  { sample, first, today }: Place,
  goal: SampleGoal | undefined,
): Record<string, string | number | null> {
  if (goal === undefined) return {};
  const [type, target, months] = goal;
  const repeats = type === 'NEED' || type === 'MF';
  return {
    goal_type: type,
    goal_target: toMilliunits(target * 100, sample),
    goal_target_date: months === undefined ? null : addMonths(toMonth(today), months),
    goal_needs_whole_amount: type === 'NEED' ? 1 : null,
    goal_cadence: repeats ? 1 : 0,
    goal_cadence_frequency: repeats ? 1 : null,
    goal_creation_month: first,
  };
}
