import { hash } from '../../../base/hash.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { EventStore } from '../../../stores/event-store.ts';
import { streamOf } from '../../../stores/event-store.ts';
import type { MemoryAccount } from '../../../base/memory/memory-budget.ts';
import { createId } from '../../../base/random-id.ts';
import { LegacySession } from '../../../wire/sessions/legacy-session.ts';
import type { Handshake } from '../../../wire/served/handshake.ts';
import type { Served } from '../../../wire/served/served.ts';
import { EventStream } from './event-stream.ts';
import type { StreamSink } from '../message/http-message.ts';

/** Maximum number of finished responses kept for a client that resumes. */
const MAX_FINISHED = 32;

/** Parts of a session. */
export interface HttpSessionParts {
  readonly handshake: Handshake;
  readonly owner: string;
  readonly store: EventStore;
  /** Memory account of messages that wait to be written. */
  readonly account: MemoryAccount;
  /** Returns the quota of the session. */
  readonly release: () => void;
}

/** Session of a client of an earlier revision over HTTP. */
export class HttpSession {
  readonly id: string;
  /** Key of the owner. For other callers the session does not exist. */
  readonly owner: string;
  readonly legacy: LegacySession;
  /** Stream of messages that belong to no request. */
  readonly #standalone: EventStream;
  readonly #streams = new Map<string, EventStream>();
  readonly #store: EventStore;
  readonly #clock: Clock;
  readonly #account: MemoryAccount;
  readonly #giveBack: () => void;
  #digest: Promise<string> | undefined;
  lastSeen: number;
  /** Number of running requests. */
  active = 0;

  constructor(served: Served, parts: HttpSessionParts) {
    this.id = createId();
    this.owner = parts.owner;
    this.#giveBack = parts.release;
    this.#store = parts.store;
    this.#clock = served.clock;
    this.lastSeen = served.clock.now();
    this.#account = parts.account;
    this.#standalone = this.#newStream(parts.handshake.revision.hasPriming);
    this.legacy = new LegacySession(served, parts.handshake, (message) => this.#standalone.write(message));
  }

  /** Whether the session has a running request or an open stream. */
  get isBusy(): boolean {
    return this.active > 0 || this.#standalone.isConnected;
  }

  /** Opens the stream of a response. */
  openStream(): EventStream {
    const stream = this.#newStream(this.legacy.revision.hasPriming);
    this.#streams.set(stream.id, stream);
    this.#forgetFinished();
    return stream;
  }

  /** Stream of messages that belong to no request, or to a request whose connection is closed. */
  get standalone(): EventStream {
    return this.#standalone;
  }

  /** The stream that a client opens or resumes. */
  findStream(lastEventId: string | undefined): EventStream {
    const found = lastEventId === undefined ? undefined : this.#streams.get(streamOf(lastEventId));
    return found ?? this.#standalone;
  }

  /** Connects a client to a stream. */
  attach(sink: StreamSink, lastEventId: string | undefined): EventStream {
    const stream = this.findStream(lastEventId);
    // defence: events-of-own-streams
    const isKnown = lastEventId !== undefined && streamOf(lastEventId) === stream.id;
    void stream.attach(sink, isKnown ? lastEventId : undefined);
    return stream;
  }

  /** Closes the connection of the standalone stream. */
  release(): void {
    void this.#standalone.release();
  }

  close(reason: string): void {
    this.#giveBack();
    this.legacy.close(reason);
    for (const stream of [this.#standalone, ...this.#streams.values()]) stream.drop();
    this.#streams.clear();
  }

  /** A digest, because a store outside of this process must not see principals. Created on first use. */
  readonly #ownerInStore = (): Promise<string> => (this.#digest ??= hash(this.owner));

  #newStream(isPrimed: boolean): EventStream {
    return new EventStream({
      id: createId(),
      store: this.#store,
      clock: this.#clock,
      isPrimed,
      owner: this.#ownerInStore,
      account: this.#account,
    });
  }

  #forgetFinished(): void {
    const finished = Array.from(this.#streams.values()).filter((stream) => stream.isFinished);
    for (const stream of finished.slice(0, Math.max(0, finished.length - MAX_FINISHED))) {
      stream.drop();
      this.#streams.delete(stream.id);
    }
  }
}
