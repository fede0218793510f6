import { addToContext } from './add-to-context.ts';
import { setParts } from './middleware.ts';
import type { AnyMiddleware, Middleware, MiddlewareCall, MiddlewareReturn, Next } from './middleware.ts';

/**
 * Two middlewares as one: the second finds in the context what the first has added. For lists, where each one by itself finds only
 * what the tool gives. A chain is composed of the two as if they stood there one after the other.
 *
 * @example
 * const adminOnly = combineMiddleware(withUser, requireAdmin);
 */
export function combineMiddleware<TNeeds extends object, TFirst extends object, TSecond extends object>(
  outer: Middleware<TNeeds, TFirst>,
  inner: Middleware<TNeeds & TFirst, TSecond>,
): Middleware<TNeeds, TFirst & TSecond> {
  const [first, second] = [outer, inner] as unknown as [Middleware, Middleware];
  // Runs only where another middleware calls it by hand; chains take the parts.
  const combined = (call: MiddlewareCall): MiddlewareReturn => {
    const next = (async (added: object = {}) => {
      addToContext(call.context, added);
      return await second(call);
    }) as Next;
    return first({ ...call, next });
  };
  const parts = [outer, inner] as unknown as AnyMiddleware[];
  return setParts(combined, parts) as unknown as Middleware<TNeeds, TFirst & TSecond>;
}
