/** A value inside another, and its path. */
export interface NestedValue {
  readonly value: unknown;
  readonly above?: NestedValue;
  readonly key?: string | number;
}

/** The keys and indexes from the outermost value. Computed only for an issue. */
export function pathTo(nested: NestedValue): (string | number)[] {
  const path: (string | number)[] = [];
  for (let { above, key } = nested; above !== undefined && key !== undefined; { above, key } = above)
    path.unshift(key);
  return path;
}
