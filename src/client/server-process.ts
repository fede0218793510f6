import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { systemClock } from '../base/time/clock.ts';
import type { Clock } from '../base/time/clock.ts';

/** How long a server has to leave after its input has ended. */
const GRACE_MS = 3000;
/** And after it was told to. */
const TERM_MS = 2000;
/** What it wrote before it ended is still on its way; but somebody else may hold its output open for ever. */
const LAST_WORDS_MS = 1000;
/** So much of what it said is shown when it fails. */
const MAX_SAID = 2000;

/** Elsewhere it would mean a window of its own. */
const HAS_GROUPS = process.platform !== 'win32';

/** How a process ended. */
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
 * A server that a command started. It has a group of its own, with everything that the command starts: a shell in between would end, and
 * leave the server behind.
 */
export class ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves when it has ended and what it wrote was read. */
  readonly ended: Promise<Ending>;
  readonly #clock: Clock;
  /** Nobody holds its output any more. */
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
    // Whoever does not read any more is about to end, which is heard of elsewhere.
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

  /** The last of what it said on standard error. */
  get said(): string {
    return this.#said.trim();
  }

  /** Resolves once it has ended, or after the time in which one that ends is heard of. */
  async settle(): Promise<void> {
    await this.#within(this.ended, LAST_WORDS_MS);
  }

  /** Ends it: by ending its input, then by asking it to, then by force. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  /** The same, for whoever is in a hurry. */
  stop(): Promise<void> {
    this.#kill('SIGTERM');
    return this.end();
  }

  async #end(): Promise<void> {
    const { child } = this;
    if (child.pid === undefined) return;
    child.stdin.end();
    await this.#within(this.ended, GRACE_MS);
    // Also when the command itself has ended: what it started may not have.
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
      // Nobody is left.
    }
  }

  /** Whether it happened in time. */
  #within(event: Promise<unknown>, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#clock.schedule(() => resolve(false), ms);
      void event.then(() => {
        cancel();
        resolve(true);
      });
    });
  }
}
