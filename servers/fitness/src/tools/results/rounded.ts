/** A number with few decimals: more would only be noise. Default: one. */
export function rounded(value: number, digits = 1): number {
  // Without -0, which JSON does not have.
  return Math.round(value * 10 ** digits) / 10 ** digits + 0;
}

/** The numbers of a row, rounded; other values and whole numbers stay. */
export function roundRow<TRow extends object>(row: TRow, digits = 1): TRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? rounded(value, digits) : value,
    ]),
  ) as TRow;
}
