/** Where to break lines: not at all where nobody knows how wide the terminal is. */
export interface Width {
  readonly columns: number | undefined;
  /** Before every line but the first, which begins at the same place. */
  readonly indent: number;
}

/** Less is no column of text any more. */
const LEAST_COLUMNS = 20;

/** Breaks a text between words, so that every line ends before the terminal does. A longer word has a line of its own. */
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

/** Two columns: what something is called, and what it does. Where the first takes too much room, the second is below it. */
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
