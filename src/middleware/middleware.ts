import type { PolicySubject, Reserved, ToolContext } from './context.ts';
import type { Passed } from './passed.ts';

/** Goes on with the call. What is given is added to the context of everything behind this middleware. */
export interface Next {
  (): Promise<Passed>;
  <TAdded extends object>(added: TAdded & Reserved): Promise<Passed<TAdded>>;
}

/** What a middleware is called with. */
export interface MiddlewareCall<TContext extends object = object> {
  /** The validated arguments. */
  readonly input: unknown;
  readonly context: ToolContext<TContext>;
  /** The tool or action that is called. */
  readonly subject: PolicySubject;
  /** Goes on with the call; to be called once at most. */
  readonly next: Next;
}

/**
 * What a middleware may return: what `next()` gave, possibly with another value, or an answer of its own. Nothing else fits, so a
 * middleware that forgets to return is a compile error.
 */
export type MiddlewareReturn<TAdds extends object = object> = Passed<TAdds> | Promise<Passed<TAdds>>;

/** One function around a handler. `TNeeds`: what it must find in the context; `TAdds`: what it adds for those behind it. */
export type Middleware<TNeeds extends object = object, TAdds extends object = object> = (
  call: MiddlewareCall<TNeeds>,
) => MiddlewareReturn<TAdds>;

/** Any middleware that runs with the given context. */
export type AnyMiddleware<TContext extends object = never> = (
  call: MiddlewareCall<TContext>,
) => MiddlewareReturn;

/** What a list of middlewares adds to the context, taken together. */
export type AddedBy<TList extends readonly unknown[]> = TList extends readonly [infer TFirst, ...infer TRest]
  ? AddedByOne<TFirst> & AddedBy<TRest>
  : object;

type AddedByOne<TMiddleware> = TMiddleware extends (call: never) => infer TReturn
  ? Extract<Awaited<TReturn>, Passed> extends Passed<infer TAdds>
    ? TAdds
    : object
  : object;

/**
 * Defines a middleware; what it adds to the context is inferred from what it passes to `next`.
 *
 * @example
 * const withUser = defineMiddleware(async ({ context, next }) => next({ user: await findUser(context.accessToken) }));
 */
export function defineMiddleware<TAdds extends object = object>(
  middleware: (call: MiddlewareCall) => MiddlewareReturn<TAdds>,
): Middleware<object, TAdds> {
  return middleware;
}

/**
 * `defineMiddleware` for middleware that needs something in the context: of the registry, or of a middleware before it.
 *
 * @example
 * const requireAdmin = defineMiddlewareFor<{ user: User }>()(({ context, next }) =>
 *   context.user.isAdmin ? next() : answer(error('Only administrators may do this.')),
 * );
 */
export function defineMiddlewareFor<TNeeds extends object>(): <TAdds extends object = object>(
  middleware: (call: MiddlewareCall<TNeeds>) => MiddlewareReturn<TAdds>,
) => Middleware<TNeeds, TAdds> {
  return (middleware) => middleware;
}

const REPEATS: unique symbol = Symbol.for('toolwright.repeats');

/** Allows a middleware to call `next` again: for those that try a call several times, and know why that is safe. */
export function allowRepeatedNext<TMiddleware extends (call: never) => unknown>(
  middleware: TMiddleware,
): TMiddleware {
  return Object.defineProperty(middleware, REPEATS, { value: true });
}

/** Whether a middleware may call `next` more than once. */
export function mayRepeat(middleware: object): boolean {
  return (middleware as { [REPEATS]?: unknown })[REPEATS] === true;
}

const PARTS: unique symbol = Symbol.for('toolwright.parts');

/** Says which middlewares one stands for. */
export function setParts<TMiddleware extends object>(
  middleware: TMiddleware,
  parts: readonly AnyMiddleware[],
): TMiddleware {
  return Object.defineProperty(middleware, PARTS, { value: parts });
}

/** The middlewares that one stands for, outermost first: itself, unless it was combined of others. */
export function partsOf(middleware: AnyMiddleware): readonly AnyMiddleware[] {
  const { [PARTS]: parts } = middleware as { [PARTS]?: readonly AnyMiddleware[] };
  return parts === undefined ? [middleware] : parts.flatMap(partsOf);
}
