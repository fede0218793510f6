import { findNearestNames } from '../errors/nearest-names.ts';
import type { ToolCall } from './context/call.ts';
import type { RouteTable } from './route.ts';

/** Names like the one that was called, of tools this caller may see. What is hidden takes no part, not even by a place in the list. */
export function visibleNeighbours(table: RouteTable, call: ToolCall): string[] {
  if (typeof call.name !== 'string') return [];
  return findNearestNames(call.name, table.keys(), (name) => {
    // defence: visible-neighbours
    return name !== call.name && table.get(name)?.isVisible(call) === true;
  });
}
