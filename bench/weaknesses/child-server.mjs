import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isWithin } from './time.mjs';

/** One of `servers/` in its own process. */
export class ChildServer {
  port = 0;
  /** Standard output: over stdio, the messages. */
  stdout = '';

  /**
   * @param {{ file: string, args?: readonly string[] }} app
   */
  constructor({ file, args = [] }) {
    const path = (name) => fileURLToPath(new URL(name, import.meta.url));
    this.process = fork(path(`servers/${file}`), args, {
      execArgv: ['--import', path('companion.mjs')],
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    });
    let stderr = '';
    this.process.stderr.on('data', (chunk) => {
      stderr = `${stderr}${chunk}`.slice(-2000);
    });
    this.process.stdout.on('data', (chunk) => {
      this.stdout += chunk;
    });
    // A server that closes its input during a write is a finding, not an error of this script.
    this.process.stdin.on('error', () => {});
    this.ended = once(this.process, 'exit').then(([code, signal]) => ({ code, signal, stderr }));
  }

  /** Waits until a server over HTTP listens. */
  async listens() {
    const ended = this.ended.then(({ code, stderr }) => {
      throw new Error(`the server ended with ${code}: ${stderr}`);
    });
    this.port = (await Promise.race([this.hear('port'), ended])).port;
    ended.catch(() => {});
  }

  get isAlive() {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Waits for a message that has the key. */
  hear(key) {
    return new Promise((resolve) => {
      const listener = (message) => {
        if (!(key in message)) return;
        this.process.off('message', listener);
        resolve(message);
      };
      this.process.on('message', listener);
    });
  }

  /** Peak memory. */
  async peakBytes() {
    const told = this.hear('peakBytes');
    this.process.send('peak');
    return (await told).peakBytes;
  }

  /** Waits until standard output matches, or the process has ended; returns whether it matches. */
  async hasPrinted(pattern, limitMs) {
    await isWithin(limitMs, () => pattern.test(this.stdout) || !this.isAlive);
    return pattern.test(this.stdout);
  }

  async stop() {
    if (!this.isAlive) return;
    this.process.kill('SIGKILL');
    await this.ended;
  }
}
