import { isObject } from '../../../base/is-object.ts';
import { hash } from '../../../base/hash.ts';
import { createId } from '../../../base/random-id.ts';
import { wallTimeOf } from '../../../base/time/clock.ts';
import { toLoggedError } from '../../../errors/log-thrown.ts';
import { CallRefusedError, DefinitionError } from '../../../errors/errors.ts';
import type { ServerEvent } from '../../../stores/event-bus.ts';
import { streamOf } from '../../../stores/event-store.ts';
import type { Begun } from '../../../wire/sessions/legacy-session.ts';
import type { Served } from '../../../wire/served/served.ts';
import { quotaOwnerOf } from '../gate/endpoint-request.ts';
import type { EndpointRequest } from '../gate/endpoint-request.ts';
import type { StreamSink } from '../message/http-message.ts';
import { HTTP_DEFAULTS } from '../message/http-options.ts';
import type { SessionOptions } from '../message/http-options.ts';
import type { EventStream } from './event-stream.ts';
import type { HttpSession, SharedParts } from './http-session.ts';
import { Peers } from './session-peers.ts';
import { toLostResponse } from './shared-stream.ts';
import { SessionRecords } from './session-records.ts';
import { SessionSealer } from './sealed-session.ts';
import type { SessionTable } from './session-table.ts';

type SessionEvent = Extract<ServerEvent, { kind: 'session' }>;

/** A session and its connection to the other nodes. */
interface Open {
  readonly session: HttpSession;
  readonly peers: Peers;
  /** Streams of other nodes whose nodes have not yet confirmed that they run; the functions stop waiting. */
  readonly unconfirmed: Map<string, () => void>;
}

/** Time in which the node of a stream must confirm that it runs. */
const CONFIRM_MS = 2000;

/** The caller of a request, and its memory account. */
type Asker = Pick<EndpointRequest, 'identified' | 'account'>;

/** Sessions that any node serves: encrypted into their ids, with their state in a store. */
export class SharedSessions {
  readonly #served: Served;
  readonly #table: SessionTable;
  readonly #records: SessionRecords;
  readonly #sealer: SessionSealer;
  readonly #node = createId(8);
  /** Sessions of the table, by their keys in events. */
  readonly #open = new Map<string, Open>();
  readonly #unsubscribe: () => void;

