import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { systemClock } from '../base/time/clock.ts';
import type { Clock } from '../base/time/clock.ts';
import { withinTime } from '../base/time/within-time.ts';

/** Time for the server to exit after its input has ended. */
const GRACE_MS = 3000;
/** Time for the server to exit after SIGTERM. */
const TERM_MS = 2000;
/** Time to read remaining output after the exit; another process may keep the pipe open. */
const LAST_WORDS_MS = 1000;
/** Maximum number of characters of standard error in a message. */
const MAX_SAID = 2000;

/** Whether process groups exist. On Windows, `detached` would open a console window. */
const HAS_GROUPS = process.platform !== 'win32';

/** The reason why a process ended. */
export interface Ending {
  readonly reason: string;
  readonly cause?: Error;
}

/** Options of {@link ServerProcess}. */
export interface ServerProcessOptions {
  readonly cwd?: string;
  readonly clock?: Clock;
}

/**
 * A server that was started by a command. It runs in its own process group, so that the children of a shell are ended too.
 */
export class ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves when the process has ended and its output was read. */
  readonly ended: Promise<Ending>;
  readonly #clock: Clock;
  /** Resolves when its output is closed. */
  readonly #closed: Promise<void>;
  #said = '';
  #ending: Promise<void> | undefined;

  constructor([command, ...args]: readonly [string, ...string[]], options: ServerProcessOptions = {}) {
    const { cwd, clock = systemClock } = options;
    this.#clock = clock;
    this.child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: HAS_GROUPS,
      ...(cwd === undefined ? {} : { cwd }),
    });
    // A process that has closed its input is about to end, which "exit" reports.
    this.child.stdin.on('error', () => {});
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#said = `${this.#said}${text}`.slice(-MAX_SAID);
    });
    this.#closed = new Promise((resolve) => {
      this.child.once('close', () => resolve());
    });
    this.ended = new Promise((resolve) => {
      this.child.once('error', (cause: NodeJS.ErrnoException) =>
        resolve({ reason: `it cannot be started (${cause.code ?? cause.message})`, cause }),
      );
      this.child.once('exit', (code, signal) => {
        const reason =
          code === null ? `it was ended by ${signal ?? 'a signal'}` : `it ended with code ${code}`;
        void this.#within(this.#closed, LAST_WORDS_MS).then(() => resolve({ reason }));
      });
    });
  }

  /** The last output on standard error. */
  get said(): string {
    return this.#said.trim();
  }

  /** Resolves when the process has ended, or after a short time. */
  async settle(): Promise<void> {
    await this.#within(this.ended, LAST_WORDS_MS);
  }

  /** Ends the process: closes its input, then sends SIGTERM, then SIGKILL. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  /** Like {@link end}, but sends SIGTERM immediately. */
  stop(): Promise<void> {
    this.#kill('SIGTERM');
    return this.end();
  }

  async #end(): Promise<void> {
    const { child } = this;
    if (child.pid === undefined) return;
    child.stdin.end();
    await this.#within(this.ended, GRACE_MS);
    // Even if the command has ended: its children may still run.
    this.#kill('SIGTERM');
    if (!(await this.#within(this.#closed, TERM_MS))) this.#kill('SIGKILL');
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  }

  #kill(signal: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      if (HAS_GROUPS) process.kill(-pid, signal);
      else this.child.kill(signal);
    } catch {
      // No process is left.
    }
  }

  /** Whether a promise resolved in time. */
  #within(event: Promise<unknown>, ms: number): Promise<boolean> {
    return withinTime(event, { clock: this.#clock, ms }).then(
      () => true,
      () => false,
    );
  }
}
