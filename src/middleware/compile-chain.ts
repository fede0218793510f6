import { CallRefusedError, ToolwrightError } from '../errors/errors.ts';
import { assertValues, MIDDLEWARE, required } from '../errors/options/rules.ts';
import { responseKind } from '../format/tool-response.ts';
import { isPromiseLike } from '../base/maybe-promise.ts';
import { memoryStateOf, setMemoryState } from '../stores/memory-state.ts';
import { addToContext } from './add-to-context.ts';
import type { PolicySubject } from './context.ts';
import { HandlerArgument } from './handler-argument.ts';
import { mayRepeat, partsOf } from './middleware.ts';
import type { AnyMiddleware, MiddlewareCall } from './middleware.ts';
import { Passed } from './passed.ts';

/** A handler, or a handler with its middleware. */
export type Chain = (call: { readonly input: never; readonly context: never }) => unknown;

/** The rest of the chain, composed into one function. */
type Step = (input: unknown, context: object) => Promise<Passed>;

/**
 * Composes a handler and its middleware into one function, the first middleware outermost. Composed once: a call only creates the `next` of
 * each middleware. Later changes to the array have no effect.
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
  const layers = middleware.flatMap(partsOf);
  for (const layer of layers.toReversed()) step = wrap(layer, step, subject);
  const outermost = step;
  const read = (returned: unknown): unknown => readResult(returned, subject);
  const chain: Chain = ({ input, context }: { input: unknown; context: object }) =>
    outermost(input, context).then(read);
  return setMemoryState(chain, layers.flatMap(memoryStateOf));
}

/**
 * One middleware around the rest. Return values are checked once, in the outermost layer: a check per layer would cost as much as the
 * layer, and the compiler already checks types.
 */
function wrap(layer: AnyMiddleware, inner: Step, subject: PolicySubject): Step {
  const run = layer as unknown as (call: MiddlewareCall) => unknown;
  const isRepeatable = mayRepeat(layer);
  return (input, context) => {
    let isCalled = false;
    const next = (added?: object): Promise<Passed> => {
      if (isCalled && !isRepeatable) return observed(Promise.reject(calledTwice(layer, subject)));
      isCalled = true;
      // The call ended while this middleware was running, so nothing behind it may start.
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

/** Whether the call was cancelled or timed out; behind a `timeout`, whether that deadline has passed. */
function isOver(context: object): boolean {
  return (context as { readonly hasStopped?: boolean }).hasStopped === true;
}

function stopped({ name }: PolicySubject): CallRefusedError {
  return new CallRefusedError(
    'CANCELLED',
    `The call of '${name}' has ended; the next middleware or handler was not started.`,
  );
}

/** A middleware may ignore the result of `next()`. An unhandled rejection must not end the process. */
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
  // JavaScript code may return the value of `success()` or `error()` without `answer()`.
  if (responseKind(returned) !== undefined) return returned;
  throw new ToolwrightError(
    'INVALID_MIDDLEWARE',
    `A middleware around "${subject.name}" returned neither the value of next() nor a result. Write: return next();`,
  );
}

function toPassed(value: unknown): Passed {
  return new Passed(value);
}

/** Handlers may throw any value; it must be rethrown unchanged. */
function asIs(error: unknown): Error {
  return error as Error;
}

/** Rejects values that are not an array of functions; for JavaScript. */
export function assertMiddleware(list: unknown, owner: string): asserts list is readonly AnyMiddleware[] {
  assertValues(owner, { middleware: list }, { middleware: required(MIDDLEWARE) });
}
