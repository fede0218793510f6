import { GuardedController } from './guarded-controller.ts';
import type { StandardContext } from '../context.ts';

/** A separate signal for everything behind a middleware. */
export interface NarrowedSignal {
  /** Aborts only the signal behind the middleware. */
  abort(reason: unknown): void;
  /** Restores the previous signal of the context. Code that already read the narrowed signal keeps it. */
  restore(): void;
}

interface Narrowed {
  /** The context's own property before the first narrowing; undefined for a context of the pipeline, whose class has a getter. */
  readonly before: PropertyDescriptor | undefined;
  /** From outermost to innermost. */
  readonly signals: AbortSignal[];
}

/** Narrowed contexts. Keyed by context, hence per call: nothing outlives the call. */
const narrowedContexts = new WeakMap<object, Narrowed>();

/**
 * Gives everything behind a middleware a signal that can be aborted separately, and that aborts with the previous one as well.
 *
 * A call has one context object, and `next()` cannot pass another. So the narrowed signal is an own property of the context that hides the
 * previous signal while the inner part runs, and is removed afterwards. Consequence: an abandoned handler that reads `context.signal` only
 * after `restore` gets the previous signal. Code that must notice an abort reads the signal at its start: `({ context: { signal } }) =>
 * ...`.
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

/** Removes a signal and those nested in it, which belong to an ended or abandoned part. */
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
