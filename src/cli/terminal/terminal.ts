import type { Readable } from 'node:stream';
import { HARMFUL_CHARACTERS } from '../../base/harmful-characters.ts';
import type { Outlet } from '../../transport/stdio/protect-stdout.ts';

/** Input and output of a command. Injected, so that tests can replace it. */
export interface Terminal {
  /** Writes results to standard output. */
  readonly out: (text: string) => void;
  /** Writes messages to standard error. */
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Width of standard output in columns; undefined if it is not a terminal. */
  readonly columns: number | undefined;
  /** Whether standard error is a terminal. */
  readonly isWatched: boolean;
  readonly paintOut: Paint;
  readonly paintErr: Paint;
  readonly readInput: () => Promise<string>;
  /** Prompts for a line; resolves with undefined at the end of the input. Only in a terminal. */
  readonly ask?: (question: string) => Promise<string | undefined>;
  /** Shows a status line, which the next one overwrites; an empty string removes it. Only in a terminal that supports it. */
  readonly status?: (text: string) => void;
  /** Standard output for protocol messages, if it is protected from other output. */
  readonly outlet?: Outlet;
  /** Source of the messages for a server on standard input and output. Default: standard input. */
  readonly incoming?: Readable;
  /** The running program: the path of Node, and that of the script. */
  readonly program?: readonly [node: string, file: string];
}

/** Functions that colour text, or return it unchanged. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
}

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

export function createPaint(hasColours: boolean): Paint {
  const paint =
    ([on, off]: readonly [number, number]) =>
    (text: string): string =>
      hasColours && text !== '' ? `\u001B[${on}m${text}\u001B[${off}m` : text;
  return {
    bold: paint(CODES.bold),
    dim: paint(CODES.dim),
    red: paint(CODES.red),
    green: paint(CODES.green),
    yellow: paint(CODES.yellow),
  };
}

/** Removes control characters, so that text of a server cannot move the cursor or change colours. */
export function harmless(text: string): string {
  return text.replaceAll(HARMFUL_CHARACTERS, '');
}

/** Like {@link harmless}, but on one line; an empty string for anything but a string. */
export function oneLine(text: unknown): string {
  return typeof text === 'string' ? harmless(text).replaceAll(/[\t\n]/g, ' ') : '';
}

/** `1 tool`, `1,200 tools`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Serializes to JSON with control characters escaped, so that it is safe to print in a terminal. */
export function formatJson(value: object): string {
  return JSON.stringify(value, undefined, 2).replaceAll(
    HARMFUL_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
