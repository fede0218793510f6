import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Faults of a network. `half-open`: connections are accepted and stay open, and nothing arrives. `reset`: connections end with RST.
 * `trickle`: replies arrive at one byte per second.
 */
export type Fault =
  | { readonly kind: 'none' | 'half-open' | 'reset' | 'trickle' }
  | { readonly kind: 'latency'; readonly ms: number };

/** Forwards TCP connections on 127.0.0.1 to a port, with faults that can be changed at any time. */
export class FaultProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #fault: Fault = { kind: 'none' };
  /** Number of bytes that clients have sent. */
  sentBytes = 0;
  /** Number of scripts that clients have run, also of those that did not arrive. */
  sentScripts = 0;

  private constructor(target: number) {
    this.#server = createServer((client) => this.#accept(client, target));
  }

  static async start(target: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Changes the fault, also of open connections. */
  set(fault: Fault): void {
    this.#fault = fault;
    if (fault.kind === 'reset') for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(client: Socket, target: number): void {
    if (this.#fault.kind === 'reset') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (chunk: Buffer) => {
      this.sentBytes += chunk.length;
      this.sentScripts += chunk.toString('latin1').split('EVALSHA').length - 1;
      this.#forward(chunk, upstream);
    });
    // Chunks stay in order: each waits for the one before it.
    let tail = Promise.resolve();
    upstream.on('data', (chunk: Buffer) => {
      tail = tail.then(() => this.#forwardReply(chunk, client));
    });
  }

  #forward(chunk: Buffer, to: Socket): void {
    if (this.#fault.kind !== 'half-open' && !to.destroyed) to.write(chunk);
  }

  async #forwardReply(chunk: Buffer, client: Socket): Promise<void> {
    if (this.#fault.kind === 'latency') await delay(this.#fault.ms);
    for (
      let sent = 0;
      this.#fault.kind === 'trickle' && sent < chunk.length && !client.destroyed;
      sent += 1
    ) {
      client.write(chunk.subarray(sent, sent + 1));
      chunk = chunk.subarray(sent + 1);
      sent = -1;
      await delay(1000);
    }
    this.#forward(chunk, client);
  }
}
