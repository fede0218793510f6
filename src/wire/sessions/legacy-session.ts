import type { ClientDescription, McpLogLevel } from '../../middleware/dialogue.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { ServerEvent } from '../../stores/event-bus.ts';
import type { MemoryHold } from '../../base/memory/memory-hold.ts';
import { weighValue } from '../../base/memory/weigh.ts';
import { CountedUris } from './counted-uris.ts';
import { CoalescingQueue } from '../served/coalescing-queue.ts';
import { UNREAD } from '../messages/answer.ts';
import type { Answer } from '../messages/answer.ts';
import { InFlight, toIdInUse } from './in-flight.ts';
import { encodeNotification } from '../messages/json-rpc.ts';
import type { RequestId, RpcNotification, RpcRequest, RpcResponse } from '../messages/json-rpc.ts';
import { LegacyExchange } from './legacy-exchange.ts';
import type { LegacyParty, WayBack } from './legacy-exchange.ts';
import { ListNews } from '../served/list-news.ts';
import type { Handshake } from '../served/handshake.ts';
import { accountOf } from '../served/owner.ts';
import { OutgoingRequests } from './outgoing-requests.ts';
import type { Revision } from '../messages/revisions.ts';
import type { Served } from '../served/served.ts';

/** Upper bound of the memory of a session, without data of its client. */
const SESSION_BYTES = 4096;

/** Memory of a session until it ends. */
export function weighSession({ client }: Begun): number {
  return SESSION_BYTES + weighValue(client);
}

/** Result of a handshake, without its response. */
export type Begun = Omit<Handshake, 'json'>;

/** The other nodes that serve the same session. */
export interface SessionPeers {
  /** Prefix of the ids of this node's requests to the client. */
  readonly idPrefix: string;
  /** Handles a request that may change the log level or the subscriptions, and stores the change. */
  change(request: RpcRequest, session: LegacySession, answer: () => Promise<Answer>): Promise<Answer>;
  /** Passes on a response that no request of this node waits for. */
  passOn(response: RpcResponse): Promise<void>;
  /** Passes on the cancellation of a request that this node does not run. */
  cancel(requestId: unknown, reason: unknown): void;
}

/** Way of messages that belong to no request. */
export interface SessionChannel {
  readonly post: (message: string) => MaybePromise<void>;
  /** Undefined if this node alone serves the session. */
  readonly peers?: SessionPeers | undefined;
}

