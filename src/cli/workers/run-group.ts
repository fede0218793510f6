import { randomBytes } from 'node:crypto';
import { isatty } from 'node:tty';
import { systemClock } from '../../base/time/clock.ts';
import { EXIT_CODES } from '../terminal/command.ts';
import { harmless } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { startClusterWorker } from './cluster-worker.ts';
import { WorkerFailure, WorkerGroup } from './worker-group.ts';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const STDERR = 2;

/** Serves with several workers until a signal arrives. SIGHUP replaces the workers. Returns the exit code. */
export async function runGroup(count: number, terminal: Terminal): Promise<number> {
  const { err, paintErr, program, isWatched } = terminal;
  // Encrypts the request state of all workers that have no requestStateKeys.
  const secret = randomBytes(32).toString('base64url');
  let end: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  const group = new WorkerGroup({
    count,
    clock: systemClock,
    startWorker: () => startClusterWorker(program?.[1], secret),
    say: (colour, what, text) => err(`${paintErr[colour](what)} ${harmless(text)}`),
    onGivenUp: (code) => end(code),
  });
  const onHangUp = (): void => {
    // The terminal was closed, which also sends this signal.
    if (isWatched && !isatty(STDERR)) end(EXIT_CODES.ok.code);
    else void group.replaceAll();
  };
  const onStop = (): void => {
    // A second signal ends this process immediately, and with it the channels of the workers.
    for (const signal of STOP_SIGNALS) process.off(signal, onStop);
    end(EXIT_CODES.ok.code);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onStop);
  process.on('SIGHUP', onHangUp);
  try {
    const begun = await Promise.race([group.begin(), ended]);
    if (typeof begun !== 'number') {
      for (const remark of begun.remarks) err(`${paintErr.yellow('openapi')} ${remark}`);
      const workers = `${count} ${count === 1 ? 'worker' : 'workers'}`;
      err(`${paintErr.green('serving')} ${begun.name} ${begun.version} with ${workers} at ${begun.url}`);
      if (begun.tryLine !== undefined) err(paintErr.dim(`Try it: ${begun.tryLine}`));
    }
    const code = await ended;
    err('Shutting down \u2026');
    await group.close();
    return code;
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error;
    err(`${paintErr.red('error')} ${harmless(error.message)}`);
    return error.code;
  } finally {
    process.off('SIGHUP', onHangUp);
    for (const signal of STOP_SIGNALS) process.off(signal, onStop);
  }
}
