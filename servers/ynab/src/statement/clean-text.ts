/**
 * Characters that a reader does not see: control, format, bidirectional and zero-width characters, and halves of surrogate pairs. They could hide
 * instructions to a model, or reverse the text that a person approves. Tabs and line feeds separate cells and rows.
 */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** The text of a file without invisible characters, with `\n` after each line. */
export function cleanText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(INVISIBLE, '');
}

/** The text of a cell on one line, without space around it. */
export function cleanCell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** A name for comparison: lower case, without accents and punctuation. `Sub-description` is `sub description`, `CAD$` is `cad`. */
export function normalizeName(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
