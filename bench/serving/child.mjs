import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onServerCore } from './processor.mjs';

/** Child processes that have not ended: all are ended when the benchmark fails. */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * @typedef {object} ChildOptions
 * @property {'http' | 'stdio'} [over]
 * @property {boolean} [hasChannel] Whether it can be asked things.
 * @property {readonly string[]} [flags] of Node
 */

/** A server in its own process. */
export class Child {
  process;
  port;
  /** The bearer token that its requests need, where it has such a thing. */
  token;
  #exited;

  /**
   * Starts one of `servers/`, without waiting for it.
   *
   * @param {string} file
   * @param {import('./servers/specification.mjs').Specification} specification
   * @param {ChildOptions} [options]
   */
  constructor(file, specification, { over = 'http', hasChannel = true, flags = [] } = {}) {
    const path = fileURLToPath(new URL(`./servers/${file}.mjs`, import.meta.url));
    const [command, ...args] = onServerCore([
      process.execPath,
      ...flags,
      path,
      JSON.stringify(specification),
    ]);
    const pipe = over === 'stdio' ? 'pipe' : 'ignore';
    this.process = spawn(command, args, {
      stdio: [pipe, pipe, 'inherit', ...(hasChannel ? ['ipc'] : [])],
      env: { ...process.env, NODE_ENV: 'production' },
    });
    this.process.stdin?.on('error', () => {});
    running.add(this.process);
    this.#exited = once(this.process, 'exit');
    this.process.on('exit', () => running.delete(this.process));
  }

  /** Starts a server and waits until it listens. */
  static async start(file, specification, options) {
    const child = new Child(file, specification, options);
    const { port, token } = await child.#next();
    child.port = port;
    child.token = token;
    return child;
  }

  get pid() {
    return this.process.pid;
  }

  /**
   * @param {string} what one of the questions in `servers/control.mjs`
   * @param {object} [more]
   */
  async ask(what, more = {}) {
    const answered = this.#next();
    this.process.send({ ask: what, ...more });
    const { value, failed } = await answered;
    if (failed !== undefined) throw new Error(failed);
    return value;
  }

  /** @returns {Promise<number>} CPU time so far, in microseconds. */
  async cpuUs() {
    const { user, system } = await this.ask('usage');
    return user + system;
  }

  /** Lets it end by itself, like a server over stdio. */
  async end() {
    this.process.stdin.end();
    await this.#exited;
  }

  async stop() {
    this.process.kill('SIGKILL');
    await this.#exited;
  }

  async #next() {
    const ended = this.#exited.then(([code]) => {
      throw new Error(`${this.process.spawnargs.join(' ')} ended with ${code}`);
    });
    const [message] = await Promise.race([once(this.process, 'message'), ended]);
    return message;
  }
}
