import { hash } from '../../../base/hash.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { EventStore } from '../../../stores/event-store.ts';
import { streamOf } from '../../../stores/event-store.ts';
import type { MemoryAccount } from '../../../base/memory/memory-budget.ts';
import { createId } from '../../../base/random-id.ts';
import type { RequestId } from '../../../wire/messages/json-rpc.ts';
import { LegacySession } from '../../../wire/sessions/legacy-session.ts';
import type { Begun, SessionPeers } from '../../../wire/sessions/legacy-session.ts';
import type { Served } from '../../../wire/served/served.ts';
import { EventStream } from './event-stream.ts';
import type { EventStreamOptions } from './event-stream.ts';
import { isResponse, toSharedStream } from './shared-stream.ts';
import type { StreamSink } from '../message/http-message.ts';
import type { StoredSession } from './session-records.ts';

/** Maximum number of finished responses kept for a client that resumes. */
const MAX_FINISHED = 32;

/** Parts of a session. */
export interface HttpSessionParts {
  readonly handshake: Begun;
  readonly owner: string;
  readonly store: EventStore;
  /** Memory account of messages that wait to be written. */
  readonly account: MemoryAccount;
  /** Returns the quota of the session. */
  readonly release: () => void;
  /** Undefined if this node alone serves the session. */
  readonly shared?: SharedParts | undefined;
}

/** Parts of a session that several nodes serve. */
export interface SharedParts extends StoredSession {
  readonly id: string;
  /** End of the session, in wall time. */
  readonly endsAt: number;
  readonly peers: SessionPeers;
  /** Called when the client may read a stream at another node. */
  readonly onKept: (stream: EventStream) => void;
  /** Called when the session ends on this node. */
  readonly onClose: () => void;
}

/** Session of a client of an earlier revision over HTTP. */
export class HttpSession {
  readonly id: string;
  /** Key of the owner. For other callers the session does not exist. */
  readonly owner: string;
  readonly legacy: LegacySession;
  readonly shared: SharedParts | undefined;
  /** Stream of messages that belong to no request. */
  readonly #standalone: EventStream;
  readonly #streams = new Map<string, EventStream>();
  /** Streams of other nodes that a client reads here. */
  readonly #followed = new Map<string, EventStream>();
  readonly #store: EventStore;
  readonly #clock: Clock;
  readonly #account: MemoryAccount;
  readonly #giveBack: () => void;
  #digest: Promise<string> | undefined;
  lastSeen: number;
  /** Number of running requests. */
  active = 0;

  constructor(served: Served, parts: HttpSessionParts) {
    this.shared = parts.shared;
    this.id = parts.shared?.id ?? createId();
    this.owner = parts.owner;
    this.#giveBack = parts.release;
    this.#store = parts.store;
    this.#clock = served.clock;
    this.lastSeen = served.clock.now();
    this.#account = parts.account;
    const { revision } = parts.handshake;
    this.#standalone = this.#newStream(parts.shared?.key ?? createId(), {
      isPrimed: revision.hasPriming,
      isJoint: parts.shared !== undefined,
    });
    this.legacy = new LegacySession(served, parts.handshake, {
      post: (message) => this.#standalone.write(message),
      peers: parts.shared?.peers,
    });
  }

  /** Whether the session has a running request or an open stream. */
  get isBusy(): boolean {
    return this.active > 0 || this.#standalone.isConnected;
  }

  /** Opens the stream of a response. */
  openStream(requestId: RequestId | undefined): EventStream {
    const id = this.shared === undefined ? createId() : toSharedStream(this.shared.key, requestId);
    const stream = this.#newStream(id, { isPrimed: this.legacy.revision.hasPriming });
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
    if (lastEventId === undefined) return this.#standalone;
    const id = streamOf(lastEventId);
    return this.#streams.get(id) ?? this.#follow(id) ?? this.#standalone;
  }

  /** A stream of a request that runs here. */
  findOwnStream(id: string): EventStream | undefined {
    return this.#streams.get(id);
  }

  /** A stream that a client reads here, and other nodes may write to. */
  findFollowed(id: string): EventStream | undefined {
    return id === this.shared?.key ? this.#standalone : this.#followed.get(id);
  }

  /** The stream of a request that another node runs; its id begins with the key of this session. */
  #follow(id: string): EventStream | undefined {
    if (this.shared === undefined || !id.startsWith(`${this.shared.key}-`)) return undefined;
    const isLast = this.legacy.revision.hasBatches ? undefined : isResponse;
    const stream = this.#followed.get(id) ?? this.#newStream(id, { isPrimed: false, isJoint: true, isLast });
    this.#followed.set(id, stream);
    return stream;
  }

  /** Connects a client to a stream. */
  attach(sink: StreamSink, lastEventId: string | undefined): EventStream {
    const stream = this.findStream(lastEventId);
    // defence: events-of-own-streams
    const isKnown = lastEventId !== undefined && streamOf(lastEventId) === stream.id;
    void stream.attach(sink, isKnown ? lastEventId : undefined);
    return stream;
  }

  /** Removes a closed connection. */
  detach(sink: StreamSink, stream: EventStream): void {
    stream.detach(sink);
    if (!stream.isConnected && this.#followed.get(stream.id) === stream) this.#followed.delete(stream.id);
  }

  /** Closes the connection of the standalone stream. */
  release(): void {
    void this.#standalone.release();
  }

  /** Ends the session here. `isOver`: also on the other nodes; otherwise its streams stay in the store for them. */
  close(reason: string, isOver: boolean = this.shared === undefined): void {
    this.#giveBack();
    this.shared?.onClose();
    this.legacy.close(reason);
    if (isOver) for (const stream of [this.#standalone, ...this.#streams.values()]) stream.drop();
    else this.release();
    for (const stream of this.#followed.values()) void stream.release();
    this.#streams.clear();
    this.#followed.clear();
  }

  /** A digest, because a store outside of this process must not see principals. Created on first use. */
  readonly #ownerInStore = (): Promise<string> => (this.#digest ??= hash(this.owner));

  #newStream(id: string, options: Pick<EventStreamOptions, 'isPrimed' | 'isJoint' | 'isLast'>): EventStream {
    return new EventStream({
      id,
      store: this.#store,
      clock: this.#clock,
      ...options,
      owner: this.#ownerInStore,
      account: this.#account,
      onKept: this.shared?.onKept,
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
