import type { MaybePromise } from '../../schema/validated.ts';
import { startOf } from '../../stores/event-store.ts';
import type { EventStore } from '../../stores/event-store.ts';
import type { StreamSink } from './http-message.ts';

/** How long a client waits before it comes back. */
const RETRY_MS = 1000;

/** One message as an event. */
export function toEvent(message: string, id?: string): string {
  return id === undefined ? `data: ${message}\n\n` : `id: ${id}\ndata: ${message}\n\n`;
}

/** A comment: shows that a stream is alive. */
export const ALIVE = ': alive\n\n';

/**
 * A stream of events that outlives its connection: what is written while nobody is connected waits for the client to come back, in
 * order and once. Writes follow one another, because a store may take its time.
 */
export class EventStream {
  readonly id: string;
  readonly #store: EventStore;
  readonly #isPrimed: boolean;
  #sink: StreamSink | undefined;
  /** The last event that was handed to a connection. */
  #seen: string;
  #tail: Promise<void> = Promise.resolve();
  #isFinished = false;

  /** `isPrimed`: whether the stream begins with an event to come back to, which clients before 2025-11-25 would not understand. */
  constructor(id: string, store: EventStore, isPrimed: boolean) {
    this.id = id;
    this.#store = store;
    this.#isPrimed = isPrimed;
    this.#seen = startOf(id);
  }

  /** Whether somebody is connected. */
  get isConnected(): boolean {
    return this.#sink !== undefined;
  }

  /** Whether the last message was written. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Connects a client that begins, or comes back after an event it has seen. Whoever was connected before is let go. */
  attach(sink: StreamSink, lastEventId?: string): Promise<void> {
    return this.#enqueue(async () => {
      this.#sink?.end();
      this.#sink = sink;
      const from = lastEventId ?? this.#seen;
      if (this.#isPrimed && lastEventId === undefined)
        await sink.write(`id: ${from}\nretry: ${RETRY_MS}\ndata: \n\n`);
      for (const { id, message } of (await this.#store.after(from)) ?? []) {
        this.#seen = id;
        await sink.write(toEvent(message, id));
      }
      if (this.#isFinished) this.#end();
    });
  }

  /** The connection is gone; what is written from now on waits. */
  detach(sink: StreamSink): void {
    if (this.#sink === sink) this.#sink = undefined;
  }

  write(message: string): Promise<void> {
    return this.#enqueue(async () => {
      const id = await this.#keep(message);
      if (this.#sink === undefined) return;
      this.#seen = id ?? this.#seen;
      await this.#sink.write(toEvent(message, id));
    });
  }

  /** Shows that the stream is alive. */
  ping(): MaybePromise<void> {
    return this.#sink?.write(ALIVE);
  }

  /** Lets the connection go; the client may come back for the rest. */
  release(): Promise<void> {
    return this.#enqueue(async () => this.#end());
  }

  /** There is nothing more to come. */
  finish(): Promise<void> {
    return this.#enqueue(async () => {
      this.#isFinished = true;
      this.#end();
    });
  }

  /** Forgets everything. */
  drop(): void {
    this.#isFinished = true;
    this.#end();
    void this.#store.drop(this.id);
  }

  /** A store that fails costs the client the way back, not the message. */
  async #keep(message: string): Promise<string | undefined> {
    try {
      return await this.#store.append(this.id, message);
    } catch {
      return undefined;
    }
  }

  #end(): void {
    this.#sink?.end();
    this.#sink = undefined;
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    // What fails here must not keep what follows from being written.
    this.#tail = this.#tail.then(work).catch(() => {});
    return this.#tail;
  }
}
