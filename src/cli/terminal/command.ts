import type { Terminal } from './terminal.ts';

/** One option of a command. */
export interface Flag {
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  /** What stands for its value in the help. */
  readonly value?: string;
  readonly isMultiple?: boolean;
  readonly description: string;
  /** The heading that it stands under in the help. Default: "Options". */
  readonly group?: string;
}

/** What a command was called with. */
export interface CommandCall {
  readonly terminal: Terminal;
  readonly positionals: readonly string[];
  readonly flags: Readonly<Record<string, boolean | readonly string[] | string | undefined>>;
  /** What stood behind `--`: a command that starts a server. */
  readonly command: readonly string[];
}

/** One command. */
export interface Command {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** What may stand behind its name. */
  readonly usage: readonly string[];
  readonly details?: string;
  /** Whether a command that starts a server may stand behind `--`. */
  readonly takesCommand?: boolean;
  readonly flags: Readonly<Record<string, Flag>>;
  /** A line that works, and what it does. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** Gives the exit code. */
  readonly run: (call: CommandCall) => Promise<number>;
}

/** The exit codes; `docs/cli.md` and the help show the same, and a test compares them. */
export const EXIT_CODES = {
  ok: { code: 0, when: 'everything went well' },
  failed: { code: 1, when: 'the tool, the prompt or the check that was asked for failed' },
  usage: { code: 2, when: 'the command line is wrong' },
  unavailable: { code: 3, when: 'the server could not be loaded or reached' },
} as const;

/** The command line is wrong: said with how it would be right. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** What is left over was meant for something, and must not be ignored. */
export function refuseMore(words: readonly string[], max: number, hint: string): void {
  const extra = words[max];
  if (extra !== undefined) throw new UsageError(`There is a word too many: "${extra}". ${hint}`);
}

/** A flag that is a text. */
export function textFlag({ flags }: CommandCall, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

/** A flag that may be given several times. */
export function textFlags({ flags }: CommandCall, name: string): readonly string[] {
  const value = flags[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** A flag that is a whole number. */
export function numberFlag(call: CommandCall, name: string): number | undefined {
  const text = textFlag(call, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} takes a whole number; it got "${text}".`);
  return Number(text);
}

/** A flag that is a number of milliseconds. */
export function durationFlag(call: CommandCall, name: string): number | undefined {
  const ms = numberFlag(call, name);
  if (ms === 0) throw new UsageError(`--${name} takes milliseconds, at least 1; it got "0".`);
  return ms;
}