/** Requests that change the settings of a session. */
const CHANGING = new Set(['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);

/** Session of a client of an earlier revision, from its handshake to its end. */
export class LegacySession implements LegacyParty {
  readonly revision: Revision;
  readonly client: ClientDescription;
  readonly subscriptions: CountedUris;
  /** Default until the client sets another level. */
  logLevel: McpLogLevel = 'info';
  readonly #served: Served;
  readonly #declared: ReadonlySet<string>;
  // defence: ids-of-one-session
  readonly #inFlight = new InFlight();
  readonly #outgoing: OutgoingRequests;
  readonly #peers: SessionPeers | undefined;
  readonly #news: CoalescingQueue;
  #lists: ListNews | undefined;
  #unsubscribe: (() => void) | undefined;
  /** Whether the client has finished the handshake. */
  #isReady = false;
  /** Whether the client has sent anything after `initialize`. */
  #isInUse = false;
  /** The last caller, which determines the visible notifications. */
  #caller: Caller = {};

  constructor(served: Served, handshake: Begun, { post, peers }: SessionChannel) {
    this.#served = served;
    this.revision = handshake.revision;
    this.client = handshake.client;
    this.#declared = handshake.declared;
    this.subscriptions = new CountedUris(() => accountOf(served.memory, this.#caller));
    this.#peers = peers;
    this.#outgoing = new OutgoingRequests(served.clock, served.limits.inputTimeoutMs, peers?.idPrefix);
    this.#news = new CoalescingQueue(post);
    // Of several nodes, only the one with the client's stream notifies the client; another one may have seen the end of the handshake.
    if (peers === undefined) this.listen();
    else this.#isReady = true;
  }

  /** Whether the client is notified of changes from here. */
  get isListening(): boolean {
    return this.#unsubscribe !== undefined;
  }

  /** Begins to notify the client of changes. */
  listen(): void {
    if (this.#unsubscribe !== undefined) return;
    this.#lists = new ListNews(this.#served.announced);
    this.#unsubscribe = this.#served.bus.subscribe((event) => this.#hear(event));
  }

  /** Ends notifications: another node has the client's stream. */
  stopListening(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  /** Notifies the client of all lists and of the resources that it is subscribed to: changes may have been missed. */
  announceAll(): void {
    for (const kind of ['tools', 'prompts', 'resources'] as const)
      if (this.#declared.has(kind)) this.#notifyOfList(kind);
    for (const uri of this.subscriptions) if (this.#mayRead(uri)) this.#notifyOf(uri);
  }

  get isInUse(): boolean {
    return this.#isInUse;
  }

  /** Sets the caller that began the session. */
  beginAs(caller: Caller): this {
    this.#caller = caller;
    return this;
  }

  /** Records a further request of the client, with its caller. */
  see(caller: Caller): void {
    this.#isInUse = true;
    this.#caller = caller;
  }

  /** Handles a request; undefined if the client cancelled it. */
  async answer(request: RpcRequest, way: WayBack, hold: MemoryHold): Promise<Answer | undefined> {
    this.see(way.caller);
    const { id } = request;
    const cancellation = this.#inFlight.begin(id);
    if (cancellation === undefined) return toIdInUse(id);
    const exchange = new LegacyExchange(this, way, { cancellation, outgoing: this.#outgoing, hold });
    const answered = await (way.admit === undefined
      ? this.#run(request, exchange)
      : // It can be cancelled while it is queued.
        way.admit(id, async () => (cancellation.isCancelled ? UNREAD : this.#run(request, exchange))));
    return this.#inFlight.end(id, cancellation, answered);
  }

  #run(request: RpcRequest, exchange: LegacyExchange): Promise<Answer> {
    if (this.#peers === undefined || !CHANGING.has(request.method))
      return this.#served.answer(request, exchange);
    return this.#peers.change(request, this, () => this.#served.answer(request, exchange));
  }

  /** Number of running requests. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Handles a notification. */
  hear({ method, params }: RpcNotification): void {
    if (method === 'notifications/initialized') this.#isReady = true;
    if (method !== 'notifications/cancelled') return;
    const { requestId, reason } = params ?? {};
    if (!this.#inFlight.cancel(requestId, reason)) this.#peers?.cancel(requestId, reason);
  }

  /** Handles the cancellation of a request that another node received. */
  cancel(requestId: unknown, reason: unknown): void {
    this.#inFlight.cancel(requestId, reason);
  }

  /** Handles the response to a request of the server. One that no request waits for is ignored, or passed on to the other nodes. */
  settle(response: RpcResponse): Promise<void> | undefined {
    return this.#outgoing.settle(response) ? undefined : this.#peers?.passOn(response);
  }

  /** Whether a request of this node waits for the response with this id. */
  isWaitingFor(id: RequestId): boolean {
    return this.#outgoing.has(id);
  }

  /** Ends the session: sends no more notifications and cancels running requests. */
  close(reason: string): void {
    this.stopListening();
    this.subscriptions.clear();
    this.#outgoing.rejectAll(reason);
    this.#inFlight.cutOff(reason);
  }

  /** Checked for every event: the caller's rights can change during a subscription. */
  #mayRead(uri: string): boolean {
    return this.#served.announced.resources?.has(uri, this.#caller) === true;
  }

  #hear(event: ServerEvent): void {
    if (event.kind === 'task' || event.kind === 'session') return;
    if (event.kind !== 'resource') {
      const isConcerned = this.#lists?.concerns(event, this.#caller);
      // No notifications for capabilities that were not declared to the client.
      if (!this.#isReady || isConcerned !== true || !this.#declared.has(event.kind)) return;
      this.#notifyOfList(event.kind);
    } else if (this.#isReady && this.subscriptions.has(event.uri) && this.#mayRead(event.uri)) {
      this.#notifyOf(event.uri);
    }
  }

  #notifyOfList(kind: 'tools' | 'prompts' | 'resources'): void {
    this.#news.add(kind, encodeNotification(`notifications/${kind}/list_changed`, undefined));
  }

  #notifyOf(uri: string): void {
    this.#news.add(uri, encodeNotification('notifications/resources/updated', { uri }));
  }
}
