import { existsSync, realpathSync } from 'node:fs';
import { systemClock } from '../../base/time/clock.ts';
import { withinTime } from '../../base/time/within-time.ts';
import { protectStdout } from '../../transport/stdio/protect-stdout.ts';
import { createAsk } from './ask-line.ts';
import { canWriteOver, createStatusLine } from './status-line.ts';
import { createPaint } from './terminal.ts';
import type { Terminal } from './terminal.ts';

/** The terminal of this process. */
export interface ProcessTerminal extends Terminal {
  /** Resolves when all results are written, however slow the reader; waits for standard error only briefly. */
  readonly flush: () => Promise<void>;
}

/** Maximum time to wait for standard error: a client that starts a server may never read it. */
const LAST_WORDS_MS = 1000;

/**
 * Creates the terminal of this process. From then on only results and protocol messages reach standard output; output of loaded modules
 * goes to standard error. The redirection is never undone, because the process ends with its command.
 */
export function processTerminal(): ProcessTerminal {
  const { stdin, stderr, env } = process;
  const { isTTY, columns } = process.stdout;
  const { output } = protectStdout();
  // The reader of standard error may have closed it.
  stderr.on('error', () => {});
  const say = (text: string): void => void stderr.write(text);
  const paintErr = createPaint(wantsColours(stderr.isTTY, env));
  const program = findProgram();
  // Only the results: the stdio transport waits for its own messages, with a timeout.
  let written: Promise<void> = Promise.resolve();
  return {
    out: (text) => {
      written = new Promise((resolve) => output.write(`${text}\n`, resolve));
    },
    err: (text) => say(`${text}\n`),
    env,
    cwd: process.cwd(),
    // Pseudo-terminals, such as that of "script" in a pipe, report a width of 0.
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
      await withinTime(said, { clock: systemClock, ms: LAST_WORDS_MS }).catch(() => {});
    },
  };
}

/** The file of this program, with the symbolic link of the package manager resolved. */
function findProgram(): string | undefined {
  const [, file] = process.argv;
  return file !== undefined && existsSync(file) ? realpathSync(file) : undefined;
}

/** NO_COLOR (https://no-color.org) and FORCE_COLOR win; otherwise colours are for terminals. */
function wantsColours(isTerminal: boolean, { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true;
  return isTerminal && canWriteOver({ TERM });
}
