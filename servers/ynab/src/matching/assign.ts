import { solveAssignment } from './solve-assignment.ts';

/**
 * A possible pair of the row `left` and the transaction `right`. Of two assignments the one with the higher total weight wins, then the one with the
 * higher total preference.
 */
export interface Edge {
  readonly left: number;
  readonly right: number;
  /** A positive integer. */
  readonly weight: number;
  /** An integer of at least 0 that decides between equal totals. */
  readonly preference: number;
}

/** Chooses edges so that no two share an end and the total is the best. The order of the edges does not matter. */
export function assign<E extends Edge>(edges: readonly E[]): E[] {
  const sorted = edges.toSorted((a, b) => a.left - b.left || a.right - b.right);
  return listComponents(sorted).flatMap((component) =>
    component.length === 1 ? component : solveAssignment(component),
  );
}

/** Edges that are not connected are separate problems; equal amounts make them small. */
function listComponents<E extends Edge>(edges: readonly E[]): E[][] {
  const byEnd = new Map<number, E[]>();
  for (const edge of edges) {
    for (const end of endsOf(edge)) {
      const list = byEnd.get(end);
      if (list === undefined) byEnd.set(end, [edge]);
      else list.push(edge);
    }
  }
  const seen = new Set<number>();
  const components: E[][] = [];
  for (const { left } of edges) {
    if (seen.has(left)) continue;
    const component = new Set<E>();
    const ends = [left];
    seen.add(left);
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
      for (const edge of byEnd.get(end) ?? []) {
        component.add(edge);
        const unseen = endsOf(edge).filter((each) => !seen.has(each));
        for (const each of unseen) seen.add(each);
        ends.push(...unseen);
      }
    }
    components.push([...component].toSorted((a, b) => a.left - b.left || a.right - b.right));
  }
  return components;
}

/** Both ends in one range of numbers: rows from 0 up, transactions from -1 down. */
function endsOf({ left, right }: Edge): readonly [number, number] {
  return [left, -1 - right];
}
