import { existsSync, realpathSync } from 'node:fs';
import { systemClock } from '../../base/time/clock.ts';
import { withinTime } from '../../base/time/within-time.ts';
import { protectStdout } from '../../transport/stdio/protect-stdout.ts';
import { createAsk } from './ask-line.ts';
import { canWriteOver, createStatusLine } from './status-line.ts';
import { createPaint } from './terminal.ts';
import type { Terminal } from './terminal.ts';

/** A terminal whose process ends when a command has. */
export interface ProcessTerminal extends Terminal {
  /** Resolves when the results are written, however slowly somebody reads them, and what was said about them. */
  readonly flush: () => Promise<void>;
}

/** Who starts a server need not read what it says; nobody waits for them any longer. */
const LAST_WORDS_MS = 1000;

/**
 * The terminal of this process. From then on standard output has nothing but results and messages on it: whatever is loaded to be served or
 * tried out may print something, and that goes to standard error. It is not given back: the process ends with its command.
 */
export function processTerminal(): ProcessTerminal {
  const { stdin, stderr, env } = process;
  const { isTTY, columns } = process.stdout;
  const { output } = protectStdout();
  // Whoever read what is said may be gone, as whoever read the results.
  stderr.on('error', () => {});
  const say = (text: string): void => void stderr.write(text);
  const paintErr = createPaint(wantsColours(stderr.isTTY, env));
  const program = findProgram();
  // Not until standard output is empty: what a server sent over it is waited for elsewhere, and not for ever.
  let written: Promise<void> = Promise.resolve();
  return {
    out: (text) => {
      written = new Promise((resolve) => output.write(`${text}\n`, resolve));
    },
    err: (text) => say(`${text}\n`),
    env,
    cwd: process.cwd(),
    // Terminals that are none, such as that of "script" in a pipe, say that they have no width.
    columns: isTTY && columns > 0 ? columns : undefined,
    isWatched: stderr.isTTY,
    paintOut: createPaint(wantsColours(isTTY, env)),
    paintErr,
    readInput: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString('utf8');
    },
    ...(stdin.isTTY && stderr.isTTY ? { ask: createAsk(stdin, stderr) } : {}),
    ...(stderr.isTTY && canWriteOver(env)
      ? { status: createStatusLine({ write: say, columns: () => stderr.columns, paint: paintErr }) }
      : {}),
    outlet: output,
    ...(program === undefined ? {} : { program: [process.execPath, program] as const }),
    flush: async () => {
      await written;
      const said = new Promise<void>((resolve) => stderr.write('', () => resolve()));
      await withinTime(said, systemClock, LAST_WORDS_MS).catch(() => {});
    },
  };
}

/** The file behind the link that a package manager has made. */
function findProgram(): string | undefined {
  const [, file] = process.argv;
  return file !== undefined && existsSync(file) ? realpathSync(file) : undefined;
}

/** https://no-color.org and its counterpart; otherwise where a person looks. */
function wantsColours(isTerminal: boolean, { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true;
  return isTerminal && canWriteOver({ TERM });
}
