import { modernRequest } from './mcp-requests.ts';
import { McpSocket, messagesOf } from './mcp-socket.ts';
import type { Json } from './mcp-socket.ts';

/** Results of a client that called repeatedly while others misbehaved. */
export interface Served {
  readonly answered: number;
  /** Failures. */
  readonly wrong: readonly string[];
  /** Response times, sorted. */
  readonly times: readonly number[];
}

/** A well-behaved client: calls the tool `echo`, one call after another, until it is stopped. */
export class OtherClient {
  readonly #socket: McpSocket;
  readonly #times: number[] = [];
  readonly #wrong: string[] = [];
  readonly #running: Promise<void>;
  #isStopped = false;

  constructor(port: number) {
    this.#socket = new McpSocket(port);
    this.#running = this.#run();
  }

  get answered(): number {
    return this.#times.length;
  }

  async stop(): Promise<Served> {
    this.#isStopped = true;
    await this.#running;
    this.#socket.cut();
    return { answered: this.#times.length, wrong: this.#wrong, times: this.#times.sort((a, b) => a - b) };
  }

  async #run(): Promise<void> {
    for (let call = 0; !this.#isStopped && this.#wrong.length < 10; call += 1) {
      const text = `call ${call}`;
      const start = performance.now();
      const asked = { method: 'tools/call', params: { name: 'echo', arguments: { text } } };
      const reply = await this.#socket.ask(modernRequest(asked));
      if (reply?.status === 200 && said(reply.body) === text) this.#times.push(performance.now() - start);
      else
        this.#wrong.push(reply === undefined ? 'no answer' : `${reply.status} ${reply.body.slice(0, 200)}`);
      // As often as a busy client, less often than an attacker.
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    }
  }
}

function said(body: string): unknown {
  const result = messagesOf(body)[0]?.['result'] as { readonly content?: readonly Json[] } | undefined;
  return result?.content?.[0]?.['text'];
}

/** The 99th percentile of sorted times. */
export function p99(times: readonly number[]): number {
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN;
}
