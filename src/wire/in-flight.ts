import { isPromiseLike } from '../schema/validated.ts';
import type { MaybePromise } from '../schema/validated.ts';
import { toErrorAnswer } from './dispatch.ts';
import type { Answer } from './dispatch.ts';
import type { RequestId } from './json-rpc.ts';
import { INTERNAL_ERROR, invalidRequest } from './rpc-errors.ts';

/** The requests of one client that are being answered, so that it can take them back. */
export class InFlight {
  readonly #controllers = new Map<RequestId, AbortController>();
  #cutFor: string | undefined;

  /** Answers a request; undefined when the client took it back. What was cut off is answered with why. */
  answer(
    id: RequestId,
    run: (signal: AbortSignal) => MaybePromise<Answer>,
  ): MaybePromise<Answer | undefined> {
    if (this.#controllers.has(id))
      return toErrorAnswer(id, invalidRequest(`Invalid request: the id ${JSON.stringify(id)} is in use.`));
    const controller = new AbortController();
    this.#controllers.set(id, controller);
    const end = (answer: Answer): Answer | undefined => {
      this.#controllers.delete(id);
      if (!controller.signal.aborted) return answer;
      return this.#cutFor === undefined
        ? undefined
        : toErrorAnswer(id, { ...INTERNAL_ERROR, message: this.#cutFor });
    };
    const answer = run(controller.signal);
    return isPromiseLike(answer) ? answer.then(end) : end(answer);
  }

  /** Takes a request back. One that is unknown or answered already is nobody's concern. */
  cancel(id: unknown, reason: unknown): void {
    const text = typeof reason === 'string' ? reason : 'The client cancelled the request.';
    this.#controllers.get(id as RequestId)?.abort(new DOMException(text.slice(0, 200), 'AbortError'));
  }

  /** Stops everything. Nobody took anything back, so those who wait are told why. */
  cutOff(reason: string): void {
    this.#cutFor ??= reason;
    for (const id of Array.from(this.#controllers.keys())) this.cancel(id, reason);
  }
}
