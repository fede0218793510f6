/** A value inside another, and the way to it. */
export interface NestedValue {
  readonly value: unknown;
  readonly above?: NestedValue;
  readonly key?: string | number;
}

/** The keys and indexes that lead to a value from the outermost one. Written out only for a complaint. */
export function pathTo(nested: NestedValue): (string | number)[] {
  const path: (string | number)[] = [];
  for (let { above, key } = nested; above !== undefined && key !== undefined; { above, key } = above)
    path.unshift(key);
  return path;
}
