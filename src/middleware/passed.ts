import { responseKind } from '../format/tool-response.ts';

/**
 * The value of `next()`: the result of everything behind a middleware. Only `next` and {@link answer} create one, so the compiler can check
 * that a middleware returns it.
 */
export class Passed<TAdds extends object = object> {
  /** The unchanged return value of the handler: a value, or that of `success` or `error`. */
  readonly value: unknown;
  /** For the compiler only: the members added to the context. */
  declare readonly adds?: TAdds;

  constructor(value: unknown) {
    this.value = value;
  }

  /** Whether the handler reported a failure as a value. For thrown errors, `next()` rejects instead. */
  get isError(): boolean {
    const { value } = this;
    if (typeof value !== 'object' || value === null) return false;
    try {
      if (responseKind(value) === 'error') return true;
      const { content, isError } = value as { content?: unknown; isError?: unknown };
      return isError === true && Array.isArray(content);
    } catch {
      // A value that throws when it is inspected, such as a proxy, cannot be sent either.
      return true;
    }
  }

  /** The same with another value. */
  withValue(value: unknown): Passed<TAdds> {
    return new Passed<TAdds>(value);
  }
}

/** A result that a middleware returns without calling `next`. It adds nothing to the context. */
export type Answered = Passed<never>;

/**
 * Returns a result without calling `next`: a value, or that of `success` or `error`.
 *
 * @example
 * const onlyOnWeekdays = defineMiddleware(({ next }) => (isWeekend() ? answer(error('Try again on Monday.')) : next()));
 */
export function answer(value: unknown): Answered {
  return new Passed<never>(value);
}
