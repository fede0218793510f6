import { badRequest, resourceNotFound } from '../http/api-error.ts';
import { defineChange, getParam } from '../http/operation.ts';
import type { Operation, PlanCall } from '../http/operation.ts';
import { object, parseWrapped, string } from '../validation/parsers.ts';
import { listGroups, toGroup } from './category.ts';

const saveGroup = object({ name: string({ min: 1, max: 50 }) });

function saved(call: PlanCall, id: string): object {
  const group = listGroups(call.database, call.plan.id).find((entry) => entry.id === id);
  return { category_group: group && toGroup(group), server_knowledge: call.plan.knowledge };
}

const createCategoryGroup = defineChange(
  'createCategoryGroup',
  'POST /plans/{plan_id}/category_groups',
  (call) => {
    const { name } = parseWrapped(call.body, 'category_group', saveGroup);
    const id = call.newId();
    call.database.insert('category_groups', {
      id,
      plan_id: call.plan.id,
      name: name.trim(),
      knowledge: call.plan.knowledge,
    });
    return () => ({ status: 201, data: saved(call, id) });
  },
);

const updateCategoryGroup = defineChange(
  'updateCategoryGroup',
  'PATCH /plans/{plan_id}/category_groups/{category_group_id}',
  (call) => {
    const { database, plan } = call;
    const id = getParam(call, 'category_group_id').toLowerCase();
    const group = listGroups(database, plan.id).find((entry) => entry.id === id);
    if (group === undefined) throw resourceNotFound();
    const { name } = parseWrapped(call.body, 'category_group', saveGroup);
    if (group.internal === 1 || group.payments === 1)
      throw badRequest(`The category group "${group.name}" is internal and cannot be changed`);
    database.update('category_groups', id, { name: name.trim(), knowledge: plan.knowledge });
    // Categories carry the name of their group.
    database.run('UPDATE categories SET knowledge = ? WHERE category_group_id = ?', plan.knowledge, id);
    return () => ({ data: saved(call, id) });
  },
);

export const categoryGroupOperations: readonly Operation[] = [createCategoryGroup, updateCategoryGroup];
