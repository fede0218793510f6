import type { Edge } from './assign.ts';

/** A cost or a price. The first member decides; the second only decides between equal ones, so that preferences never outweigh weights. */
interface Cost {
  readonly first: number;
  readonly second: number;
}

interface Row<E> {
  price: Cost;
  readonly choices: Choice<E>[];
}

interface Column<E> {
  price: Cost;
  owner: { readonly row: Row<E>; readonly choice: Choice<E> } | undefined;
}

interface Choice<E> {
  readonly column: Column<E>;
  readonly cost: Cost;
  /** Undefined for the choice of no transaction. */
  readonly edge: E | undefined;
}

/** The cheapest known way to a column. */
interface Reach<E> {
  readonly distance: Cost;
  /** The column that the row would leave, unless it has none yet. */
  readonly from: Column<E> | undefined;
  readonly row: Row<E>;
  readonly choice: Choice<E>;
}

const ZERO: Cost = { first: 0, second: 0 };

/** Solves one assignment exactly with shortest augmenting paths (Jonker and Volgenant). The edges must be sorted by their ends. */
export function solveAssignment<E extends Edge>(edges: readonly E[]): E[] {
  const rows = new Map<number, Row<E>>();
  const columns = new Map<number, Column<E>>();
  for (const edge of edges) {
    const row = rows.get(edge.left) ?? createRow<E>();
    const column = columns.get(edge.right) ?? { price: ZERO, owner: undefined };
    rows.set(edge.left, row);
    columns.set(edge.right, column);
    row.choices.push({ column, cost: { first: -edge.weight, second: -edge.preference }, edge });
  }
  for (const row of rows.values()) augment(row);
  return [...columns.values()].flatMap(({ owner }) => owner?.choice.edge ?? []);
}

/** A row can always take no transaction, at cost zero. */
function createRow<E>(): Row<E> {
  const nothing: Column<E> = { price: ZERO, owner: undefined };
  return { price: ZERO, choices: [{ column: nothing, cost: ZERO, edge: undefined }] };
}

/** Gives the row a column, and other rows along the cheapest path other columns. */
function augment<E>(start: Row<E>): void {
  start.price = start.choices
    .map(({ cost, column }) => subtract(cost, column.price))
    .reduce((least, cost) => (isLess(cost, least) ? cost : least));
  const reached = new Map<Column<E>, Reach<E>>();
  const visited = new Map<Column<E>, Reach<E>>();
  let row = start;
  let from: Column<E> | undefined;
  let base = ZERO;
  for (;;) {
    for (const choice of row.choices) {
      const { column, cost } = choice;
      if (visited.has(column)) continue;
      const distance = add(base, subtract(subtract(cost, row.price), column.price));
      const known = reached.get(column);
      if (known === undefined || isLess(distance, known.distance))
        reached.set(column, { distance, from, row, choice });
    }
    const [column, reach] = findNearest(reached);
    if (column.owner === undefined) {
      reprice(start, visited, reach.distance);
      shift(column, reach, visited);
      return;
    }
    reached.delete(column);
    visited.set(column, reach);
    row = column.owner.row;
    from = column;
    base = reach.distance;
  }
}

/** The nearest column, a free one if several are; every row has a choice that is free or its own, so there always is one. */
function findNearest<E>(reached: ReadonlyMap<Column<E>, Reach<E>>): [Column<E>, Reach<E>] {
  let nearest: [Column<E>, Reach<E>] | undefined;
  for (const [column, reach] of reached) {
    const isBetter =
      nearest === undefined ||
      isLess(reach.distance, nearest[1].distance) ||
      (column.owner === undefined &&
        nearest[0].owner !== undefined &&
        !isLess(nearest[1].distance, reach.distance));
    if (isBetter) nearest = [column, reach];
  }
  if (nearest === undefined) throw new Error('An assignment has no free column.');
  return nearest;
}

/** Keeps all costs minus prices at zero or above, and those of chosen edges at zero. */
function reprice<E>(start: Row<E>, visited: ReadonlyMap<Column<E>, Reach<E>>, end: Cost): void {
  start.price = add(start.price, end);
  for (const [column, { distance }] of visited) {
    const change = subtract(end, distance);
    column.price = subtract(column.price, change);
    if (column.owner !== undefined) column.owner.row.price = add(column.owner.row.price, change);
  }
}

/** Moves each row of the path to its next column, from the end to the start. */
function shift<E>(end: Column<E>, reach: Reach<E>, visited: ReadonlyMap<Column<E>, Reach<E>>): void {
  let column: Column<E> | undefined = end;
  let step: Reach<E> | undefined = reach;
  while (column !== undefined && step !== undefined) {
    column.owner = step;
    column = step.from;
    step = column && visited.get(column);
  }
}

function add(left: Cost, right: Cost): Cost {
  return { first: left.first + right.first, second: left.second + right.second };
}

function subtract(left: Cost, right: Cost): Cost {
  return { first: left.first - right.first, second: left.second - right.second };
}

function isLess(left: Cost, right: Cost): boolean {
  return left.first < right.first || (left.first === right.first && left.second < right.second);
}
