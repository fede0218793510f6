import type { Readable } from 'node:stream';
import { HARMFUL_CHARACTERS } from '../../base/harmful-characters.ts';
import type { Outlet } from '../../transport/stdio/protect-stdout.ts';

/** What a command talks to. Given from outside, so that tests can be one. */
export interface Terminal {
  /** Results: what a script reads. */
  readonly out: (text: string) => void;
  /** Everything that is said about them. */
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** How wide results may be; undefined where nobody looks at them. */
  readonly columns: number | undefined;
  /** Whether a person looks at what is said. */
  readonly isWatched: boolean;
  readonly paintOut: Paint;
  readonly paintErr: Paint;
  readonly readInput: () => Promise<string>;
  /** Asks the person in front of it for a line; undefined when there will be none. Only where there is a person. */
  readonly ask?: (question: string) => Promise<string | undefined>;
  /** Shows a line that the next one is written over; an empty one takes it away. Only where a line can be written over. */
  readonly status?: (text: string) => void;
  /** Standard output for messages of the protocol, where it is kept for them and for results. */
  readonly outlet?: Outlet;
  /** Where the messages of a server on standard input come from. Default: standard input itself. */
  readonly incoming?: Readable;
  /** How this very program is started: Node, and the file. */
  readonly program?: readonly [node: string, file: string];
}

/** Colours, or none. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
}

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

/** Colours where they are wanted. */
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

/** What a server says must not move the cursor or change the colours of whoever reads it. */
export function harmless(text: string): string {
  return text.replaceAll(HARMFUL_CHARACTERS, '');
}

/** The same, for what has one line of its own. Characters that are not text are left out. */
export function oneLine(text: unknown): string {
  return typeof text === 'string' ? harmless(text).replaceAll(/[\t\n]/g, ' ') : '';
}

/** `1 tool`, `1,200 tools`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** JSON that says the same to a program, and does nothing to the terminal of a person. */
export function formatJson(value: object): string {
  return JSON.stringify(value, undefined, 2).replaceAll(
    HARMFUL_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
