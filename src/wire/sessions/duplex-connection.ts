import type { HttpContext } from '../../middleware/context.ts';
import type { ClientDescription, McpLogLevel } from '../../middleware/dialogue.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Cancellation } from '../../base/time/cancellation.ts';
import type { MemoryAccount } from '../../base/memory/memory-budget.ts';
import { MemoryHold } from '../../base/memory/memory-hold.ts';
import { withinTime } from '../../base/time/within-time.ts';
import { nextTurn } from '../../base/next-turn.ts';
import { BatchAnswers, MAX_OF_BATCH } from './batch-answers.ts';
import { Closing } from '../served/closing.ts';
import { decodeMessage } from '../messages/decode.ts';
import type { Decoded } from '../messages/decode.ts';
import type { Answer } from '../messages/answer.ts';
import { isModern, readEnvelope } from '../messages/envelope.ts';
import type { Envelope } from '../messages/envelope.ts';
import type { Exchange } from '../served/exchange.ts';
import { inTurn } from './in-turn.ts';
import { InFlight, toIdInUse } from './in-flight.ts';
import { encodeError, encodeResult } from '../messages/json-rpc.ts';
import type { RequestId, RpcError, RpcNotification, RpcRequest } from '../messages/json-rpc.ts';
import type { WayBack } from './legacy-exchange.ts';
import { LegacySession, weighSession } from './legacy-session.ts';
import { shakeHands } from '../served/handshake.ts';
import { withoutRest } from '../messages/listen-request.ts';
import { accountOf } from '../served/owner.ts';
import { MODERN } from '../messages/revisions.ts';
import { busy, invalidRequest, methodNotFound, NO_ROOM, NO_ROOM_FOR_RESULT } from '../messages/rpc-errors.ts';
import type { Served } from '../served/served.ts';

/** Options of a bidirectional connection. */
export interface DuplexOptions {
  readonly caller: Caller;
  readonly send: (message: string) => MaybePromise<void>;
  /** Whether only revisions with a handshake are served. */
  readonly isLegacy?: boolean;
  /** Limits requests together with those of other connections. Default: none. */
  readonly gate?: Gate;
  /** Whether the memory budget has room for a message until the client has read it. Default: always. */
  readonly hasRoomFor?: (message: string) => boolean;
}

/** A request to admit. */
export interface Applicant {
  readonly id: RequestId;
  readonly caller: Caller;
  /** Handles the request. Never rejects. */
  readonly answer: () => Promise<Answer>;
}

/** Limits concurrent requests. */
export interface Gate {
  admit(applicant: Applicant): Promise<Answer>;
  /** Called when a request begins to wait for its client, and when it continues. */
  onAsk(caller: Caller, isWaiting: boolean): void;
}

/** Maximum number of concurrent requests of one client, more than any client needs. */
const MAX_RUNNING = 1024;

const TOO_MANY: RpcError = busy(
  `The server is busy: ${MAX_RUNNING} requests of this client are running. Wait for some of them to end.`,
);

/**
 * Connection of one client over a bidirectional transport: stdio, in memory, or the two endpoints of 2024-11-05. Serves requests of all
 * revisions.
 */
export class DuplexConnection {
  readonly #served: Served;
  readonly #options: DuplexOptions;
  readonly #modern = new InFlight();
  /** Number of running messages. Not their promises, which would keep responses in memory long after they were sent. */
  #pending = 0;
  readonly #onIdle: (() => void)[] = [];
  readonly #closing = new Closing();
  #session: LegacySession | undefined;
  /** Releases the memory of the session. */
  #releaseSession: (() => void) | undefined;
  /** Sender of the last message. */
  #sender: Sender | undefined;
  #isClosed = false;

  constructor(served: Served, options: DuplexOptions) {
    this.#served = served;
    this.#options = options;
  }

