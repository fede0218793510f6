import { assertCall } from './checks.mjs';

/** Calls over the standard input of a process, with a fixed number in flight. Every response is checked. */
export class StdioLoad {
  #who;
  #child;
  #messages;
  #byId;
  #next = 0;
  #rest = '';
  #run;

  /**
   * @param {string} who
   * @param {import('node:child_process').ChildProcess} child
   * @param {readonly import('../messages.mjs').Message[]} messages in a circle
   */
  constructor(who, child, messages) {
    this.#who = who;
    this.#child = child;
    this.#messages = messages;
    this.#byId = new Map(messages.map((message) => [message.id, message]));
    child.stdout.setEncoding('latin1');
    child.stdout.on('data', (chunk) => this.#onData(chunk));
    child.on('exit', (code) => this.#run?.fail(new Error(`${who} ended with ${code}`)));
  }

  /**
   * @param {{ ms: number, inFlight: number }} options
   * @returns {Promise<{ count: number, wallMs: number }>}
   */
  run({ ms, inFlight }) {
    return new Promise((resolve, reject) => {
      const startedAt = performance.now();
      this.#run = {
        endsAt: startedAt + ms,
        open: inFlight,
        count: 0,
        finish: () => resolve({ count: this.#run.count, wallMs: performance.now() - startedAt }),
        fail: reject,
      };
      this.#send(inFlight);
    });
  }

  #send(count) {
    let text = '';
    for (let index = 0; index < count; index += 1) {
      text += `${this.#messages[this.#next].text}\n`;
      this.#next = (this.#next + 1) % this.#messages.length;
    }
    this.#child.stdin.write(text, 'latin1');
  }

  #onData(chunk) {
    const run = this.#run;
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop();
    try {
      for (const line of lines) {
        const message = JSON.parse(line);
        assertCall(this.#who, message, this.#byId.get(message.id) ?? { id: undefined });
      }
    } catch (error) {
      run.fail(error);
      return;
    }
    run.count += lines.length;
    // All completed calls are sent again in one write: the client must not be slower than the server it measures.
    if (performance.now() < run.endsAt) this.#send(lines.length);
    else {
      run.open -= lines.length;
      if (run.open === 0) run.finish();
    }
  }
}
