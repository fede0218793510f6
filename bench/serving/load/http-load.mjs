import { once } from 'node:events';
import { connect } from 'node:net';
import { AnswerReader } from './answer-reader.mjs';

/**
 * Requests over keep-alive connections, each with one request at a time. Every answer is looked at.
 *
 * @typedef {object} HttpLoadOptions
 * @property {number} port
 * @property {number} connections
 * @property {readonly import('../http-requests.mjs').HttpRequest[]} requests in a circle
 * @property {(answer: import('./answer-reader.mjs').Answer, request: import('../http-requests.mjs').HttpRequest) => void} check throws
 */

export class HttpLoad {
  #options;
  #sockets = [];
  #next = 0;
  #run;

  /** @param {HttpLoadOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /** New connections: a server closes idle ones. */
  async connect() {
    this.disconnect();
    for (let index = 0; index < this.#options.connections; index += 1) {
      const socket = connect({ port: this.#options.port, host: '127.0.0.1', noDelay: true });
      await once(socket, 'connect');
      const reader = new AnswerReader();
      const line = { socket, request: undefined };
      socket.on('data', (chunk) => {
        const answer = reader.push(chunk);
        if (answer !== undefined) this.#onAnswer(line, answer);
      });
      socket.on('close', () => {
        if (line.request !== undefined) this.#run?.fail(new Error('the server hung up'));
      });
      socket.on('error', (error) => this.#run?.fail(error));
      this.#sockets.push(line);
    }
  }

  disconnect() {
    for (const { socket } of this.#sockets) socket.destroy();
    this.#sockets = [];
  }

  /**
   * Runs for a time, or for a number of responses. Every connection gets one, if there are enough.
   *
   * @param {{ ms?: number, count?: number }} until
   * @returns {Promise<{ count: number, wallMs: number }>}
   */
  run({ ms = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY }) {
    return new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const lines = this.#sockets.slice(0, count);
      this.#run = {
        endsAt: startedAt + ms,
        left: count,
        open: lines.length,
        count: 0,
        finish: () => resolve({ count: this.#run.count, wallMs: performance.now() - startedAt }),
        isOver: false,
        fail: (error) => {
          this.#run.isOver = true;
          reject(error);
        },
      };
      for (const line of lines) this.#send(line);
      this.#stayAwake(this.#run);
    });
  }

  /**
   * A load generator that sleeps has to be woken up by the server's response, and the server pays for that; a fast server would keep it
   * awake. So it never sleeps.
   */
  #stayAwake(run) {
    if (run.open > 0 && run === this.#run && !run.isOver) setImmediate(() => this.#stayAwake(run));
  }

  #send(line) {
    const { requests } = this.#options;
    line.request = requests[this.#next];
    this.#next = (this.#next + 1) % requests.length;
    this.#run.left -= 1;
    line.socket.write(line.request.bytes);
  }

  #onAnswer(line, answer) {
    const run = this.#run;
    const { request } = line;
    line.request = undefined;
    try {
      this.#options.check(answer, request);
    } catch (error) {
      run.fail(error);
      return;
    }
    run.count += 1;
    if (run.left > 0 && performance.now() < run.endsAt) this.#send(line);
    else {
      run.open -= 1;
      if (run.open === 0) run.finish();
    }
  }
}
