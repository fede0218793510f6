import type { ClientDescription, McpLogLevel } from '../middleware/dialogue.ts';
import type { Caller } from '../pipeline/policy.ts';
import { isPromiseLike } from '../schema/validated.ts';
import type { MaybePromise } from '../schema/validated.ts';
import type { Cancellation } from '../stores/cancellation.ts';
import { withinTime } from '../stores/within-time.ts';
import { Closing } from './closing.ts';
import { decodeMessage } from './decode.ts';
import type { Decoded } from './decode.ts';
import { dispatch } from './dispatch.ts';
import type { Answer } from './dispatch.ts';
import { isModern, readEnvelope } from './envelope.ts';
import type { Envelope } from './envelope.ts';
import type { Exchange } from './exchange.ts';
import { InFlight } from './in-flight.ts';
import { encodeError, encodeResult } from './json-rpc.ts';
import type { RpcError, RpcNotification, RpcRequest } from './json-rpc.ts';
import type { WayBack } from './legacy-exchange.ts';
import { LegacySession } from './legacy-session.ts';
import { shakeHands } from './methods/initialize.ts';
import { MODERN } from './revisions.ts';
import { busy, invalidRequest, methodNotFound } from './rpc-errors.ts';
import type { Served } from './served.ts';

/** What a connection that carries messages both ways needs. */
export interface DuplexOptions {
  readonly caller: Caller;
  readonly send: (message: string) => MaybePromise<void>;
  /** Whether only revisions with a handshake are served. */
  readonly isLegacy?: boolean;
}

/** More than any client needs at a time; one that sends faster than it is answered is not collected for. */
const MAX_PENDING = 1024;

const TOO_MANY: RpcError = busy(
  `The server is busy: ${MAX_PENDING} requests of this client are being answered. Wait for some of them.`,
);

/**
 * One client at the other end of something that carries messages both ways: standard input and output, memory, the two endpoints of
 * 2024-11-05. Serves requests of both eras, as they come.
 */
export class DuplexConnection {
  readonly #served: Served;
  readonly #options: DuplexOptions;
  readonly #modern = new InFlight();
  /** How many messages are being answered. Not their promises: what is answered would be remembered long after it was sent. */
  #pending = 0;
  readonly #onIdle: (() => void)[] = [];
  readonly #closing = new Closing();
  #session: LegacySession | undefined;
  /** Who sent what is being taken in. */
  #caller: Caller;
  #isClosed = false;

  constructor(served: Served, options: DuplexOptions) {
    this.#served = served;
    this.#options = options;
    this.#caller = options.caller;
  }

