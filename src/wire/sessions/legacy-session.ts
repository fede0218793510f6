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
import type { RpcNotification, RpcRequest, RpcResponse } from '../messages/json-rpc.ts';
import { LegacyExchange } from './legacy-exchange.ts';
import type { LegacyParty, WayBack } from './legacy-exchange.ts';
import { ListNews } from '../served/list-news.ts';
import type { Handshake } from '../served/handshake.ts';
import { accountOf } from '../served/owner.ts';
import { OutgoingRequests } from './outgoing-requests.ts';
import type { Revision } from '../messages/revisions.ts';
import type { Served } from '../served/served.ts';

/** An upper bound for the memory of a session, without what its client sends. */
const SESSION_BYTES = 4096;

/** The memory that a session takes up until it ends. */
export function weighSession({ client }: Handshake): number {
  return SESSION_BYTES + weighValue(client);
}

/** A client of an earlier revision, from its handshake until it leaves. */
export class LegacySession implements LegacyParty {
  readonly revision: Revision;
  readonly client: ClientDescription;
  readonly subscriptions: CountedUris;
  /** Until the client says what it wants. */
  logLevel: McpLogLevel = 'info';
  readonly #served: Served;
  readonly #declared: ReadonlySet<string>;
  // defence: ids-of-one-session
  readonly #inFlight = new InFlight();
  readonly #outgoing: OutgoingRequests;
  readonly #lists: ListNews;
  readonly #news: CoalescingQueue;
  #unsubscribe: () => void = () => {};
  /** Whether the client has finished the handshake. */
  #isReady = false;
  /** Whether the client has come back after `initialize`. */
  #isInUse = false;
  /** Who was last seen here, also to listen: what it may see is told. */
  #caller: Caller = {};

  /** `post` sends what belongs to no request. */
  constructor(served: Served, handshake: Handshake, post: (message: string) => MaybePromise<void>) {
    this.#served = served;
    this.revision = handshake.revision;
    this.client = handshake.client;
    this.#declared = handshake.declared;
    this.subscriptions = new CountedUris(() => accountOf(served.memory, this.#caller));
    this.#outgoing = new OutgoingRequests(served.clock, served.limits.inputTimeoutMs);
    this.#lists = new ListNews(served.announced);
    this.#news = new CoalescingQueue(post);
    this.#unsubscribe = served.bus.subscribe((event) => this.#hear(event));
  }

  get isInUse(): boolean {
    return this.#isInUse;
  }

  /** The session was begun by this caller. */
  beginAs(caller: Caller): this {
    this.#caller = caller;
    return this;
  }

  /** The client has come back, as this caller. */
  see(caller: Caller): void {
    this.#isInUse = true;
    this.#caller = caller;
  }

  /** Answers a request; undefined when the client took it back. */
  async answer(request: RpcRequest, way: WayBack, hold: MemoryHold): Promise<Answer | undefined> {
    this.see(way.caller);
    const { id } = request;
    const cancellation = this.#inFlight.begin(id);
    if (cancellation === undefined) return toIdInUse(id);
    const exchange = new LegacyExchange(this, way, { cancellation, outgoing: this.#outgoing, hold });
    const answered = await (way.admit === undefined
      ? this.#served.answer(request, exchange)
      : // It may be taken back while it waits.
        way.admit(id, async () =>
          cancellation.isCancelled ? UNREAD : this.#served.answer(request, exchange),
        ));
    return this.#inFlight.end(id, cancellation, answered);
  }

  /** How many requests are being answered. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Takes in a notification. */
  hear({ method, params }: RpcNotification): void {
    if (method === 'notifications/initialized') this.#isReady = true;
    if (method === 'notifications/cancelled')
      this.#inFlight.cancel(params?.['requestId'], params?.['reason']);
  }

  /** Takes in the answer to a question. */
  settle(response: RpcResponse): void {
    this.#outgoing.settle(response);
  }

  /** Ends the session: nothing is told any more, and what still runs is cut off. */
  close(reason: string): void {
    this.#unsubscribe();
    this.subscriptions.clear();
    this.#outgoing.rejectAll(reason);
    this.#inFlight.cutOff(reason);
  }

  /** Asked again each time: what a caller may see can change while it is subscribed. */
  #mayRead(uri: string): boolean {
    return this.#served.announced.resources?.has(uri, this.#caller) === true;
  }

  #hear(event: ServerEvent): void {
    if (event.kind === 'task') return;
    if (event.kind !== 'resource') {
      const isConcerned = this.#lists.concerns(event, this.#caller);
      // No news of what the client was never told of.
      if (!this.#isReady || !isConcerned || !this.#declared.has(event.kind)) return;
      this.#news.add(event.kind, encodeNotification(`notifications/${event.kind}/list_changed`, undefined));
    } else if (this.#isReady && this.subscriptions.has(event.uri) && this.#mayRead(event.uri)) {
      const message = encodeNotification('notifications/resources/updated', { uri: event.uri });
      this.#news.add(event.uri, message);
    }
  }
}
