import { INLINE_URI } from '../../openapi/document/document-uri.ts';
import { formatTable } from '../terminal/table.ts';
import { countOf, harmless, oneLine } from '../terminal/terminal.ts';
import type { Paint, Terminal } from '../terminal/terminal.ts';
import type { Survey, SurveyedDocument, SurveyedOperation } from './survey.ts';

/** Options for printing a survey. */
export interface ShowOptions {
  /** Whether operations that are left out are listed; otherwise only their number is printed. */
  readonly listsLeftOut: boolean;
}

/** Prints the output of `--dry-run`: a table for each document, and the totals. */
export function showSurvey(survey: Survey, terminal: Terminal, options: ShowOptions): void {
  const { out, paintOut: paint } = terminal;
  for (const document of survey.documents) {
    for (const line of [...formatDocument(document, terminal, options), '']) out(line);
  }
  for (const line of formatTotals(survey, paint)) out(line);
}

function formatDocument(
  document: SurveyedDocument,
  { paintOut: paint, columns }: Terminal,
  { listsLeftOut }: ShowOptions,
): string[] {
  const { name, title, apiVersion, openapi } = document;
  const operations = document.operations.filter(({ outcome }) => listsLeftOut || outcome !== 'left-out');
  const leftOut = document.operations.length - operations.length;
  const called = name === null ? '' : `${oneLine(name)}: `;
  const about = `(OpenAPI ${openapi}, ${document.uri === INLINE_URI ? 'given inline' : oneLine(document.uri)})`;
  const head = `${called}${paint.bold(oneLine(title))} ${oneLine(apiVersion)} ${paint.dim(about)}`;
  if (document.operations.length === 0) return [head, '  The document has no operations.'];
  const rest =
    leftOut === 0 ? [] : [paint.dim(`  ${countOf(leftOut, 'operation')} left out (--verbose lists them)`)];
  if (operations.length === 0) return [head, ...rest];
  const rows = [
    ['operation', 'outcome', 'name', 'tokens', 'note'],
    ...operations.map((operation) => [
      oneLine(operation.key),
      operation.outcome,
      oneLine(operation.name ?? '-'),
      operation.tokens === null ? '-' : formatCount(operation.tokens),
      noteOf(operation),
    ]),
  ];
  const [titles = '', ...lines] = formatTable(alignRight(shorten(rows, columns), TOKENS), columns);
  return [
    head,
    paint.dim(titles),
    ...lines.map((line, index) => paintLine(line, operations[index]?.outcome ?? 'tool', paint)),
    ...rest,
  ];
}

/** The reason why an operation is not a tool, and the notes about it. */
function noteOf({ reason, notes }: SurveyedOperation): string {
  return [...(reason === undefined ? [] : [reason]), ...notes].map((note) => oneLine(note)).join(' \u00B7 ');
}

function paintLine(line: string, outcome: SurveyedOperation['outcome'], paint: Paint): string {
  if (outcome === 'refused') return paint.red(line);
  return outcome === 'left-out' ? paint.dim(line) : line;
}

const [OPERATION, NAME, TOKENS] = [0, 2, 3] as const;
/** Maximum share of the width for each column, which leaves room for the note. */
const SHARE = { [OPERATION]: 0.34, [NAME]: 0.26 } as const;
const MIN_CELL = 16;

/** Cuts long paths and names in a terminal, which leaves room for the notes. */
function shorten(rows: readonly (readonly string[])[], columns: number | undefined): string[][] {
  return rows.map((row) =>
    row.map((cell, index) => {
      if (columns === undefined || (index !== OPERATION && index !== NAME)) return cell;
      const room = Math.max(MIN_CELL, Math.floor(columns * SHARE[index]));
      return cell.length <= room ? cell : `${cell.slice(0, room - 1)}\u2026`;
    }),
  );
}

function alignRight(rows: readonly string[][], index: number): string[][] {
  const width = Math.max(...rows.map((row) => row[index]?.length ?? 0));
  return rows.map((row) => row.map((cell, at) => (at === index ? cell.padStart(width) : cell)));
}

function formatTotals({ documents, totals, notes }: Survey, paint: Paint): string[] {
  const { operations, tools, resources, refused, leftOut, tokens } = totals;
  const counts = [
    countOf(operations, 'operation'),
    countOf(tools, 'tool'),
    ...(resources > 0 ? [countOf(resources, 'resource')] : []),
    `${formatCount(refused)} refused`,
    `${formatCount(leftOut)} left out`,
  ];
  const costs = Object.entries(tokens).map(
    ([exposure, cost]: [string, number | null]) => `${exposure} ${cost === null ? '-' : formatCount(cost)}`,
  );
  const rows = [
    ['Operations', counts.join(', ')],
    ['Tool list (tokens)', costs.join(', ')],
    ...countLines(documents.flatMap((document) => document.operations.map(describeMissing))).map(
      ([line, count], index) => [
        index === 0 ? 'Missing credentials' : '',
        `${line} (${countOf(count, 'operation')})`,
      ],
    ),
    ...[...notes, ...documents.flatMap((document) => document.notes)].map((note, index) => [
      index === 0 ? 'Notes' : '',
      oneLine(note),
    ]),
  ];
  const width = Math.max(...rows.map(([name = '']) => name.length));
  return rows.map(([name = '', text = '']) => `${paint.bold(name.padEnd(width))}  ${harmless(text)}`);
}

function describeMissing({ missingCredentials }: SurveyedOperation): string {
  return missingCredentials.map((line) => oneLine(line)).join(', ');
}

/** Distinct lines with their counts, most frequent first. */
function countLines(lines: readonly string[]): (readonly [line: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const line of lines) if (line !== '') counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one);
}

/** `12,345` */
export function formatCount(count: number): string {
  return count.toLocaleString('en');
}
