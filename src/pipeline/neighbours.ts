import { findNearestNames } from '../errors/nearest-names.ts';
import type { ToolCall } from './context/call.ts';
import type { RouteTable } from './route.ts';

/** Similar names of tools that are visible to this caller. Hidden tools have no influence, not even on the order. */
export function visibleNeighbours(table: RouteTable, call: ToolCall): string[] {
  if (typeof call.name !== 'string') return [];
  return findNearestNames(call.name, table.keys(), (name) => {
    // defence: visible-neighbours
    return name !== call.name && table.get(name)?.isVisible(call) === true;
  });
}
