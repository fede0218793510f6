import { GuardedController } from './guarded-controller.ts';
import type { StandardContext } from '../context.ts';

/** A signal of its own for everything behind a middleware. */
export interface NarrowedSignal {
  /** Aborts the signal that those behind see, and no other. */
  abort(reason: unknown): void;
  /** Gives the context its former signal back. Whoever took the narrowed one keeps it. */
  restore(): void;
}

interface Narrowed {
  /** The context's own property before the first narrowing; a context of the pipeline has none, but a getter in its class. */
  readonly before: PropertyDescriptor | undefined;
  /** From the outermost to the innermost. */
  readonly signals: AbortSignal[];
}

/** What is narrowed at the moment. Kept by context, hence by call: nothing outlives it and no two calls meet here. */
const narrowedContexts = new WeakMap<object, Narrowed>();

/**
 * Lets everything behind a middleware see a signal that can be aborted by itself, and aborts with the former one as well.
 *
 * A call has one context object, and `next()` has no way to pass another. So the narrowed signal is an own property of the context
 * that hides the former signal while the inner part runs, and is taken away when the middleware is done with it. What follows from
 * that: code that still runs after `restore` (an abandoned handler) and only then reads `context.signal` finds the former signal.
 * Code that has to notice an abort takes the signal at its start: `({ context: { signal } }) => ...`.
 */
export function narrowSignal(context: StandardContext): NarrowedSignal {
  const outer = context.signal;
  const controller = new GuardedController(context.log);
  const follow = (): void => controller.abort(outer.reason);
  if (outer.aborted) follow();
  else outer.addEventListener('abort', follow, { once: true });
  push(context, controller.signal);
  return {
    abort: (reason) => controller.abort(reason),
    restore: () => {
      outer.removeEventListener('abort', follow);
      drop(context, controller.signal);
    },
  };
}

function push(context: object, signal: AbortSignal): void {
  let narrowed = narrowedContexts.get(context);
  if (narrowed === undefined) {
    narrowed = { before: Object.getOwnPropertyDescriptor(context, 'signal'), signals: [] };
    narrowedContexts.set(context, narrowed);
  }
  narrowed.signals.push(signal);
  (context as { narrowed?: AbortSignal | undefined }).narrowed = signal;
  show(context, { value: signal, writable: false });
}

/** Takes a signal away, and with it those that were put inside it: they belong to a part that is over or abandoned. */
function drop(context: object, signal: AbortSignal): void {
  const narrowed = narrowedContexts.get(context);
  const index = narrowed?.signals.indexOf(signal) ?? -1;
  if (narrowed === undefined || index === -1) return;
  narrowed.signals.length = index;
  const former = narrowed.signals.at(-1);
  (context as { narrowed?: AbortSignal | undefined }).narrowed = former;
  if (former !== undefined) return show(context, { value: former, writable: false });
  narrowedContexts.delete(context);
  if (narrowed.before === undefined) Reflect.deleteProperty(context, 'signal');
  else Object.defineProperty(context, 'signal', narrowed.before);
}

function show(context: object, property: PropertyDescriptor): void {
  Object.defineProperty(context, 'signal', { ...property, configurable: true, enumerable: false });
}
