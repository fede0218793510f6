import { wrap } from './compile-chain.ts';
import { allowRepeatedNext } from './middleware.ts';
import type { Middleware, MiddlewareCall, MiddlewareReturn } from './middleware.ts';

/**
 * Two middlewares as one: the second finds in the context what the first has added. For lists, where each one by itself finds only
 * what the tool gives.
 *
 * @example
 * const adminOnly = combineMiddleware(withUser, requireAdmin);
 */
export function combineMiddleware<TNeeds extends object, TFirst extends object, TSecond extends object>(
  outer: Middleware<TNeeds, TFirst>,
  inner: Middleware<TNeeds & TFirst, TSecond>,
): Middleware<TNeeds, TFirst & TSecond> {
  const combined = ({ input, context, subject, next }: MiddlewareCall): MiddlewareReturn => {
    const second = wrap(inner, () => next(), subject);
    return wrap(outer, second, subject)(input, context);
  };
  // Each of the two goes on once, unless it may repeat: both are held to that inside.
  return allowRepeatedNext(combined) as unknown as Middleware<TNeeds, TFirst & TSecond>;
}
