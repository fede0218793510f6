import type { Writable } from 'node:stream';

/** Stream that messages are written to. */
export interface Outlet {
  readonly destroyed: boolean;
  readonly writableLength: number;
  /** Returns whether more can be written immediately; otherwise `drain` follows. */
  write(text: string, done?: () => void): boolean;
  /** Buffers writes until `uncork`, which writes them in one go. */
  cork(): void;
  uncork(): void;
  on(event: 'close' | 'drain' | 'error', listener: () => void): unknown;
  off(event: 'close' | 'drain' | 'error', listener: () => void): unknown;
}

/** Standard output, reserved for messages. */
export interface ProtectedStdout {
  /** The real standard output. */
  readonly output: Outlet;
  /** Restores standard output. */
  restore(): void;
}

/**
 * Reserves standard output for messages: a `console.log` in a library would corrupt the protocol stream. Other output is redirected to
 * standard error.
 */
export function protectStdout(): ProtectedStdout {
  const { stdout, stderr } = process;
  // oxlint-disable-next-line typescript/unbound-method -- called with its stream below
  const original = stdout.write;
  const redirect: typeof stdout.write = (...args: unknown[]) =>
    (stderr.write as (...rest: unknown[]) => boolean)(...args);
  // defence: guard-of-stdout
  stdout.write = redirect;
  // Also after serving has ended: a broken pipe must not end the process.
  stdout.on('error', ignore);
  return {
    output: new RealStdout(stdout, original),
    restore: () => {
      // An error of the last write is emitted in the next turn.
      // defence: last-write
      setImmediate(() => stdout.off('error', ignore));
      // Keeps a replacement that was installed later.
      if (stdout.write === redirect) stdout.write = original;
    },
  };
}

function ignore(): void {}

/** Writes directly to standard output, bypassing the redirection. Not a stream of its own: that would do everything twice for every message. */
class RealStdout implements Outlet {
  readonly #stdout: Writable;
  readonly #write: Writable['write'];

  constructor(stdout: Writable, write: Writable['write']) {
    this.#stdout = stdout;
    this.#write = write;
  }

  get destroyed(): boolean {
    return this.#stdout.destroyed;
  }

  get writableLength(): number {
    return this.#stdout.writableLength;
  }

  write(text: string, done?: () => void): boolean {
    this.#write.call(this.#stdout, text, 'utf8', done);
    // Not the return value of `write`: it may have been replaced by a function that returns something else.
    return !this.#stdout.writableNeedDrain;
  }

  cork(): void {
    this.#stdout.cork();
  }

  uncork(): void {
    this.#stdout.uncork();
  }

  on(event: 'close' | 'drain' | 'error', listener: () => void): this {
    this.#stdout.on(event, listener);
    return this;
  }

  off(event: 'close' | 'drain' | 'error', listener: () => void): this {
    this.#stdout.off(event, listener);
    return this;
  }
}
