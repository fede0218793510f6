import { responseKind } from '../format/tool-response.ts';

/**
 * What `next()` gives: the result of everything behind a middleware. Only `next` and {@link answer} make one, which is how the
 * compiler knows that a middleware has returned it.
 */
export class Passed<TAdds extends object = object> {
  /** What the handler returned, as it returned it: a value, or what `success` and `error` make. */
  readonly value: unknown;
  /** Only for the compiler: what was added to the context on the way. */
  declare readonly adds?: TAdds;

  constructor(value: unknown) {
    this.value = value;
  }

  /** Whether the handler reported a failure as a value. A thrown one does not come this way: `next()` rejects with it. */
  get isError(): boolean {
    const { value } = this;
    if (typeof value !== 'object' || value === null) return false;
    try {
      if (responseKind(value) === 'error') return true;
      const { content, isError } = value as { content?: unknown; isError?: unknown };
      return isError === true && Array.isArray(content);
    } catch {
      // A value that throws when it is looked at, such as a proxy, cannot be sent either.
      return true;
    }
  }

  /** The same with another value. */
  withValue(value: unknown): Passed<TAdds> {
    return new Passed<TAdds>(value);
  }
}

/** An answer that a middleware gives by itself. It adds nothing to the context, because nothing runs behind it. */
export type Answered = Passed<never>;

/**
 * Answers a call without going on: with a value, or with what `success` and `error` make.
 *
 * @example
 * const onlyOnWeekdays = defineMiddleware(({ next }) => (isWeekend() ? answer(error('Come back on Monday.')) : next()));
 */
export function answer(value: unknown): Answered {
  return new Passed<never>(value);
}
