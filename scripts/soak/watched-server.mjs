/** The server process of the soak, for its parent. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('./server.mjs', import.meta.url));

export class WatchedServer {
  #process;
  /** Its output on standard error. */
  complaints = '';

  /** Starts the server, or that of another file, with which a test disables defences. */
  static async start(file = SERVER) {
    const server = new WatchedServer();
    server.#process = fork(file, [], {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    server.#process.stderr.on('data', (chunk) => {
      server.complaints = (server.complaints + String(chunk)).slice(-10_000);
    });
    const { port } = await server.#hear('port');
    server.url = `http://127.0.0.1:${port}/mcp`;
    return server;
  }

  /** Its memory after garbage collection, and its running work. */
  sample() {
    const heard = this.#hear('heapUsed');
    this.#process.send('sample');
    return heard;
  }

  /** Closes the server within a time. Returns how it ended. */
  async close(withinMs) {
    const ended = once(this.#process, 'exit');
    this.#process.send('close');
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), withinMs);
    const [code, signal] = await ended;
    clearTimeout(timer);
    return `${code ?? signal}`;
  }

  #hear(key) {
    return new Promise((resolve, reject) => {
      const onExit = (code, signal) =>
        reject(new Error(`the server ended (${code ?? signal}): ${this.complaints}`));
      const onMessage = (message) => {
        if (!(key in message)) return;
        this.#process.off('message', onMessage).off('exit', onExit);
        resolve(message);
      };
      this.#process.on('message', onMessage).on('exit', onExit);
    });
  }
}
