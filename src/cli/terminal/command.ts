import type { Terminal } from './terminal.ts';

/** One option of a command. */
export interface Flag {
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  /** Placeholder of its value in the help. */
  readonly value?: string;
  readonly isMultiple?: boolean;
  readonly description: string;
  /** Heading of its section in the help. Default: "Options". */
  readonly group?: string;
}

/** The parsed command line. */
export interface CommandCall {
  readonly terminal: Terminal;
  readonly positionals: readonly string[];
  readonly flags: Readonly<Record<string, boolean | readonly string[] | string | undefined>>;
  /** The words after `--`: a command that starts a server. */
  readonly command: readonly string[];
}

/** One command. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Usage lines, without the name of the command. */
  readonly usage: readonly string[];
  readonly details?: string;
  /** Whether the command accepts, after `--`, a command that starts a server. */
  readonly takesCommand?: boolean;
  readonly flags: Readonly<Record<string, Flag>>;
  /** Command lines with their descriptions. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** Returns the exit code. */
  readonly run: (call: CommandCall) => Promise<number>;
}

/** Exit codes. A test compares them with `docs/cli.md`. */
export const EXIT_CODES = {
  ok: { code: 0, when: 'success' },
  failed: { code: 1, when: 'the tool, the prompt, the resource or the check failed' },
  usage: { code: 2, when: 'the command line is invalid' },
  unavailable: { code: 3, when: 'the server could not be loaded or reached' },
} as const;

/** The command line is invalid. The message says how to correct it. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Rejects arguments beyond the maximum number: ignoring them would hide a mistake. */
export function refuseMore(words: readonly string[], max: number, hint: string): void {
  const extra = words[max];
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}". ${hint}`);
}

/** The value of a string flag. */
export function textFlag({ flags }: CommandCall, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

/** The values of a flag that may be repeated. */
export function textFlags({ flags }: CommandCall, name: string): readonly string[] {
  const value = flags[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** The value of a flag that is a whole number. */
export function numberFlag(call: CommandCall, name: string): number | undefined {
  const text = textFlag(call, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number; received "${text}".`);
  return Number(text);
}

/** The value of a flag in milliseconds. */
export function durationFlag(call: CommandCall, name: string): number | undefined {
  const ms = numberFlag(call, name);
  if (ms === 0) throw new UsageError(`--${name} must be at least 1 (milliseconds); received "0".`);
  return ms;
}
