import type { PolicySubject, Reserved, ToolContext } from './context.ts';
import type { Passed } from './passed.ts';

/** Runs the rest of the chain. Members of the argument are added to the context behind this middleware. */
export interface Next {
  (): Promise<Passed>;
  <TAdded extends object>(added: TAdded & Reserved): Promise<Passed<TAdded>>;
}

/** The parameter of a middleware. */
export interface MiddlewareCall<TContext extends object = object> {
  /** The validated arguments. */
  readonly input: unknown;
  /** The context of the handler. */
  readonly context: ToolContext<TContext>;
  /** The called tool or action. */
  readonly subject: PolicySubject;
  /** Runs the rest of the chain. Call it at most once. */
  readonly next: Next;
}

/**
 * The return type of a middleware: the value of `next()`, possibly with another result, or a result of its own with `answer()`. Other types
 * do not compile, so a missing `return` is a compile error.
 */
export type MiddlewareReturn<TAdds extends object = object> = Passed<TAdds> | Promise<Passed<TAdds>>;

/** A function around a handler. `TNeeds`: required context members; `TAdds`: context members that it adds. */
export type Middleware<TNeeds extends object = object, TAdds extends object = object> = (
  call: MiddlewareCall<TNeeds>,
) => MiddlewareReturn<TAdds>;

/** A middleware that runs with the given context. */
export type AnyMiddleware<TContext extends object = never> = (
  call: MiddlewareCall<TContext>,
) => MiddlewareReturn;

/** The context members that an array of middleware adds. */
export type AddedBy<TList extends readonly unknown[]> = TList extends readonly [infer TFirst, ...infer TRest]
  ? AddedByOne<TFirst> & AddedBy<TRest>
  : object;

type AddedByOne<TMiddleware> = TMiddleware extends (call: never) => infer TReturn
  ? Extract<Awaited<TReturn>, Passed> extends Passed<infer TAdds>
    ? TAdds
    : object
  : object;

/**
 * Defines a middleware. The context members that it adds are inferred from the argument of `next`.
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
 * `defineMiddleware` for middleware that requires context members of the registry or of an earlier middleware.
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

/** Allows a middleware to call `next` more than once, for example to retry calls that are safe to repeat. */
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

/** Records the middlewares that a combined middleware consists of. */
export function setParts<TMiddleware extends object>(
  middleware: TMiddleware,
  parts: readonly AnyMiddleware[],
): TMiddleware {
  return Object.defineProperty(middleware, PARTS, { value: parts });
}

/** The middlewares that a middleware consists of, outermost first: itself, unless it was combined. */
export function partsOf(middleware: AnyMiddleware): readonly AnyMiddleware[] {
  const { [PARTS]: parts } = middleware as { [PARTS]?: readonly AnyMiddleware[] };
  return parts === undefined ? [middleware] : parts.flatMap(partsOf);
}
