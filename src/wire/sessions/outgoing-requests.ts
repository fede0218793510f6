import { copyStart } from '../../base/cut-text.ts';
import { CallRefusedError } from '../../errors/errors.ts';
import type { Cancellation } from '../../base/time/cancellation.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { MemoryHold } from '../../base/memory/memory-hold.ts';
import { encodeNotification, encodeRequest } from '../messages/json-rpc.ts';
import type { RequestId, RpcResponse } from '../messages/json-rpc.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';

/** Options of a request to the client. */
export interface OutgoingOptions {
  readonly send: (message: string) => MaybePromise<void>;
  readonly cancellation: Cancellation;
  /** Memory of the request that asks; the client's response counts against it. */
  readonly hold: MemoryHold | undefined;
}

interface Waiting {
  readonly hold: MemoryHold | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Pending requests to a client of an earlier revision. */
export class OutgoingRequests {
  readonly #waiting = new Map<RequestId, Waiting>();
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  /** Prefix of the ids, if several nodes send requests to the client. */
  readonly #prefix: string | undefined;
  #nextId = 1;

  constructor(clock: Clock, timeoutMs: number, prefix?: string) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#prefix = prefix;
  }

  /** Sends a request and waits for the response. If the call is cancelled, the client is notified. */
  ask(method: string, params: object, { send, cancellation, hold }: OutgoingOptions): Promise<unknown> {
    const id = this.#prefix === undefined ? this.#nextId : `${this.#prefix}${this.#nextId}`;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        this.#waiting.delete(id);
        cancelTimer();
        cancellation.offCancel(onCancel);
        settle();
      };
      const giveUp = (reason: string): void => {
        end(() => reject(new CallRefusedError('INPUT_REFUSED', reason)));
        void send(encodeNotification('notifications/cancelled', { requestId: id, reason }));
      };
      const onCancel = (): void => giveUp('The call was cancelled before the client responded.');
      // defence: time-of-questions
      const cancelTimer = this.#clock.schedule(
        () => giveUp(`The client did not respond within ${this.#timeoutMs} ms.`),
        this.#timeoutMs,
      );
      this.#waiting.set(id, {
        hold,
        resolve: (result) => end(() => resolve(result)),
        reject: (error) => end(() => reject(error)),
      });
      if (!cancellation.isCancelled) void send(encodeRequest(id, method, params));
      cancellation.onCancel(onCancel);
    });
  }

  /** Handles a response; false if no request waits for it. */
  settle({ id, result, error, weight }: RpcResponse): boolean {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return false;
    if (waiting.hold?.grow(weight) === false)
      waiting.reject(
        new CallRefusedError(
          'INPUT_REFUSED',
          'The server is busy: not enough memory for the response of the client.',
        ),
      );
    else if (error === undefined) waiting.resolve(result);
    else
      waiting.reject(
        new CallRefusedError(
          'INPUT_REFUSED',
          `The client returned an error: ${copyStart(String(error.message), 200)}`,
        ),
      );
    return true;
  }

  /** Whether a request waits for the response with this id. */
  has(id: RequestId): boolean {
    return this.#waiting.has(id);
  }

  /** Rejects all pending requests. */
  rejectAll(reason: string): void {
    for (const { reject } of Array.from(this.#waiting.values()))
      reject(new CallRefusedError('INPUT_REFUSED', reason));
  }
}