  /**
   * Handles one message. Never throws; responses are sent with `send`. `caller` is given if each message has its own credentials; `bytes`
   * is the same text in UTF-8, if available.
   */
  receive(text: string, caller: Caller = this.#options.caller, bytes?: Uint8Array): void {
    if (!this.#isClosed)
      this.#accept(decodeMessage(text, this.#served.limits, bytes), this.#senderOf(caller));
  }

  /** Handles a message that arrived in its own HTTP request. */
  receiveOver(http: HttpContext, text: string, caller: Caller): void {
    if (this.#isClosed) return;
    const { account, way } = this.#senderOf(caller);
    this.#accept(decodeMessage(text, this.#served.limits), { account, way: { ...way, http } });
  }

  #accept(message: Decoded, sender: Sender): void {
    const weight = message.kind === 'request' || message.kind === 'batch' ? message.weight : 0;
    const id = message.kind === 'request' ? message.id : undefined;
    const hold = MemoryHold.take(sender.account, weight, this.#served.clock);
    if (hold === undefined) return this.#send(encodeError(id, NO_ROOM));
    this.#pending += 1;
    // Synchronously up to the first wait: the next message may depend on it.
    void this.#finish(this.#take(message, { sender, hold, isPart: false }), hold, id);
  }

  /** Without the message as a parameter: an async function keeps its arguments while it waits. */
  async #finish(answering: MaybePromise<Reply>, hold: MemoryHold, id: RequestId | undefined): Promise<void> {
    try {
      const answer = await answering;
      hold.release();
      this.#pending -= 1;
      const text = typeof answer === 'object' ? answer.text : answer;
      const fits = text === undefined || this.#options.hasRoomFor?.(text) !== false;
      this.#send(fits ? text : encodeError(id, NO_ROOM_FOR_RESULT));
    } finally {
      if (this.#pending === 0 && this.#onIdle.length > 0)
        for (const resolve of this.#onIdle.splice(0)) resolve();
    }
  }

  /** Sender of a caller; cached for consecutive messages. */
  #senderOf(caller: Caller): Sender {
    if (this.#sender?.way.caller !== caller)
      this.#sender = {
        account: accountOf(this.#served.memory, caller),
        way: this.#wayFor(caller),
      };
    return this.#sender;
  }

  /** Responds to a message that could not be decoded. */
  refuse(error: RpcError): void {
    this.#send(encodeError(undefined, error));
  }

  /** Ends subscriptions, and waits until all messages are handled or the timeout has passed. */
  async drain(ms: number): Promise<void> {
    this.#closing.close();
    if (this.#pending === 0) return;
    const answered = new Promise<void>((resolve) => {
      this.#onIdle.push(resolve);
    });
    await withinTime(answered, { clock: this.#served.clock, ms }).catch(() => {});
  }

  /** Cancels running requests; they get an error with the reason. */
  cutOff(reason: string): void {
    this.#modern.cutOff(reason);
    this.#session?.close(reason);
  }

  /** Ends the connection: cancels running requests and sends nothing more. */
  close(reason: string): void {
    this.#isClosed = true;
    this.cutOff(reason);
    this.#releaseSession?.();
    this.#releaseSession = undefined;
  }

  #send(message: string | undefined): void {
    if (message === undefined || this.#isClosed) return;
    void this.#options.send(message);
  }

  /** Handles a message, and responds if it is a request. Never throws or rejects. */
  #take(message: Decoded, origin: Origin): MaybePromise<Reply> {
    switch (message.kind) {
      case 'invalid':
        return encodeError(message.id, message.error);
      case 'batch':
        return this.#takeBatch(message.messages, origin);
      case 'response':
        void this.#session?.settle(message);
        return undefined;
      case 'notification':
        this.#hear(message);
        return undefined;
      case 'request':
        return this.#isFull ? this.#takeLater(message, origin) : this.#takeRequest(message, origin);
      default:
        return message satisfies never;
    }
  }

  get #isFull(): boolean {
    return this.#modern.size + (this.#session?.inFlight ?? 0) >= MAX_RUNNING;
  }

  #takeRequest(message: RpcRequest, origin: Origin): MaybePromise<Reply> {
    const isNew = this.#options.isLegacy !== true && isModern(message.method, message.params);
    return isNew ? this.#takeModern(message, origin) : this.#takeLegacy(message, origin);
  }

  /** Deferred: many messages may have arrived in one chunk, and earlier ones must get a chance to respond. */
  async #takeLater(message: RpcRequest, origin: Origin): Promise<Reply> {
    await nextTurn();
    return this.#isFull ? encodeError(message.id, TOO_MANY) : this.#takeRequest(message, origin);
  }

  /** Only 2025-03-26 has batches. */
  async #takeBatch(messages: readonly Decoded[], origin: Origin): Promise<Reply> {
    if (this.#session?.revision.hasBatches !== true)
      return encodeError(
        undefined,
        invalidRequest('Invalid request: batches are not supported in this revision.'),
      );
    const batch = new BatchAnswers(origin.sender.account);
    const part = { ...origin, isPart: true };
    try {
      const texts = await inTurn(messages, MAX_OF_BATCH, async (each) => {
        if (each.kind === 'request' && batch.isFull) return batch.refuse(each.id);
        const answer = await this.#takeOfBatch(each, part);
        const id = each.kind === 'request' || each.kind === 'invalid' ? each.id : undefined;
        return answer && batch.keep(id, typeof answer === 'string' ? answer : answer.text);
      });
      const said = texts.filter((text) => text !== undefined);
      return said.length === 0 ? undefined : `[${said.join(',')}]`;
    } finally {
      batch.release();
    }
  }

  /** Handles a message of a batch. `initialize` must not be in a batch, so it is an unknown method here. */
  #takeOfBatch(message: Decoded, origin: Origin): MaybePromise<Reply> {
    const isHandshake = message.kind === 'request' && message.method === 'initialize';
    return isHandshake
      ? encodeError(message.id, methodNotFound(message.method))
      : this.#take(message, origin);
  }

  #hear(notification: RpcNotification): void {
    if (notification.method === 'notifications/cancelled') {
      this.#modern.cancel(notification.params?.['requestId'], notification.params?.['reason']);
    }
    this.#session?.hear(notification);
  }

