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

/** Reconnection time that is sent to clients. */
const RETRY_MS = 1000;

/** Encodes a message as an event. */
export function toEvent(message: string, id?: string): string {
  return id === undefined ? `data: ${message}\n\n` : `id: ${id}\ndata: ${message}\n\n`;
}

/** Keep-alive comment. */
export const ALIVE = ': alive\n\n';

/** Timeout of the event store: clients wait for responses, not for the store. */
// defence: time-of-the-event-store
const STORE_MS = 2000;

/** Options of an event stream. */
export interface EventStreamOptions {
  readonly id: string;
  readonly store: EventStore;
  readonly clock: Clock;
  /** Whether the stream begins with an empty event to resume from; clients before 2025-11-25 do not support it. */
  readonly isPrimed: boolean;
  /** Digest of the owner, for the store. */
  readonly owner: () => Promise<string>;
  /** Memory account of messages that wait to be written. */
  readonly account: MemoryAccount;
  /** Called when a message was stored, or the stream has ended, without a connection: a client of another node may read the stream. */
  readonly onKept?: ((stream: EventStream) => void) | undefined;
  /** Whether several nodes write to the stream. Messages are then sent in the order of the store. */
  readonly isJoint?: boolean;
  /** Whether a message of another node is the last one of the stream. */
  readonly isLast?: ((message: string) => boolean) | undefined;
}

/** A message that the next one with the same key replaces. */
interface Report {
  readonly message: string;
  readonly key: unknown;
  /** Bytes taken from the memory account. */
  readonly bytes: number;
}

/**
 * A stream of events that outlives its connection. Messages written without a connection are kept for the client to resume, in order and
 * once. Writes are sequential, because the store may be asynchronous.
 */
export class EventStream {
  readonly id: string;
  readonly #store: EventStore;
  readonly #clock: Clock;
  readonly #isPrimed: boolean;
  readonly #owner: EventStreamOptions['owner'];
  readonly #account: MemoryAccount;
  readonly #onKept: EventStreamOptions['onKept'];
  readonly #isJoint: boolean;
  readonly #isLast: EventStreamOptions['isLast'];
  #sink: StreamSink | undefined;
  /** Connections that ended while they were queued. */
  readonly #gone = new WeakSet<StreamSink>();
  /** Id of the last event that was written to a connection. */
  #seen: string;
  /** Whether the store may have messages of the stream. */
  #isStored: boolean;
  #tail: Promise<void> = Promise.resolve();
  #isFinished = false;
  /** Whether the connection has not yet read what was written. */
  #isStuck = false;
  /** The last report without a connection. */
  #report: Report | undefined;
  /** Whether the store has timed out. It is not called again, or every message would wait for it. */
  #isStoreLost = false;
  /** Whether a client of another node reads the stream. */
  #isReadElsewhere = false;

  constructor(options: EventStreamOptions) {
    const { id, store, clock, isPrimed, owner, account, onKept, isJoint = false } = options;
    this.#onKept = onKept;
    this.#isJoint = isJoint;
    this.#isStored = isJoint;
    this.#isLast = options.isLast;
    this.#owner = owner;
    this.#account = account;
    this.id = id;
    this.#store = store;
    this.#clock = clock;
    this.#isPrimed = isPrimed;
    this.#seen = startOf(id);
  }

  /** Whether a client is connected. */
  get isConnected(): boolean {
    return this.#sink !== undefined;
  }

