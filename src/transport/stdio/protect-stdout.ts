import { Writable } from 'node:stream';

/** Standard output for messages alone. */
export interface ProtectedStdout {
  /** Writes to the real standard output. */
  readonly output: Writable;
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
  stdout.write = redirect;
  const output = new Writable({
    decodeStrings: false,
    // The real one decides how much may wait.
    highWaterMark: stdout.writableHighWaterMark,
    write(chunk: string, _encoding, done) {
      original.call(stdout, chunk, 'utf8', done);
    },
  });
  const onError = (error: Error): void => void output.destroy(error);
  stdout.on('error', onError);
  return {
    output,
    restore: () => {
      stdout.off('error', onError);
      // Whoever replaced it after us keeps it.
      if (stdout.write === redirect) stdout.write = original;
    },
  };
}
