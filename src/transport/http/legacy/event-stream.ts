import { isPromiseLike } from '../../../base/maybe-promise.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { startOf } from '../../../stores/event-store.ts';
import type { EventStore, StoredEvent } from '../../../stores/event-store.ts';
import type { MemoryAccount } from '../../../base/memory/memory-budget.ts';
import { nextTurn } from '../../../base/next-turn.ts';
import { weighText } from '../../../base/memory/weigh.ts';
import { withinTime } from '../../../base/time/within-time.ts';
import type { StreamSink } from '../message/http-message.ts';

/** How long a client waits before it comes back. */
const RETRY_MS = 1000;

/** One message as an event. */
export function toEvent(message: string, id?: string): string {
  return id === undefined ? `data: ${message}\n\n` : `id: ${id}\ndata: ${message}\n\n`;
}

/** A comment: shows that a stream is alive. */
export const ALIVE = ': alive\n\n';

/** A store that takes longer has nothing: clients wait for their answers, not for it. */
// defence: time-of-the-event-store
const STORE_MS = 2000;

/** What a stream is made of. */
export interface EventStreamOptions {
  readonly id: string;
  readonly store: EventStore;
  readonly clock: Clock;
  /** Whether the stream begins with an event to come back to, which clients before 2025-11-25 would not understand. */
  readonly isPrimed: boolean;
  /** Whose it is. */
  readonly owner: string;
  /** What waits to be written counts there. */
  readonly account: MemoryAccount;
}

/** A message that the next one with the same key replaces. */
interface Report {
  readonly message: string;
  readonly key: unknown;
  /** Taken from the account. */
  readonly bytes: number;
}

/**
 * A stream of events that outlives its connection: what is written while nobody is connected waits for the client to come back, in
 * order and once. Writes follow one another, because a store may take its time.
 */
export class EventStream {
  readonly id: string;
  readonly #store: EventStore;
  readonly #clock: Clock;
  readonly #isPrimed: boolean;
  readonly #owner: string;
  readonly #account: MemoryAccount;
  #sink: StreamSink | undefined;
  /** Connections that ended before they got their turn. */
  readonly #gone = new WeakSet<StreamSink>();
  /** The last event that was handed to a connection. */
  #seen: string;
  #tail: Promise<void> = Promise.resolve();
  #isFinished = false;
  /** Whether the connection has not taken yet what it was given. */
  #isStuck = false;
  /** The last report while nobody is connected. */
  #report: Report | undefined;
  /** Whether the store was waited for in vain: once is enough, or every message would have to wait. */
  #isStoreLost = false;

  constructor({ id, store, clock, isPrimed, owner, account }: EventStreamOptions) {
    this.#owner = owner;
    this.#account = account;
    this.id = id;
    this.#store = store;
    this.#clock = clock;
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

  /** Connects a client that begins, or comes back after an event it has seen. Whoever was connected before is let go at once. */
  attach(sink: StreamSink, lastEventId?: string): Promise<void> {
    // Outside of the queue: what waits there may be waiting for just this connection.
    this.#letGo();
    return this.#enqueue(async () => {
      if (this.#gone.has(sink)) return;
      this.#letGo();
      this.#sink = sink;
      await this.#keepReport();
      // defence: events-already-seen
      const from = lastEventId ?? this.#seen;
      if (this.#isPrimed && lastEventId === undefined)
        await this.#send(sink, `id: ${from}\nretry: ${RETRY_MS}\ndata: \n\n`);
      for (const { id, message } of await this.#missedSince(from)) {
        this.#seen = id;
        await this.#send(sink, toEvent(message, id));
      }
      if (this.#isFinished) this.#end();
    });
  }

  /** The connection is gone; what is written from now on waits. */
  detach(sink: StreamSink): void {
    this.#gone.add(sink);
    if (this.#sink === sink) this.#sink = undefined;
  }

  /** Writes a message. If there is no memory for it to wait, `instead` is written; without one, the connection is cut. */
  write(message: string, instead?: string): Promise<void> {
    const bytes = weighText(message);
    if (!this.#account.take(bytes)) {
      if (instead !== undefined) return this.write(instead);
      this.#sink?.cut();
      return Promise.resolve();
    }
    return this.#enqueue(async () => {
      this.#account.give(bytes);
      await this.#write(message);
    }).then(this.#yield);
  }

  /** Writes a message that the next one with the same key replaces, if nobody has connected by then. */
  report(message: string, key: unknown): Promise<void> {
    const bytes = weighText(message);
    if (!this.#account.take(bytes)) return this.write(message);
    return this.#enqueue(async () => {
      if (this.#report?.key === key) this.#forgetReport();
      if (this.#sink === undefined && !this.#isFinished) {
        await this.#keepReport();
        this.#report = { message, key, bytes };
        return;
      }
      this.#account.give(bytes);
      await this.#write(message);
    }).then(this.#yield);
  }

  async #write(message: string): Promise<void> {
    if (this.#isFinished) return;
    await this.#keepReport();
    const id = await this.#keep(message);
    if (this.#sink === undefined) return;
    this.#seen = id ?? this.#seen;
    await this.#send(this.#sink, toEvent(message, id));
  }

  /** While nobody is connected there is nothing to wait for. A handler that writes in a loop would block all others. */
  readonly #yield = (): MaybePromise<void> => (this.#sink === undefined ? nextTurn() : undefined);

  /** Keeps the last report for a client that comes back. */
  async #keepReport(): Promise<void> {
    const report = this.#forgetReport();
    if (report !== undefined) await this.#keep(report.message);
  }

  #forgetReport(): Report | undefined {
    const report = this.#report;
    this.#report = undefined;
    if (report !== undefined) this.#account.give(report.bytes);
    return report;
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
      await this.#keepReport();
      this.#isFinished = true;
      this.#end();
    });
  }

  /** Forgets everything. */
  drop(): void {
    this.#isFinished = true;
    this.#forgetReport();
    this.#end();
    void this.#ask(() => this.#store.drop(this.id));
  }

  async #missedSince(eventId: string): Promise<readonly StoredEvent[]> {
    return (await this.#ask(() => this.#store.after(eventId))) ?? [];
  }

  #keep(message: string): Promise<string | undefined> {
    return this.#ask(() => this.#store.append(this.id, message, this.#owner));
  }

  /** A store that fails or takes too long costs the client the way back, not the message. */
  async #ask<TValue>(run: () => MaybePromise<TValue>): Promise<TValue | undefined> {
    if (this.#isStoreLost) return undefined;
    try {
      const answer = run();
      return isPromiseLike(answer) ? await withinTime(answer, this.#clock, STORE_MS) : answer;
    } catch (error) {
      this.#isStoreLost ||= (error as Partial<Error> | undefined)?.name === 'TimeoutError';
      return undefined;
    }
  }

  async #send(sink: StreamSink, event: string): Promise<void> {
    this.#isStuck = true;
    await sink.write(event);
    this.#isStuck = false;
  }

  /** Ends the connection; one that does not read would never come to its end. */
  #letGo(): void {
    if (this.#isStuck) this.#sink?.cut();
    else this.#sink?.end();
    this.#sink = undefined;
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
