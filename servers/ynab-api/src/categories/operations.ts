import { toMonth } from '../dates/dates.ts';
import { badRequest, resourceNotFound } from '../http/api-error.ts';
import { defineChange, defineRead, getParam } from '../http/operation.ts';
import type { Operation, PlanCall } from '../http/operation.ts';
import { findLastKnowledge, getMonthParam } from '../http/query.ts';
import { getMonth } from '../months/month.ts';
import { touchTransactions } from '../transactions/touch-transactions.ts';
import {
  amount,
  boolean,
  date,
  nullable,
  object,
  optional,
  parseWrapped,
  string,
  uuid,
} from '../validation/parsers.ts';
import type { Parsed } from '../validation/parsers.ts';
import { assign } from './assign.ts';
import { findCategory, isInternal, listCategories, listGroups, toCategory, toGroup } from './category.ts';
import type { CategoryRow } from './category.ts';
import { NO_GOAL, toMonthlyGoal } from './goal.ts';

const FIELDS = {
  name: nullable(string({ min: 1, max: 500 })),
  note: nullable(string()),
  category_group_id: optional(uuid),
  goal_target: nullable(amount),
  goal_target_date: nullable(date),
  goal_needs_whole_amount: nullable(boolean),
};
const existingCategory = object(FIELDS);
const newCategory = object({ ...FIELDS, name: string({ min: 1, max: 500 }), category_group_id: uuid });

function getCategory(call: PlanCall, month = toMonth(call.today)): CategoryRow {
  const place = { planId: call.plan.id, month };
  const category = findCategory(call.database, place, getParam(call, 'category_id'));
  if (category === undefined) throw resourceNotFound();
  return category;
}

function saved(call: PlanCall, id: string, month = toMonth(call.today)): object {
  const category = findCategory(call.database, { planId: call.plan.id, month }, id);
  return { category: category && toCategory(category, call), server_knowledge: call.plan.knowledge };
}

function assertGroup(call: PlanCall, id: string): void {
  const group = listGroups(call.database, call.plan.id).find((entry) => entry.id === id);
  if (group === undefined) throw badRequest(`category.category_group_id ${id} does not exist in this plan`);
  if (group.internal === 1 || group.payments === 1)
    throw badRequest(`category.category_group_id ${id} is the internal group "${group.name}"`);
}

/** The category of a credit card keeps the name of the card and its group. */
function assertFree(call: PlanCall, current: CategoryRow, fields: Parsed<typeof existingCategory>): void {
  const group = fields.category_group_id ?? current.category_group_id;
  if (group !== current.category_group_id) assertGroup(call, group);
  const isSame = group === current.category_group_id && (fields.name ?? current.name) === current.name;
  if (current.role === 'payment' && !isSame)
    throw badRequest(
      `The category ${current.id} belongs to a credit card: its name and group cannot be changed`,
    );
}

/** The columns of the goal that a request changes. */
function toGoalChanges(
  call: PlanCall,
  fields: Parsed<typeof existingCategory>,
  current: Pick<CategoryRow, 'role' | 'goal_type'>,
): Record<string, string | number | boolean | null> {
  const { goal_target: target, goal_target_date: due, goal_needs_whole_amount: whole } = fields;
  if (target === null) return NO_GOAL;
  const created =
    current.goal_type === null && target !== undefined
      ? toMonthlyGoal(current.role, toMonth(call.today))
      : {};
  const type = created['goal_type'] ?? current.goal_type;
  if (type === null && (due ?? whole ?? null) !== null)
    throw badRequest('category.goal_target is required to create a goal');
  if (type !== 'NEED' && (whole ?? null) !== null)
    throw badRequest(
      `category.goal_needs_whole_amount is supported for NEED goals only; this goal is ${type}`,
    );
  return {
    ...created,
    ...(target !== undefined && { goal_target: target }),
    ...(due !== undefined && { goal_target_date: due }),
    ...(whole !== undefined && { goal_needs_whole_amount: whole }),
  };
}

const createCategory = defineChange('createCategory', 'POST /plans/{plan_id}/categories', (call) => {
  const fields = parseWrapped(call.body, 'category', newCategory);
  assertGroup(call, fields.category_group_id);
  const id = call.newId();
  call.database.insert('categories', {
    id,
    plan_id: call.plan.id,
    category_group_id: fields.category_group_id,
    name: fields.name.trim(),
    role: 'ordinary',
    note: fields.note ?? null,
    ...toGoalChanges(call, fields, { role: 'ordinary', goal_type: null }),
    knowledge: call.plan.knowledge,
  });
  return () => ({ status: 201, data: saved(call, id) });
});

const updateCategory = defineChange(
  'updateCategory',
  'PATCH /plans/{plan_id}/categories/{category_id}',
  (call) => {
    const current = getCategory(call);
    const fields = parseWrapped(call.body, 'category', existingCategory);
    if (isInternal(current.role))
      throw badRequest(`The category ${current.id} is internal and cannot be changed`);
    assertFree(call, current, fields);
    call.database.update('categories', current.id, {
      name: fields.name?.trim() ?? current.name,
      note: fields.note === undefined ? current.note : fields.note,
      category_group_id: fields.category_group_id ?? current.category_group_id,
      ...toGoalChanges(call, fields, current),
      knowledge: call.plan.knowledge,
    });
    if (fields.name) touchTransactions(call, 'category_id', current.id);
    return () => ({ data: saved(call, current.id) });
  },
);

const updateMonthCategory = defineChange(
  'updateMonthCategory',
  'PATCH /plans/{plan_id}/months/{month}/categories/{category_id}',
  (call) => {
    const month = getMonthParam(call);
    const { id, role } = getCategory(call, month);
    const { budgeted } = parseWrapped(call.body, 'category', object({ budgeted: amount }));
    if (isInternal(role)) throw badRequest(`No amount can be assigned to the internal category ${id}`);
    assign(call, { month, categoryId: id, budgeted });
    return () => ({ data: saved(call, id, month) });
  },
);

export const categoryOperations: readonly Operation[] = [
  defineRead('getCategories', '/plans/{plan_id}/categories', (call) => ({
    category_groups: listGroupsWithCategories(call, findLastKnowledge(call)),
    server_knowledge: call.plan.knowledge,
  })),
  createCategory,
  defineRead('getCategoryById', '/plans/{plan_id}/categories/{category_id}', (call) => ({
    category: toCategory(getCategory(call), call),
  })),
  updateCategory,
  defineRead('getMonthCategoryById', '/plans/{plan_id}/months/{month}/categories/{category_id}', (call) => {
    const { month } = getMonth(call, getMonthParam(call));
    return { category: toCategory(getCategory(call, month), call) };
  }),
  updateMonthCategory,
];

/** Groups with their categories. A delta has the changed categories, in their groups, and the changed groups. */
function listGroupsWithCategories(call: PlanCall, since: number | undefined): object[] {
  const { database, plan, today } = call;
  const categories = listCategories(database, { planId: plan.id, month: toMonth(today) }, since);
  const changed = new Set(listGroups(database, plan.id, since).map(({ id }) => id));
  for (const { category_group_id: id } of categories) changed.add(id);
  const groups = listGroups(database, plan.id).filter(({ id }) => changed.has(id));
  return groups.map((group) => ({
    ...toGroup(group),
    categories: categories
      .filter(({ category_group_id: id }) => id === group.id)
      .map((category) => toCategory(category, call)),
  }));
}
