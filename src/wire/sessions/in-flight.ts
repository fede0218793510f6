import { copyStart } from '../../base/cut-text.ts';
import { Cancellation } from '../../base/time/cancellation.ts';
import { toErrorAnswer } from '../messages/answer.ts';
import type { Answer } from '../messages/answer.ts';
import type { RequestId } from '../messages/json-rpc.ts';
import { INTERNAL_ERROR, invalidRequest } from '../messages/rpc-errors.ts';

/** Error response to a request whose id is used by a running request. */
export function toIdInUse(id: RequestId): Answer {
  return toErrorAnswer(id, invalidRequest(`Invalid request: the id ${JSON.stringify(id)} is in use.`));
}

/**
 * Running requests of one client, so that it can cancel them.
 *
 * Two arrays, ids and cancellations. Not a Map, for the reason given in `OpenList`; they are short.
 */
export class InFlight {
  readonly #ids: RequestId[] = [];
  readonly #running: Cancellation[] = [];
  #cutFor: string | undefined;

  /** Number of running requests. */
  get size(): number {
    return this.#ids.length;
  }

  /** Begins a request, which `end` ends; undefined if its id is in use. */
  begin(id: RequestId): Cancellation | undefined {
    if (this.#ids.includes(id)) return undefined;
    const cancellation = new Cancellation();
    this.#ids.push(id);
    this.#running.push(cancellation);
    return cancellation;
  }

  /** Ends a request, and returns the response to send: undefined if the client cancelled it, an error if the server did. */
  end(id: RequestId, cancellation: Cancellation, answer: Answer): Answer | undefined {
    this.#remove(cancellation);
    // defence: silence-about-what-is-cancelled
    if (cancellation.isCancelled) {
      return this.#cutFor === undefined
        ? undefined
        : toErrorAnswer(id, { ...INTERNAL_ERROR, message: this.#cutFor });
    }
    return answer;
  }

  /** Cancels a request; false if it is unknown or has finished. */
  // defence: cancellation
  cancel(id: unknown, reason: unknown): boolean {
    const text = typeof reason === 'string' ? reason : 'The client cancelled the request.';
    const cancellation = this.#running[this.#ids.indexOf(id as RequestId)];
    cancellation?.cancel(new DOMException(copyStart(text, 200), 'AbortError'));
    return cancellation !== undefined;
  }

  /** Cancels all requests on behalf of the server; clients get an error with the reason. */
  cutOff(reason: string): void {
    this.#cutFor ??= reason;
    for (const id of Array.from(this.#ids)) this.cancel(id, reason);
  }

  /** Moves the last entry to this position: the order does not matter. */
  #remove(cancellation: Cancellation): void {
    const index = this.#running.indexOf(cancellation);
    const lastId = this.#ids.pop();
    const last = this.#running.pop();
    if (last === cancellation || last === undefined || lastId === undefined) return;
    this.#ids[index] = lastId;
    this.#running[index] = last;
  }
}
