import { CallRefusedError, ToolwrightError } from '../errors/errors.ts';
import { assertValues, MIDDLEWARE, required } from '../errors/options/rules.ts';
import { responseKind } from '../format/tool-response.ts';
import { isPromiseLike } from '../base/maybe-promise.ts';
import { addToContext } from './add-to-context.ts';
import type { PolicySubject } from './context.ts';
import { HandlerArgument } from './handler-argument.ts';
import { mayRepeat, partsOf } from './middleware.ts';
import type { AnyMiddleware, MiddlewareCall } from './middleware.ts';
import { Passed } from './passed.ts';

/** What runs for a call: a handler, or a handler with everything that stands around it. */
export type Chain = (call: { readonly input: never; readonly context: never }) => unknown;

/** One composed step: the rest of the chain from here on. */
type Step = (input: unknown, context: object) => Promise<Passed>;

/**
 * Composes a handler and its middlewares into one function, the first middleware outermost. Done once: a call runs closures that
 * exist already, and makes nothing but the `next` of each middleware. Later changes of the list are not seen.
 */
export function compileChain(
  handler: Chain,
  middleware: readonly AnyMiddleware[],
  subject: PolicySubject,
): Chain {
  if (middleware.length === 0) return handler;
  const run = handler as unknown as (call: { input: unknown; context: object }) => unknown;
  let step: Step = (input, context) => {
    try {
      const returned = run(new HandlerArgument(input, context));
      return isPromiseLike(returned)
        ? Promise.resolve(returned).then(toPassed)
        : Promise.resolve(new Passed(returned));
    } catch (error) {
      return Promise.reject(asIs(error));
    }
  };
  for (const layer of middleware.flatMap(partsOf).toReversed()) step = wrap(layer, step, subject);
  const outermost = step;
  const read = (returned: unknown): unknown => readResult(returned, subject);
  return ({ input, context }: { input: unknown; context: object }) => outermost(input, context).then(read);
}

/**
 * One layer around the rest. What it returns is not looked at here but once, at the very outside: a look at every layer would cost
 * as much as the layer itself, and the compiler has looked already.
 */
function wrap(layer: AnyMiddleware, inner: Step, subject: PolicySubject): Step {
  const run = layer as unknown as (call: MiddlewareCall) => unknown;
  const isRepeatable = mayRepeat(layer);
  return (input, context) => {
    let isCalled = false;
    const next = (added?: object): Promise<Passed> => {
      if (isCalled && !isRepeatable) return observed(Promise.reject(calledTwice(layer, subject)));
      isCalled = true;
      // The caller was told that the call is over while this middleware did something else: nothing behind it may start.
      if (isOver(context)) return observed(Promise.reject(stopped(subject)));
      try {
        if (added !== undefined) addToContext(context, added);
      } catch (error) {
        return observed(Promise.reject(asIs(error)));
      }
      return observed(inner(input, context));
    };
    try {
      const returned = run({ input, context, subject, next } as unknown as MiddlewareCall);
      return (returned instanceof Promise ? returned : Promise.resolve(returned)) as Promise<Passed>;
    } catch (error) {
      return Promise.reject(asIs(error));
    }
  };
}

/** Whether the call was cancelled or timed out; for what is behind a deadline of its own, whether that has passed. */
function isOver(context: object): boolean {
  return (context as { readonly hasStopped?: boolean }).hasStopped === true;
}

function stopped({ name }: PolicySubject): CallRefusedError {
  return new CallRefusedError(
    'CANCELLED',
    `The call of '${name}' has ended; the next middleware or handler was not started.`,
  );
}

/** A middleware need not look at what `next` gives. If that is a rejection, it must not end the process. */
function observed(passed: Promise<Passed>): Promise<Passed> {
  passed.then(undefined, ignore);
  return passed;
}

function ignore(): void {}

function calledTwice({ name }: AnyMiddleware, subject: PolicySubject): ToolwrightError {
  const who = name === '' ? 'A middleware' : `The middleware "${name}"`;
  return new ToolwrightError(
    'INVALID_MIDDLEWARE',
    `${who} around "${subject.name}" called next() twice. Call it at most once, or wrap the middleware in allowRepeatedNext.`,
  );
}

function readResult(returned: unknown, subject: PolicySubject): unknown {
  if (returned instanceof Passed) return returned.value;
  // In JavaScript nobody has said that an answer is made with answer().
  if (responseKind(returned) !== undefined) return returned;
  throw new ToolwrightError(
    'INVALID_MIDDLEWARE',
    `A middleware around "${subject.name}" returned neither the value of next() nor a result. Write: return next();`,
  );
}

function toPassed(value: unknown): Passed {
  return new Passed(value);
}

/** Handlers may throw anything, and whoever catches it must get just that. */
function asIs(error: unknown): Error {
  return error as Error;
}

/** Refuses what is not a list of functions: for JavaScript, and for lists that were put together by hand. */
export function assertMiddleware(list: unknown, owner: string): asserts list is readonly AnyMiddleware[] {
  assertValues(owner, { middleware: list }, { middleware: required(MIDDLEWARE) });
}
