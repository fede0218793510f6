import { toLoggedError } from '../../errors/log-thrown.ts';
import type { Logger } from '../../errors/logger.ts';

type Listener = Parameters<AbortSignal['addEventListener']>[1];
type ListenerOptions = Parameters<AbortSignal['addEventListener']>[2];

/**
 * An AbortController for signals that application code listens to. Node raises errors of abort listeners as uncaught exceptions, which end
 * the process; here they are logged.
 */
export class GuardedController {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();

  constructor(log: Pick<Logger, 'error'>) {
    this.signal = this.#controller.signal;
    // By prototype instead of own properties for each method, so that reading a signal costs nothing extra.
    // defence: guarded-signals
    Object.setPrototypeOf(this.signal, GuardedSignal.prototype);
    logs.set(this.signal, log);
  }

  abort(reason: unknown): void {
    // Listeners of derived signals (`AbortSignal.any`) cannot be wrapped. Their errors are raised between these two ticks.
    globalThis.process?.nextTick(() => (raising += 1));
    this.#controller.abort(reason);
    globalThis.process?.nextTick(() => (raising -= 1));
  }
}

let raising = 0;

/** Whether the current uncaught exception was thrown by an abort listener. */
export function isFromListener(): boolean {
  // defence: guarded-followers
  return raising > 0;
}

const logs = new WeakMap<object, Pick<Logger, 'error'>>();

/** A signal that catches errors of its listeners. Never constructed: signals get its methods. */
class GuardedSignal extends AbortSignal {
  override addEventListener(type: string, listener: Listener, options?: ListenerOptions): void {
    super.addEventListener(type, guard(listener), options);
  }

  override removeEventListener(type: string, listener: Listener, options?: ListenerOptions): void {
    super.removeEventListener(type, guard(listener), options);
  }

  override get onabort(): AbortSignal['onabort'] {
    return handlers.get(this) ?? null;
  }

  override set onabort(handler: AbortSignal['onabort']) {
    if (typeof handler === 'function') handlers.set(this, handler);
    else handlers.delete(this);
    // oxlint-disable-next-line prefer-add-event-listener -- this is where it is set
    super.onabort = typeof handler === 'function' ? (guard(handler as Listener) as typeof handler) : null;
  }
}

const handlers = new WeakMap<AbortSignal, NonNullable<AbortSignal['onabort']>>();
/** One wrapper per listener, so that adding it twice calls it once and removing it works. */
const guarded = new WeakMap<object, Listener>();

function guard(listener: Listener): Listener {
  if ((typeof listener !== 'function' && typeof listener !== 'object') || listener === null) return listener;
  const known = guarded.get(listener);
  if (known !== undefined) return known;
  const made = function call(this: unknown, event: Event): void {
    const log = logs.get(event.currentTarget as object);
    const fail = (error: unknown): void =>
      log?.error('an abort listener of a call failed', { error: toLoggedError(error) });
    try {
      // Async functions are valid listeners too.
      const returned: unknown =
        typeof listener === 'function'
          ? listener.call(this as AbortSignal, event)
          : listener.handleEvent(event);
      void Promise.resolve(returned).catch(fail);
    } catch (error) {
      fail(error);
    }
  };
  guarded.set(listener, made);
  return made;
}
