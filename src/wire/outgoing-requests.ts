import { CallRefusedError } from '../errors/errors.ts';
import type { Clock } from '../stores/clock.ts';
import { encodeNotification, encodeRequest } from './json-rpc.ts';
import type { RequestId, RpcResponse } from './json-rpc.ts';
import type { MaybePromise } from '../schema/validated.ts';

/** How a question goes out, and when it is given up. */
export interface OutgoingOptions {
  readonly send: (message: string) => MaybePromise<void>;
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The questions that a client of an earlier revision was asked and has not answered yet. */
export class OutgoingRequests {
  readonly #waiting = new Map<RequestId, Waiting>();
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  #nextId = 1;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** Asks, and waits for the answer. When nobody waits any more, the client is told. */
  ask(method: string, params: object, { send, signal }: OutgoingOptions): Promise<unknown> {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        this.#waiting.delete(id);
        cancelTimer();
        signal.removeEventListener('abort', onAbort);
        settle();
      };
      const giveUp = (reason: string): void => {
        end(() => reject(new CallRefusedError('INPUT_REFUSED', reason)));
        void send(encodeNotification('notifications/cancelled', { requestId: id, reason }));
      };
      const onAbort = (): void => giveUp('The call was cancelled before the client had answered.');
      const cancelTimer = this.#clock.schedule(
        () => giveUp(`The client did not answer within ${this.#timeoutMs} ms.`),
        this.#timeoutMs,
      );
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.set(id, {
        resolve: (result) => end(() => resolve(result)),
        reject: (error) => end(() => reject(error)),
      });
      if (signal.aborted) onAbort();
      else void send(encodeRequest(id, method, params));
    });
  }

  /** Takes in an answer; one to nothing is ignored. */
  settle({ id, result, error }: RpcResponse): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    if (error === undefined) return waiting.resolve(result);
    waiting.reject(
      new CallRefusedError(
        'INPUT_REFUSED',
        `The client refused to answer: ${String(error.message).slice(0, 200)}`,
      ),
    );
  }

  /** Nobody will answer any more. */
  rejectAll(reason: string): void {
    for (const { reject } of Array.from(this.#waiting.values()))
      reject(new CallRefusedError('INPUT_REFUSED', reason));
  }
}
