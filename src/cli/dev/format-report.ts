import { harmless } from '../terminal/terminal.ts';
import type { Paint } from '../terminal/terminal.ts';
import type { ErrorReport, ReportedError, SourceLines } from './error-report.ts';

/** Formats a report for a terminal: the error, the throwing line, the frames of the application, the causes. */
export function formatReport({ kind, name, reference, errors }: ErrorReport, paint: Paint): string {
  const about = `${kind} '${harmless(name)}'${reference === undefined ? '' : ` (reference ${reference})`}`;
  const parts = errors.flatMap((error, index) => formatError(error, { isCause: index > 0, paint }));
  return [`${paint.red('failed')} ${about}`, ...parts].join('\n');
}

function formatError(
  { head, members, frames, others, source }: ReportedError,
  { isCause, paint }: { readonly isCause: boolean; readonly paint: Paint },
): string[] {
  const [first, ...rest] = frames;
  const left = others === 0 ? [] : [`    … ${others} more in Node, packages and toolwright`];
  return [
    paint.bold(indent(harmless(isCause ? `Caused by ${head}` : head))),
    ...(members === undefined ? [] : [paint.dim(indent(harmless(members)))]),
    ...(first === undefined ? [] : [harmless(first)]),
    ...(source === undefined ? [] : formatSource(source, paint)),
    ...[...rest.map(harmless), ...left].map(paint.dim),
  ];
}

/** Formats source lines, with a mark at the throwing line and column. */
function formatSource({ line, column, lines }: SourceLines, paint: Paint): string[] {
  const width = String(lines.at(-1)?.number ?? line).length;
  return lines.flatMap(({ number, text }) => {
    const shown = `${String(number).padStart(width)} | ${harmless(text)}`.trimEnd();
    if (number !== line) return [paint.dim(`      ${shown}`)];
    // Tabs are kept, so that the mark is in the right column.
    const space = text.slice(0, column - 1).replaceAll(/[^\t]/g, ' ');
    return [`    ${paint.red('>')} ${shown}`, paint.red(`      ${' '.repeat(width)} | ${space}^`)];
  });
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
