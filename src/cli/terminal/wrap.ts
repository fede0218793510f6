/** Width for wrapping. Lines are not wrapped if `columns` is undefined. */
export interface Width {
  readonly columns: number | undefined;
  /** Number of spaces before every line but the first, which is already indented. */
  readonly indent: number;
}

/** Minimum width of a column of text. */
const LEAST_COLUMNS = 20;

/** Wraps text between words. A word that is longer than a line is not broken. */
export function wrapText(text: string, { columns, indent }: Width): string {
  if (columns === undefined) return text;
  const room = Math.max(columns - indent, LEAST_COLUMNS);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}

/** Formats a name and its description in two columns, or below each other if the terminal is narrow. */
export function formatEntry(
  [name, text]: readonly [name: string, text: string],
  width: number,
  columns: number | undefined,
): string {
  const beside = 2 + width + 2;
  if (columns === undefined || columns - beside >= LEAST_COLUMNS * 2)
    return `  ${name.padEnd(width)}  ${wrapText(text, { columns, indent: beside })}`;
  const below = 10;
  return `  ${name}\n${' '.repeat(below)}${wrapText(text, { columns, indent: below })}`;
}
