import { CallRefusedError } from '../../errors/errors.ts';
import type { HttpContext } from '../../middleware/context.ts';
import type { ClientDescription } from '../../middleware/dialogue.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Cancellation } from '../../base/time/cancellation.ts';
import type { MemoryHold } from '../../base/memory/memory-hold.ts';
import type { Closing } from '../served/closing.ts';
import type { Answer } from '../messages/answer.ts';
import type { Exchange, SessionState } from '../served/exchange.ts';
import type { RequestId } from '../messages/json-rpc.ts';
import type { OutgoingRequests } from './outgoing-requests.ts';
import type { Revision } from '../messages/revisions.ts';

/** Response channel of one request, or of all requests of a connection. */
export interface WayBack {
  readonly caller: Caller;
  readonly closing: Closing;
  /** HTTP request of the message. */
  readonly http?: HttpContext | undefined;
  /** Sends a message that belongs to the request; see `Exchange`. */
  send(message: string, key?: unknown): MaybePromise<void>;
  releaseStream(): void;
  /** Handles the request once it is admitted. Without it, requests run immediately. */
  admit?(id: RequestId, answer: () => Promise<Answer>): Promise<Answer>;
  /** Called when a request begins to wait for the client, and when it continues. */
  onAsk?(isWaiting: boolean): void;
}

/** State that the requests of a session share. */
export interface LegacyParty extends SessionState {
  readonly revision: Revision;
  readonly client: ClientDescription;
}

/** Upper bound of the memory of a waiting call, without its arguments. */
const WAITING_BYTES = 16_384;

/** One request of a session. */
export class LegacyExchange implements Exchange {
  readonly revision: Revision;
  readonly client: ClientDescription;
  readonly session: SessionState;
  readonly logLevel = undefined;
  readonly headers = undefined;
  readonly http: HttpContext | undefined;
  readonly caller: Caller;
  readonly closing: Closing;
  readonly hold: MemoryHold;
  readonly cancellation: Cancellation;
  readonly #way: WayBack;
  readonly #outgoing: OutgoingRequests;
  /** Number of pending requests to the client. */
  #asking = 0;

  constructor(
    party: LegacyParty,
    way: WayBack,
    parts: { cancellation: Cancellation; outgoing: OutgoingRequests; hold: MemoryHold },
  ) {
    this.revision = party.revision;
    this.client = party.client;
    this.session = party;
    this.caller = way.caller;
    this.closing = way.closing;
    this.hold = parts.hold;
    this.http = way.http;
    this.cancellation = parts.cancellation;
    this.#way = way;
    this.#outgoing = parts.outgoing;
  }

  send(message: string, key?: unknown): MaybePromise<void> {
    return this.#way.send(message, key);
  }

  releaseStream(): void {
    this.#way.releaseStream();
  }

  get ask(): (method: string, params: object) => Promise<unknown> {
    return (method, params) => this.#ask(method, params);
  }

  async #ask(method: string, params: object): Promise<unknown> {
    const { cancellation } = this;
    this.#begin();
    try {
      return await this.#outgoing.ask(method, params, {
        send: (text) => this.send(text),
        cancellation,
        hold: this.hold,
      });
    } finally {
      this.#end();
    }
  }

  /** Begins to wait: the call no longer counts as running, once for all its pending requests. Its memory is therefore counted separately. */
  #begin(): void {
    if (this.#asking === 0) {
      if (!this.hold.grow(WAITING_BYTES))
        throw new CallRefusedError(
          'BUSY',
          'Too many calls are waiting for input from their clients. Try again later.',
        );
      this.#way.onAsk?.(true);
    }
    this.#asking += 1;
  }

  #end(): void {
    this.#asking -= 1;
    if (this.#asking > 0) return;
    this.hold.shrink(WAITING_BYTES);
    this.#way.onAsk?.(false);
  }
}
