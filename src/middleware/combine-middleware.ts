import { addToContext } from './add-to-context.ts';
import { setParts } from './middleware.ts';
import type { AnyMiddleware, Middleware, MiddlewareCall, MiddlewareReturn, Next } from './middleware.ts';

/**
 * Combines two middlewares into one: the second sees the context members that the first adds. In an array, each middleware sees only the
 * context of the tool. Chains are composed as if both were listed one after the other.
 *
 * @example
 * const adminOnly = combineMiddleware(withUser, requireAdmin);
 */
export function combineMiddleware<TNeeds extends object, TFirst extends object, TSecond extends object>(
  outer: Middleware<TNeeds, TFirst>,
  inner: Middleware<TNeeds & TFirst, TSecond>,
): Middleware<TNeeds, TFirst & TSecond> {
  const [first, second] = [outer, inner] as unknown as [Middleware, Middleware];
  // Runs only if another middleware calls it directly; chains use the parts.
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