  constructor(served: Served, table: SessionTable, options: SessionOptions) {
    const { shared, eventStore, lifetimeMs = HTTP_DEFAULTS.lifetimeMs } = options;
    if (shared === undefined || eventStore === undefined)
      throw new DefinitionError(
        'HTTP: sessions.shared needs sessions.eventStore, a store that all machines share.',
        { option: 'sessions.eventStore' },
      );
    if (served.keys.isRandom)
      throw new DefinitionError(
        'HTTP: sessions.shared needs requestStateKeys of createServer, with the same secrets on all machines.',
        { option: 'requestStateKeys' },
      );
    if (served.bus.isPrivate)
      throw new DefinitionError(
        'HTTP: sessions.shared needs eventBus of createServer, a bus of all machines.',
        {
          option: 'eventBus',
        },
      );
    this.#served = served;
    this.#table = table;
    this.#records = new SessionRecords(shared, served.clock, lifetimeMs);
    this.#sealer = new SessionSealer(served, lifetimeMs);
    this.#unsubscribe = served.bus.subscribe((event) => {
      if (event.kind !== 'session' || !isObject(event.change)) return;
      if (event.change['from'] !== this.#node) this.#hear(event);
    });
  }

  /** Creates the id of a new session. Nothing is stored. */
  begin(begun: Begun, { identified }: Asker): Promise<string> {
    return this.#sealer.seal(begun, quotaOwnerOf(identified.caller, this.#served).owner);
  }

  /** Finds a session of this caller, or opens it from its id. Undefined if the id is invalid or the session has ended. */
  async find(id: string, asker: Asker): Promise<HttpSession | undefined> {
    const { owner } = quotaOwnerOf(asker.identified.caller, this.#served);
    const session = this.#table.find(id, owner) ?? (await this.#openSealed(id, owner, asker));
    if (session?.shared === undefined) return undefined;
    const logLevel =
      session.shared.endsAt <= wallTimeOf(this.#served.clock)
        ? undefined
        : await this.#records.findLogLevel(session.shared);
    if (logLevel === undefined) {
      this.#remove(session);
      return undefined;
    }
    session.legacy.logLevel = logLevel;
    return session;
  }

  /** Called when the handshake is finished: this node keeps notifications until the client opens a stream. */
  async ready({ shared, legacy }: HttpSession): Promise<void> {
    if (shared === undefined) return;
    if (await this.#records.addHolder(shared, { node: this.#node, hasListened: false })) legacy.listen();
  }

  /** Prepares the stream that a client opens or resumes. Fails if the store does. */
  async prepare(session: HttpSession, lastEventId: string | undefined): Promise<void> {
    const { shared, legacy, standalone } = session;
    const open = shared && this.#open.get(shared.key);
    if (open === undefined || shared === undefined || session.findStream(lastEventId) !== standalone) return;
    const before = await this.#records.findHolder(shared);
    await this.#records.setHolder(shared, { node: this.#node, hasListened: true });
    const hasMissed = before?.hasListened === true && !legacy.isListening;
    legacy.listen();
    open.peers.publish({ type: 'held' });
    await open.peers.loadSubscriptions(legacy.subscriptions);
    const isResumed = lastEventId !== undefined && streamOf(lastEventId) === standalone.id;
    if (before?.hasListened === true && before.node !== this.#node && !isResumed)
      await standalone.skipStored();
    if (hasMissed) legacy.announceAll();
  }

  /** Connects a client to a stream. */
  attach(session: HttpSession, sink: StreamSink, lastEventId: string | undefined): EventStream {
    const stream = session.attach(sink, lastEventId);
    this.check(session, stream);
    return stream;
  }

  /** If another node writes the stream, checks that the node still runs; otherwise the client gets an error. */
  check(session: HttpSession, stream: EventStream): void {
    const open = this.#open.get(session.shared?.key ?? '');
    if (open === undefined || stream === session.standalone || session.findFollowed(stream.id) !== stream)
      return;
    const { unconfirmed, peers } = open;
    unconfirmed.get(stream.id)?.();
    const giveUp = (): void => {
      unconfirmed.delete(stream.id);
      void stream.giveUp(toLostResponse(stream.id));
    };
    unconfirmed.set(stream.id, this.#served.clock.schedule(giveUp, CONFIRM_MS));
    peers.publish({ type: 'followed', stream: stream.id });
  }

  /** Ends a session on all nodes. */
  async end(session: HttpSession): Promise<void> {
    if (session.shared === undefined) return;
    const { key } = session.shared;
    await this.#records.end(session.shared);
    this.#open.get(key)?.peers.publish({ type: 'ended' });
    this.#remove(session);
  }

  close(): void {
    this.#unsubscribe();
  }

  async #openSealed(id: string, owner: string, asker: Asker): Promise<HttpSession | undefined> {
    const opened = await this.#sealer.open(id, owner);
    if (opened === undefined) return undefined;
    const { key, begun, endsAt } = opened;
    const quotaOwner = quotaOwnerOf(asker.identified.caller, this.#served);
    // Anonymous callers are many: each of their sessions is an owner of its own, so that one of them cannot use up the share of all.
    const storeOwner = await hash(quotaOwner.isAnonymous ? JSON.stringify([owner, key]) : owner);
    // Another request may have opened it meanwhile.
    const known = this.#table.find(id, owner);
    if (known !== undefined) return known;
    const stored = { key, owner: storeOwner };
    const peers = new Peers({ served: this.#served, records: this.#records, node: this.#node, stored });
    const shared: SharedParts = {
      ...stored,
      id,
      endsAt,
      peers,
      onKept: ({ id: stream, isFinished }) => peers.publish({ type: 'kept', stream, isFinished }),
      onClose: () => this.#close(key),
    };
    const session = this.#table.open(begun, quotaOwner, { account: asker.account, shared });
    if (session === undefined)
      throw new CallRefusedError('BUSY', 'Too many sessions are in use. Try again later.');
    this.#open.set(key, { session, peers, unconfirmed: new Map() });
    return session;
  }

  #close(key: string): void {
    for (const stop of this.#open.get(key)?.unconfirmed.values() ?? []) stop();
    this.#open.delete(key);
  }

  #remove(session: HttpSession): void {
    this.#table.remove(session, 'The client ended the session.', true);
  }

  /** Handles an event of another node. */
  #hear({ session: key, change }: SessionEvent): void {
    const open = this.#open.get(key);
    if (open === undefined) return;
    const work = async (): Promise<unknown> => this.#apply(open, change);
    work().catch((error: unknown) => {
      this.#served.logger.error('the session store failed', { error: toLoggedError(error) });
    });
  }

  #apply({ session, peers, unconfirmed }: Open, change: SessionEvent['change']): unknown {
    const { type, id, stream, requestId, reason, isFinished, added, removed } = change;
    const { legacy, standalone } = session;
    switch (type) {
      case 'ended':
        return this.#remove(session);
      case 'held':
        legacy.stopListening();
        return standalone.readElsewhere();
      case 'subscriptions':
        for (const uri of textsOf(removed)) legacy.subscriptions.delete(uri);
        for (const uri of textsOf(added)) legacy.subscriptions.add(uri);
        return undefined;
      case 'response':
        return peers.takeResponse(String(id), legacy);
      case 'cancel':
        return legacy.cancel(requestId, reason);
      case 'followed':
        // The client has moved on: from the node of the stream, or from here.
        if (session.findOwnStream(String(stream)) === undefined)
          return stream === session.shared?.key
            ? undefined
            : session.findFollowed(String(stream))?.giveUp(undefined);
        return session.findOwnStream(String(stream))?.readElsewhere();
      case 'kept':
        unconfirmed.get(String(stream))?.();
        unconfirmed.delete(String(stream));
        return session.findFollowed(String(stream))?.catchUp(isFinished === true);
      default:
        // An event of a later version of this library.
        return undefined;
    }
  }
}

function textsOf(values: unknown): readonly string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
}
