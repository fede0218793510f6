import { defineRead } from '../http/operation.ts';
import type { Operation } from '../http/operation.ts';
import { findLastKnowledge, getMonthParam } from '../http/query.ts';
import { listMovementGroups, listMovements } from './money-movement.ts';
import { getMonth, listMonthRows, toMonthDetail, toMonthSummary } from './month.ts';

export const monthOperations: readonly Operation[] = [
  defineRead('getPlanMonths', '/plans/{plan_id}/months', (call) => ({
    months: listMonthRows(call.database, call.plan.id, findLastKnowledge(call)).map((row) =>
      toMonthSummary(row, call),
    ),
    server_knowledge: call.plan.knowledge,
  })),
  defineRead('getPlanMonth', '/plans/{plan_id}/months/{month}', (call) => ({
    month: toMonthDetail(getMonth(call, getMonthParam(call)), call),
  })),
  defineRead('getMoneyMovements', '/plans/{plan_id}/money_movements', (call) => ({
    money_movements: listMovements(call),
    server_knowledge: call.plan.knowledge,
  })),
  defineRead('getMoneyMovementsByMonth', '/plans/{plan_id}/months/{month}/money_movements', (call) => ({
    money_movements: listMovements(call, getMonth(call, getMonthParam(call)).month),
    server_knowledge: call.plan.knowledge,
  })),
  defineRead('getMoneyMovementGroups', '/plans/{plan_id}/money_movement_groups', (call) => ({
    money_movement_groups: listMovementGroups(call),
    server_knowledge: call.plan.knowledge,
  })),
  defineRead(
    'getMoneyMovementGroupsByMonth',
    '/plans/{plan_id}/months/{month}/money_movement_groups',
    (call) => ({
      money_movement_groups: listMovementGroups(call, getMonth(call, getMonthParam(call)).month),
      server_knowledge: call.plan.knowledge,
    }),
  ),
];
