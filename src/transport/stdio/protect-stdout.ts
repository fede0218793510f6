import type { Writable } from 'node:stream';

/** What messages are written to. */
export interface Outlet {
  readonly destroyed: boolean;
  readonly writableLength: number;
  /** Says whether more may be written at once; otherwise there will be a `drain`. */
  write(text: string, done?: () => void): boolean;
  /** Keeps what is written until `uncork`, which hands it on in one piece. */
  cork(): void;
  uncork(): void;
  on(event: 'close' | 'drain' | 'error', listener: () => void): unknown;
  off(event: 'close' | 'drain' | 'error', listener: () => void): unknown;
}

/** Standard output for messages alone. */
export interface ProtectedStdout {
  /** The real standard output. */
  readonly output: Outlet;
  /** Gives it back. */
  restore(): void;
}

/**
 * Keeps standard output for messages: a `console.log` in some library would break the connection. What anybody else writes there goes to
 * standard error instead, where people look for it.
 */
export function protectStdout(): ProtectedStdout {
  const { stdout, stderr } = process;
  // oxlint-disable-next-line typescript/unbound-method -- called with its stream below
  const original = stdout.write;
  const redirect: typeof stdout.write = (...args: unknown[]) =>
    (stderr.write as (...rest: unknown[]) => boolean)(...args);
  // defence: guard-of-stdout
  stdout.write = redirect;
  // Also when nobody serves any more: that whoever read it has gone must not end the process.
  stdout.on('error', ignore);
  return {
    output: new RealStdout(stdout, original),
    restore: () => {
      // What the last write came to is only heard of in the next turn.
      // defence: last-write
      setImmediate(() => stdout.off('error', ignore));
      // Whoever replaced it after us keeps it.
      if (stdout.write === redirect) stdout.write = original;
    },
  };
}

function ignore(): void {}

/** Writes past whatever stands in the way of others. No stream of its own: that would do everything twice for every message. */
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
    // Not what it returned: somebody may have put a function of their own in its place, which need not say it.
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
