import { copyStart } from '../../base/cut-text.ts';
import { Cancellation } from '../../base/time/cancellation.ts';
import { toErrorAnswer } from '../messages/answer.ts';
import type { Answer } from '../messages/answer.ts';
import type { RequestId } from '../messages/json-rpc.ts';
import { INTERNAL_ERROR, invalidRequest } from '../messages/rpc-errors.ts';

/** The answer to a request whose id another one has that is being answered. */
export function toIdInUse(id: RequestId): Answer {
  return toErrorAnswer(id, invalidRequest(`Invalid request: the id ${JSON.stringify(id)} is in use.`));
}

/**
 * The requests of one client that are being answered, so that it can take them back.
 *
 * Two lists, the ids and what belongs to each of them. Not a Map, for the reason that `OpenList` gives; there are few at a time.
 */
export class InFlight {
  readonly #ids: RequestId[] = [];
  readonly #running: Cancellation[] = [];
  #cutFor: string | undefined;

  /** How many there are. */
  get size(): number {
    return this.#ids.length;
  }

  /** Begins a request, which `end` ends; undefined when its id is in use. */
  begin(id: RequestId): Cancellation | undefined {
    if (this.#ids.includes(id)) return undefined;
    const cancellation = new Cancellation();
    this.#ids.push(id);
    this.#running.push(cancellation);
    return cancellation;
  }

  /** Ends a request, and says what is sent for it: nothing when the client took it back. What was cut off is answered with why. */
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

  /** Takes a request back. One that is unknown or answered already is nobody's concern. */
  // defence: cancellation
  cancel(id: unknown, reason: unknown): void {
    const text = typeof reason === 'string' ? reason : 'The client cancelled the request.';
    const cancellation = this.#running[this.#ids.indexOf(id as RequestId)];
    cancellation?.cancel(new DOMException(copyStart(text, 200), 'AbortError'));
  }

  /** Stops everything. Nobody took anything back, so those who wait are told why. */
  cutOff(reason: string): void {
    this.#cutFor ??= reason;
    for (const id of Array.from(this.#ids)) this.cancel(id, reason);
  }

  /** The last one takes its place: their order is nobody's concern. */
  #remove(cancellation: Cancellation): void {
    const index = this.#running.indexOf(cancellation);
    const lastId = this.#ids.pop();
    const last = this.#running.pop();
    if (last === cancellation || last === undefined || lastId === undefined) return;
    this.#ids[index] = lastId;
    this.#running[index] = last;
  }
}
