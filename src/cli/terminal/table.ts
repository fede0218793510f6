/** Aligns rows in columns and cuts lines to the width of the terminal, if it is known. */
export function formatTable(rows: readonly (readonly string[])[], columns: number | undefined): string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => widthOf(row[index] ?? ''))));
  return rows.map((row) => {
    const cells = row.map((cell, index) => (index === row.length - 1 ? cell : pad(cell, widths[index] ?? 0)));
    const line = `  ${cells.join('  ')}`.trimEnd();
    return columns !== undefined && widthOf(line) > columns
      ? `${line.slice(0, Math.max(columns - 1, 1))}\u2026`
      : line;
  });
}

function pad(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - widthOf(cell)));
}

/** Width without colour codes. */
function widthOf(text: string): number {
  // oxlint-disable-next-line no-control-regex -- colour codes begin with one
  return text.replaceAll(/\u001B\[\d+m/g, '').length;
}