  /**
   * Takes in one message as text. Never throws; what has an answer is answered through `send`. Who sends it may be said with each
   * message, where each comes with its own credentials; `bytes` are the same in UTF-8, where somebody has them.
   */
  receive(text: string, caller: Caller = this.#options.caller, bytes?: Uint8Array): void {
    this.#caller = caller;
    if (this.#isClosed) return;
    const answer = this.#take(decodeMessage(text, this.#served.limits, bytes));
    if (!isPromiseLike(answer)) return this.#send(answer);
    this.#pending += 1;
    answer.then(this.#finish, this.#fail);
  }

  readonly #finish = (answer: string | Answer | undefined): void => {
    this.#pending -= 1;
    try {
      this.#send(answer);
    } finally {
      if (this.#pending === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
    }
  };

  readonly #fail = (): void => this.#finish(undefined);

  /** Refuses what could not even be read. */
  refuse(error: RpcError): void {
    this.#send(encodeError(undefined, error));
  }

  /** Ends what would never end by itself, and waits until everything is answered or the time is up. */
  async drain(ms: number): Promise<void> {
    this.#closing.close();
    if (this.#pending === 0) return;
    const answered = new Promise<void>((resolve) => {
      this.#onIdle.push(resolve);
    });
    await withinTime(answered, this.#served.clock, ms).catch(() => {});
  }

  /** Stops what still runs; its requests are answered with why. */
  cutOff(reason: string): void {
    this.#modern.cutOff(reason);
    this.#session?.close(reason);
  }

  /** Ends the connection: what still runs is stopped, and nothing is sent any more. */
  close(reason: string): void {
    this.#isClosed = true;
    this.cutOff(reason);
  }

  #send(message: string | Answer | undefined): void {
    if (message === undefined || this.#isClosed) return;
    void this.#options.send(typeof message === 'string' ? message : message.text);
  }

  #take(message: Decoded): MaybePromise<string | Answer | undefined> {
    switch (message.kind) {
      case 'invalid':
        return encodeError(message.id, message.error);
      case 'batch':
        return this.#takeBatch(message.messages);
      case 'response':
        this.#session?.settle(message);
        return undefined;
      case 'notification':
        this.#hear(message);
        return undefined;
      case 'request':
        if (this.#pending >= MAX_PENDING) return encodeError(message.id, TOO_MANY);
        return this.#options.isLegacy !== true && isModern(message.method, message.params)
          ? this.#takeModern(message)
          : this.#takeLegacy(message);
      default:
        return message satisfies never;
    }
  }

  /** Only 2025-03-26 has batches. */
  #takeBatch(messages: readonly Decoded[]): MaybePromise<string | undefined> {
    if (this.#session?.revision.hasBatches !== true)
      return encodeError(undefined, invalidRequest('Invalid request: this revision has no batches.'));
    return Promise.all(messages.map(async (each) => this.#takeOfBatch(each))).then((answers) => {
      const said = answers
        .filter((answer) => answer !== undefined)
        .map((answer) => (typeof answer === 'string' ? answer : answer.text));
      return said.length === 0 ? undefined : `[${said.join(',')}]`;
    });
  }

  /** A handshake stands alone, so it is unknown in a batch. */
  #takeOfBatch(message: Decoded): MaybePromise<string | Answer | undefined> {
    const isHandshake = message.kind === 'request' && message.method === 'initialize';
    return isHandshake ? encodeError(message.id, methodNotFound(message.method)) : this.#take(message);
  }

  #hear(notification: RpcNotification): void {
    if (notification.method === 'notifications/cancelled') {
      this.#modern.cancel(notification.params?.['requestId'], notification.params?.['reason']);
    }
    this.#session?.hear(notification);
  }

  #takeModern(request: RpcRequest): MaybePromise<string | Answer | undefined> {
    const envelope = readEnvelope(request.params);
    if ('code' in envelope) return encodeError(request.id, envelope);
    return this.#modern.answer(request.id, (cancellation, end) => {
      const exchange = new DuplexExchange(this.#way(), envelope, cancellation);
      return dispatch({ served: this.#served, request, exchange }, end);
    });
  }

  #takeLegacy(request: RpcRequest): MaybePromise<string | Answer | undefined> {
    if (request.method === 'initialize') return this.#initialize(request);
    if (this.#session === undefined) {
      if (request.method === 'ping') return encodeResult(request.id, '{}');
      const message =
        'Invalid request: send initialize first, or say the protocol version in _meta["io.modelcontextprotocol/protocolVersion"].';
      return encodeError(request.id, invalidRequest(message));
    }
    return this.#session.answer(request, this.#way());
  }

  #initialize(request: RpcRequest): string {
    const handshake = shakeHands(this.#served, request.params);
    if ('error' in handshake) return encodeError(request.id, handshake.error);
    this.#session?.close('The client began anew.');
    this.#session = new LegacySession(this.#served, handshake, this.#post);
    return encodeResult(request.id, handshake.json);
  }

  #way(): WayBack {
    return { caller: this.#caller, closing: this.#closing, send: this.#post, releaseStream: stay };
  }

  readonly #post = (message: string): MaybePromise<void> =>
    this.#isClosed ? undefined : this.#options.send(message);
}

/** There is no stream to let go of. */
function stay(): void {}

/** One request of 2026-07-28. */
class DuplexExchange implements Exchange {
  readonly revision: typeof MODERN = MODERN;
  readonly ask = undefined;
  readonly session = undefined;
  readonly caller: Caller;
  readonly closing: Closing;
  readonly client: ClientDescription;
  readonly logLevel: McpLogLevel | undefined;
  readonly cancellation: Cancellation;
  readonly #way: WayBack;

  constructor(way: WayBack, { client, logLevel }: Envelope, cancellation: Cancellation) {
    this.caller = way.caller;
    this.closing = way.closing;
    this.client = client;
    this.logLevel = logLevel;
    this.cancellation = cancellation;
    this.#way = way;
  }

  send(message: string): MaybePromise<void> {
    return this.cancellation.isCancelled ? undefined : this.#way.send(message);
  }

  releaseStream(): void {}
}
