import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Time without data after which held replies are forwarded. */
const QUIET_MS = 15;

/** Commands of connections that wait for events. */
const READS_EVENTS = /\r\nX(?:READ|REVRANGE)\r\n/i;

/**
 * Forwards connections to Redis, and counts round trips that follow each other. Replies are held until no more commands are sent, and are then
 * forwarded together. So a command that needs a reply is sent in a later round trip than the command with this reply, on a machine of any
 * speed. A busy machine can count more round trips than there are, but never fewer.
 */
export class TripProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #held: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isCounting = false;
  /** Whether a command was sent since replies were forwarded. */
  #isOpen = false;
  #trips = 0;

  private constructor(target: number) {
    this.#server = createServer((client) => this.#accept(client, target));
  }

  static async start(target: number): Promise<TripProxy> {
    const proxy = new TripProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Whether commands wait for their replies. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The number of round trips that have ended when the action has. */
  async count(action: () => Promise<unknown>): Promise<number> {
    this.#trips = 0;
    this.#isOpen = false;
    this.#isCounting = true;
    try {
      await action();
      return this.#trips;
    } finally {
      this.#isCounting = false;
      this.#isOpen = false;
      this.#forward();
    }
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(client: Socket, target: number): void {
    const redis = connect(target, '127.0.0.1');
    for (const socket of [client, redis]) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        redis.destroy();
      });
    }
    let readsEvents = false;
    client.on('data', (chunk: Buffer) => {
      readsEvents ||= READS_EVENTS.test(chunk.toString('latin1'));
      redis.write(chunk);
      if (!this.#isCounting || readsEvents) return;
      this.#isOpen = true;
      this.#wait();
    });
    redis.on('data', (chunk: Buffer) => {
      if (!this.#isCounting || readsEvents) return void client.write(chunk);
      this.#held.push(() => client.write(chunk));
      this.#wait();
    });
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#forward(), QUIET_MS);
  }

  #forward(): void {
    clearTimeout(this.#timer);
    if (this.#held.length === 0) return;
    if (this.#isOpen) this.#trips += 1;
    this.#isOpen = false;
    for (const forward of this.#held.splice(0)) forward();
  }
}
