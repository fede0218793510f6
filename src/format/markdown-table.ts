/**
 * Formats an array of flat objects with the same keys as a Markdown table; undefined for other values, which a
 * table cannot represent completely.
 */
export function toMarkdownTable(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const rows = value as readonly unknown[];
  const [first] = rows;
  if (!isFlatRow(first)) return undefined;
  const columns = Object.keys(first);
  if (columns.length === 0 || !rows.every((row) => isFlatRow(row) && hasColumns(row, columns)))
    return undefined;
  const lines = rows.map((row) => columns.map((column) => toCell((row as FlatRow)[column])));
  return [columns.map(escapeCell), columns.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

type Scalar = string | number | boolean | null;
type FlatRow = Readonly<Record<string, Scalar>>;

function isFlatRow(row: unknown): row is FlatRow {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return false;
  return Object.values(row).every(
    (cell) => cell === null || ['string', 'number', 'boolean'].includes(typeof cell),
  );
}

function hasColumns(row: FlatRow, columns: readonly string[]): boolean {
  const keys = Object.keys(row);
  return keys.length === columns.length && columns.every((column) => Object.hasOwn(row, column));
}

function toCell(cell: Scalar | undefined): string {
  return escapeCell(cell === null || cell === undefined ? '' : String(cell));
}

function escapeCell(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll(/\r\n|\r|\n/g, '<br>');
}