  /** Whether the last message was written. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Connects a client, new or resuming after an event. The previous connection is closed immediately. */
  attach(sink: StreamSink, lastEventId?: string): Promise<void> {
    // Outside of the queue: queued writes may be waiting for this connection.
    this.#letGo();
    return this.#enqueue(async () => {
      if (this.#gone.has(sink)) return;
      this.#letGo();
      this.#sink = sink;
      this.#isReadElsewhere = false;
      await this.#keepReport();
      // defence: events-already-seen
      const from = lastEventId ?? this.#seen;
      if (this.#isPrimed && lastEventId === undefined)
        await this.#send(sink, `id: ${from}\nretry: ${RETRY_MS}\ndata: \n\n`);
      await this.#sendMissed(sink, from);
      if (this.#isFinished) this.#end();
    });
  }

  /** Sends what other nodes have stored, and ends the connection if they have finished the stream. */
  catchUp(isFinished: boolean): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#sink !== undefined) await this.#sendMissed(this.#sink, this.#seen);
      this.#isFinished ||= isFinished;
      if (this.#isFinished) this.#end();
    });
  }

  /** Ends the connection with a message that is not stored: the node that writes the stream has stopped. */
  giveUp(message: string | undefined): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#sink !== undefined && message !== undefined) await this.#send(this.#sink, toEvent(message));
      this.#end();
    });
  }

  /** Skips stored messages: the client has received them from other nodes. */
  skipStored(): Promise<void> {
    return this.#enqueue(async () => {
      this.#seen = (await this.#missedSince(this.#seen))?.at(-1)?.id ?? this.#seen;
    });
  }

  /** Closes the connection, because the client reads the stream at another node. */
  readElsewhere(): Promise<void> {
    this.#letGo();
    return this.#enqueue(async () => {
      this.#letGo();
      this.#isReadElsewhere = true;
      await this.#keepReport();
      this.#onKept?.(this);
    });
  }

  /** Removes a closed connection; later messages are kept. */
  detach(sink: StreamSink): void {
    this.#gone.add(sink);
    if (this.#sink === sink) this.#sink = undefined;
  }

  /** Writes a message. If there is no memory to keep it, writes `instead`; without `instead`, closes the connection. */
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

  /** Writes a message that the next one with the same key replaces until a client connects. */
  report(message: string, key: unknown): Promise<void> {
    const bytes = weighText(message);
    if (!this.#account.take(bytes)) return this.write(message);
    return this.#enqueue(async () => {
      if (this.#report?.key === key) this.#forgetReport();
      if (this.#sink === undefined && !this.#isFinished && !this.#isReadElsewhere) {
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
    if (this.#sink === undefined) return this.#onKept?.(this);
    if (this.#isJoint && id !== undefined) return this.#sendMissed(this.#sink, this.#seen);
    this.#seen = id ?? this.#seen;
    await this.#send(this.#sink, toEvent(message, id));
  }

  async #sendMissed(sink: StreamSink, from: string): Promise<void> {
    const missed = await this.#missedSince(from);
    // A later message of another node follows this event, also if nothing was missed.
    if (this.#isJoint && missed !== undefined) this.#seen = from;
    for (const { id, message } of missed ?? []) {
      this.#seen = id;
      await this.#send(sink, toEvent(message, id));
      this.#isFinished ||= this.#isLast?.(message) === true;
    }
  }

  /** Yields to the event loop without a connection: a handler that writes in a loop would block all others. */
  readonly #yield = (): MaybePromise<void> => (this.#sink === undefined ? nextTurn() : undefined);

  /** Stores the last report for a client that resumes. */
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

  /** Sends a keep-alive comment. */
  ping(): MaybePromise<void> {
    return this.#sink?.write(ALIVE);
  }

  /** Closes the connection; the client may resume. */
  release(): Promise<void> {
    return this.#enqueue(async () => this.#end());
  }

  /** Ends the stream. */
  finish(): Promise<void> {
    return this.#enqueue(async () => {
      await this.#keepReport();
      this.#isFinished = true;
      const isRead = this.isConnected;
      this.#end();
      if (!isRead) this.#onKept?.(this);
    });
  }

  /** Drops the stream and its stored events. */
  drop(): void {
    this.#isFinished = true;
    this.#forgetReport();
    this.#end();
    void this.#ask(() => this.#store.drop(this.id));
  }

  #missedSince(eventId: string): MaybePromise<readonly StoredEvent[] | undefined> {
    // defence: nothing-stored-nothing-missed
    if (!this.#isStored) return undefined;
    return this.#ask(() => this.#store.after(eventId));
  }

  async #keep(message: string): Promise<string | undefined> {
    const owner = await this.#owner();
    this.#isStored = true;
    return this.#ask(() => this.#store.append(this.id, message, owner));
  }

  /** Calls the store. If it fails or times out, the message is sent but cannot be resumed. */
  async #ask<TValue>(run: () => MaybePromise<TValue>): Promise<TValue | undefined> {
    if (this.#isStoreLost) return undefined;
    try {
      const answer = run();
      return isPromiseLike(answer) ? await withinTime(answer, { clock: this.#clock, ms: STORE_MS }) : answer;
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

  /** Ends the connection. One that does not read is closed without waiting. */
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
    // A failure must not block later writes.
    this.#tail = this.#tail.then(work).catch(() => {});
    return this.#tail;
  }
}