  #takeModern(message: RpcRequest, { sender, hold, isPart }: Origin): MaybePromise<Reply> {
    const { id } = message;
    const envelope = readEnvelope(message);
    if ('code' in envelope) return encodeError(id, envelope);
    const cancellation = this.#modern.begin(id);
    if (cancellation === undefined) return toIdInUse(id);
    const request = withoutRest(message);
    if (request !== message && !isPart) hold.shrinkTo(request.weight);
    const exchange = new DuplexExchange(sender.way, envelope, { cancellation, hold });
    return this.#answerModern(request, exchange);
  }

  async #answerModern(request: RpcRequest, exchange: DuplexExchange): Promise<Reply> {
    const answer = await this.#served.answer(request, exchange);
    return this.#modern.end(request.id, exchange.cancellation, answer);
  }

  #takeLegacy(request: RpcRequest, { sender, hold }: Origin): MaybePromise<Reply> {
    const { way } = sender;
    if (request.method === 'initialize') return this.#initialize(request, sender);
    if (this.#session !== undefined) return this.#session.answer(request, way, hold);
    if (request.method === 'ping') return encodeResult(request.id, '{}');
    const message =
      'Invalid request: send initialize first, or name the protocol version in _meta["io.modelcontextprotocol/protocolVersion"].';
    return encodeError(request.id, invalidRequest(message));
  }

  #wayFor(caller: Caller): WayBack {
    const { gate } = this.#options;
    const way: WayBack = { caller, closing: this.#closing, send: this.#post, releaseStream: stay };
    if (gate === undefined) return way;
    return {
      ...way,
      admit: (id, answer) => gate.admit({ id, caller, answer }),
      onAsk: (isWaiting) => gate.onAsk(caller, isWaiting),
    };
  }

  #initialize(request: RpcRequest, { way, account }: Sender): Reply {
    const handshake = shakeHands(this.#served, request.params);
    if ('error' in handshake) return encodeError(request.id, handshake.error);
    const bytes = weighSession(handshake);
    if (!account.take(bytes)) return encodeError(request.id, NO_ROOM);
    this.#releaseSession?.();
    this.#releaseSession = () => account.give(bytes);
    const before = this.#session;
    this.#session = new LegacySession(this.#served, handshake, { post: this.#post }).beginAs(way.caller);
    // Immediately: before anything that the next messages cause, and before the errors of requests that it cancels.
    this.#send(encodeResult(request.id, handshake.json));
    before?.close('The client sent initialize again.');
    return undefined;
  }

  readonly #post = (message: string): MaybePromise<void> =>
    this.#isClosed ? undefined : this.#options.send(message);
}

/** Sender of messages, with the values that are the same for all of them. */
interface Sender {
  readonly way: WayBack;
  readonly account: MemoryAccount;
}

/** Sender of a message, and the memory that it uses. */
interface Origin {
  readonly sender: Sender;
  readonly hold: MemoryHold;
  /** Whether the message is part of a batch, whose memory is counted as a whole. */
  readonly isPart: boolean;
}

/** Response to send, if any. */
type Reply = string | Answer | undefined;

/** Does nothing: there is no stream to release. */
function stay(): void {}

/** One request of 2026-07-28. */
class DuplexExchange implements Exchange {
  readonly revision: typeof MODERN = MODERN;
  readonly ask = undefined;
  readonly session = undefined;
  readonly headers = undefined;
  readonly http = undefined;
  readonly caller: Caller;
  readonly closing: Closing;
  readonly client: ClientDescription;
  readonly logLevel: McpLogLevel | undefined;
  readonly cancellation: Cancellation;
  readonly hold: MemoryHold | undefined;
  readonly #way: WayBack;

  constructor(
    way: WayBack,
    { client, logLevel }: Envelope,
    parts: { readonly cancellation: Cancellation; readonly hold: MemoryHold | undefined },
  ) {
    this.caller = way.caller;
    this.closing = way.closing;
    this.client = client;
    this.logLevel = logLevel;
    this.cancellation = parts.cancellation;
    this.hold = parts.hold;
    this.#way = way;
  }

  send(message: string): MaybePromise<void> {
    return this.cancellation.isCancelled ? undefined : this.#way.send(message);
  }

  releaseStream(): void {}
}
