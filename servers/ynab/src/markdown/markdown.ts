/** Markdown of results. Names and memos come from banks and other people, so no text can end a cell or a line, or become a link or HTML. */

/** A value of a cell or a fact. Null and undefined are empty. */
export type MarkdownValue = string | number | boolean | null | undefined;

/** A column of {@link table}. Align amounts of money right. */
export interface Column<TRow> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  readonly value: (row: TRow) => MarkdownValue;
}

/** A table: one line for each row, below the titles. */
export function table<TRow>(columns: readonly Column<TRow>[], rows: readonly TRow[]): string {
  const lines = [
    columns.map(({ title }) => toInline(title)),
    columns.map(({ align }) => (align === 'right' ? '---:' : '---')),
    ...rows.map((row) => columns.map(({ value }) => toInline(value(row)))),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A list of names with values. Pairs without a value are left out. */
export function facts(pairs: readonly (readonly [name: string, value: MarkdownValue])[]): string {
  return pairs
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `- **${toInline(name)}**: ${toInline(value)}`)
    .join('\n');
}

/** A list of sentences, one line each. */
export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${toInline(line)}`).join('\n');
}

/** A heading of level 1 to 6. */
export function heading(level: 1 | 2 | 3 | 4 | 5 | 6, text: string): string {
  return `${'#'.repeat(level)} ${toInline(text)}`;
}

const LINE_BREAKS = /[\r\n\t\v\f\u0085\u2028\u2029]+/g;
/** Control characters, and marks that reverse the direction of the text after them. */
const INVISIBLE = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Most texts need no change, and one look is cheaper than three replacements. */
const SPECIAL = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\\|<[`]/u;

/** Also the backslash is escaped: before an escaped `|` it would free the `|`. */
function toInline(value: MarkdownValue): string {
  const text = String(value ?? '');
  if (!SPECIAL.test(text)) return text.trim();
  return text
    .replaceAll(LINE_BREAKS, ' ')
    .replaceAll(INVISIBLE, '')
    .replaceAll(/[\\|<[`]/g, String.raw`\$&`)
    .trim();
}
