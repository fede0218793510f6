import { createTwoFilesPatch } from 'diff';
import { toUnixLines } from './text-files.ts';

/** Replaces `oldText`, or the lines that differ from it in white space only. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

/** Applies edits one after the other; throws for one that does not match. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduce((edited, edit) => {
    const oldText = toUnixLines(edit.oldText);
    const newText = toUnixLines(edit.newText);
    if (edited.includes(oldText)) return edited.replace(oldText, () => newText);
    const replaced = replaceLines(edited.split('\n'), oldText.split('\n'), newText.split('\n'));
    if (replaced === undefined) throw new Error(`Could not find exact match for edit:\n${edit.oldText}`);
    return replaced.join('\n');
  }, text);
}

/** A unified diff in a block of Markdown, with a fence that does not occur in it. */
export function formatDiff(path: string, before: string, after: string): string {
  const diff = createTwoFilesPatch(path, path, before, after, 'original', 'modified');
  let fence = '```';
  while (diff.includes(fence)) fence += '`';
  return `${fence}diff\n${diff}${fence}\n\n`;
}

/** Replaces the first lines that are equal except for surrounding white space. The new lines get the same indentation. */
function replaceLines(
  lines: readonly string[],
  oldLines: readonly string[],
  newLines: readonly string[],
): string[] | undefined {
  const first = lines.findIndex(
    (_, start) =>
      start + oldLines.length <= lines.length &&
      oldLines.every((line, index) => line.trim() === lines[start + index]?.trim()),
  );
  if (first === -1) return undefined;
  const indent = indentOf(lines[first]);
  const indented = newLines.map((line, index) => {
    if (index === 0) return indent + line.trimStart();
    const [before, after] = [indentOf(oldLines[index]).length, indentOf(line).length];
    return before > 0 && after > 0
      ? indent + ' '.repeat(Math.max(0, after - before)) + line.trimStart()
      : line;
  });
  return lines.toSpliced(first, oldLines.length, ...indented);
}

function indentOf(line = ''): string {
  return line.slice(0, line.length - line.trimStart().length);
}
