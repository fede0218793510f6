import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One forwarded request. */
export interface Hop {
  readonly method: string;
  readonly node: number;
  readonly isResumed: boolean;
}

/** A proxy that sends every request to the next of several servers. */
export class RoundRobin implements AsyncDisposable {
  readonly hops: Hop[] = [];
  readonly #ports: readonly number[];
  readonly #server = createServer((asked, answer) => this.#forward(asked, answer));
  #next = 0;
  #streams = 0;
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  private constructor(ports: readonly number[]) {
    this.#ports = ports;
  }

  static async start(ports: readonly number[]): Promise<RoundRobin> {
    const proxy = new RoundRobin(ports);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  /** Waits until so many GET requests have been answered with a stream. */
  async opened(count: number): Promise<void> {
    if (this.#streams >= count) return;
    await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }));
  }

  /** Sends the next request to this server. */
  turnTo(node: number): void {
    this.#next = node;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #forward(asked: IncomingMessage, answer: ServerResponse): void {
    const node = this.#next % this.#ports.length;
    this.#next = node + 1;
    const { method = 'GET', url: path, headers } = asked;
    this.hops.push({ method, node, isResumed: headers['last-event-id'] !== undefined });
    const sent = request(
      { host: '127.0.0.1', port: this.#ports[node], method, path, headers },
      (answered) => {
        answer.writeHead(answered.statusCode ?? 502, answered.headers);
        answer.flushHeaders();
        if (method === 'GET') this.#countStream();
        answered.on('error', () => answer.destroy());
        answered.pipe(answer);
      },
    );
    sent.on('error', () => answer.destroy());
    answer.on('close', () => sent.destroy());
    asked.pipe(sent);
  }

  #countStream(): void {
    this.#streams += 1;
    for (const { count, resolve } of this.#waiting) if (this.#streams >= count) resolve();
  }
}
