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

/** Upper bound of the memory of a session, without data of its client. */
const SESSION_BYTES = 4096;

/** Memory of a session until it ends. */
export function weighSession({ client }: Handshake): number {
  return SESSION_BYTES + weighValue(client);
}

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
  readonly #lists: ListNews;
  readonly #news: CoalescingQueue;
  #unsubscribe: () => void = () => {};
  /** Whether the client has finished the handshake. */
  #isReady = false;
  /** Whether the client has sent anything after `initialize`. */
  #isInUse = false;
  /** The last caller, which determines the visible notifications. */
  #caller: Caller = {};

  /** `post` sends messages that belong to no request. */
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
      ? this.#served.answer(request, exchange)
      : // It can be cancelled while it is queued.
        way.admit(id, async () =>
          cancellation.isCancelled ? UNREAD : this.#served.answer(request, exchange),
        ));
    return this.#inFlight.end(id, cancellation, answered);
  }

  /** Number of running requests. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Handles a notification. */
  hear({ method, params }: RpcNotification): void {
    if (method === 'notifications/initialized') this.#isReady = true;
    if (method === 'notifications/cancelled')
      this.#inFlight.cancel(params?.['requestId'], params?.['reason']);
  }

  /** Handles the response to a request of the server. */
  settle(response: RpcResponse): void {
    this.#outgoing.settle(response);
  }

  /** Ends the session: sends no more notifications and cancels running requests. */
  close(reason: string): void {
    this.#unsubscribe();
    this.subscriptions.clear();
    this.#outgoing.rejectAll(reason);
    this.#inFlight.cutOff(reason);
  }

  /** Checked for every event: the caller's rights can change during a subscription. */
  #mayRead(uri: string): boolean {
    return this.#served.announced.resources?.has(uri, this.#caller) === true;
  }

  #hear(event: ServerEvent): void {
    if (event.kind === 'task') return;
    if (event.kind !== 'resource') {
      const isConcerned = this.#lists.concerns(event, this.#caller);
      // No notifications for capabilities that were not declared to the client.
      if (!this.#isReady || !isConcerned || !this.#declared.has(event.kind)) return;
      this.#news.add(event.kind, encodeNotification(`notifications/${event.kind}/list_changed`, undefined));
    } else if (this.#isReady && this.subscriptions.has(event.uri) && this.#mayRead(event.uri)) {
      const message = encodeNotification('notifications/resources/updated', { uri: event.uri });
      this.#news.add(event.uri, message);
    }
  }
}
