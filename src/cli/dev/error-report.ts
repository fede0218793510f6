import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { describeThrown } from '../../errors/describe-thrown.ts';
import type { ErrorContext } from '../../errors/error-handler.ts';
import { redactSecrets } from '../../errors/sanitize.ts';

/** A failed call, as the worker sends it to the process with the terminal. */
export interface ErrorReport {
  readonly kind: string;
  readonly name: string;
  readonly reference: string | undefined;
  /** The error, then its causes. */
  readonly errors: readonly ReportedError[];
}

/** One error of a report. */
export interface ReportedError {
  /** Name and message. */
  readonly head: string;
  /** Its other members, such as a code. */
  readonly members: string | undefined;
  /** Frames in files of the application. */
  readonly frames: readonly string[];
  /** Number of frames outside the application. */
  readonly others: number;
  /** The source lines around the throwing line. */
  readonly source: SourceLines | undefined;
}

/** Some lines of a file. */
export interface SourceLines {
  readonly line: number;
  readonly column: number;
  readonly lines: readonly { readonly number: number; readonly text: string }[];
}

/** Folders for a report. */
export interface ReportOptions {
  /** Base folder of the paths in a report. */
  readonly cwd: string;
  /** The folder of the framework, whose frames are not shown. */
  readonly framework: string;
}

/** Maximum number of errors in a chain of causes, which may be cyclic. */
const MAX_ERRORS = 6;
const MAX_FRAMES = 12;
/** Number of lines shown before and after the throwing line. */
const LINES_AROUND = 2;
/** Maximum length of a source line; longer lines are usually minified code. */
const MAX_LINE = 200;

/** Creates the report of a failed call, with credentials redacted. Never throws. */
export function reportError(
  error: unknown,
  { tool, kind, reference }: ErrorContext & { readonly reference?: string },
  options: ReportOptions,
): ErrorReport {
  return {
    kind: kind ?? 'tool',
    name: tool,
    reference,
    errors: chainOf(error).map((each) => reportOne(each, options)),
  };
}

/** The error, the errors of an AggregateError, and its causes. */
function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  const waiting = [error];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (chain.length === MAX_ERRORS) break;
    if (chain.includes(next)) continue;
    chain.push(next);
    try {
      if (next instanceof AggregateError) waiting.push(...(next.errors as unknown[]));
      if (next instanceof Error && next.cause !== undefined) waiting.push(next.cause);
    } catch {
      // A getter of the thrown value may throw.
    }
  }
  return chain;
}

function reportOne(error: unknown, options: ReportOptions): ReportedError {
  const { name, message, stack } = describeOne(error);
  const lines = stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  const frames = lines.flatMap((line) => ownFrame(line, options) ?? []);
  const shown = frames.slice(0, MAX_FRAMES);
  const [first] = frames;
  return {
    head: redactSecrets(error instanceof Error ? `${name}: ${message}` : `Thrown (not an Error): ${message}`),
    members: membersOf(error),
    frames: shown.map(({ text }) => redactSecrets(text)),
    others: lines.length - shown.length,
    source: first === undefined ? undefined : readSource(first),
  };
}

/** Describes an error without its causes, which are reported separately. */
function describeOne(error: unknown): ReturnType<typeof describeThrown> {
  const { stack: _whole, ...described } = describeThrown(error);
  try {
    const { stack } = error as { stack?: unknown };
    return typeof stack === 'string' ? { ...described, stack } : described;
  } catch {
    return described;
  }
}

/** Own members of an error besides the standard ones, such as a code or a status. */
function membersOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  try {
    const own = Object.entries(Object.getOwnPropertyDescriptors(error)).filter(
      ([key, { enumerable, value }]) => enumerable === true && value !== undefined && key !== 'name',
    );
    if (own.length === 0) return undefined;
    const members = Object.fromEntries(own.map(([key, { value }]) => [key, value as unknown]));
    return redactSecrets(inspect(members, { depth: 2, breakLength: 100, customInspect: false }));
  } catch {
    return undefined;
  }
}

interface Frame {
  readonly text: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A frame of the application; undefined for one of Node, of a package, or of the framework. */
function ownFrame(line: string, { cwd, framework }: ReportOptions): Frame | undefined {
  const found = /^(?<before>\s+at (?:.*\()?(?:async )?)(?<place>[^()]+):(?<line>\d+):(?<column>\d+)\)?$/.exec(
    line,
  );
  const { before = '', place = '', line: row = '', column = '' } = found?.groups ?? {};
  const file = toPath(place);
  if (file === undefined || file.startsWith(framework) || file.includes(`${sep}node_modules${sep}`))
    return undefined;
  const shown = relative(cwd, file);
  const where = `${shown.startsWith('..') ? file : shown}:${row}:${column}`;
  const text = `${before}${where}${before.endsWith('(') ? ')' : ''}`;
  return { text, file, line: Number(row), column: Number(column) };
}

function toPath(place: string): string | undefined {
  try {
    if (place.startsWith('file:')) return fileURLToPath(place);
  } catch {
    return undefined;
  }
  return place.includes(sep) && !place.startsWith('node:') ? place : undefined;
}

function readSource({ file, line, column }: Frame): SourceLines | undefined {
  try {
    const all = readFileSync(file, 'utf8').split(/\r?\n/);
    if (line > all.length) return undefined;
    const from = Math.max(1, line - LINES_AROUND);
    const lines = all
      .slice(from - 1, line + LINES_AROUND)
      .map((text, index) => ({ number: from + index, text: text.slice(0, MAX_LINE) }));
    return { line, column, lines };
  } catch {
    // The file does not exist.
    return undefined;
  }
}
