import { Cancellation } from '../../base/time/cancellation.ts';
import type { Logger } from '../../errors/logger.ts';
import type { StandardContext } from '../context.ts';
import { GuardedController } from './guarded-controller.ts';

/**
 * The cancellation of a call, or of the part of a call behind a deadline. Middleware of Toolwright observes it instead of `context.signal`: an
 * AbortSignal with a listener costs more than the rest of a call, so it is created only if application code reads it.
 */
export class CallCancellation extends Cancellation {
  /** The cancellation of the part around this one. */
  readonly outer: CallCancellation | undefined;
  readonly #log: Pick<Logger, 'error'>;
  #signal: AbortSignal | undefined = undefined;

  constructor(log: Pick<Logger, 'error'>, outer?: CallCancellation) {
    super();
    this.#log = log;
    this.outer = outer;
  }

  /** Aborts on cancellation. Created on first use. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const controller = new GuardedController(this.#log);
      this.#signal = controller.signal;
      this.onCancel(() => controller.abort(this.reason));
    }
    return this.#signal;
  }
}

/** An internal member of the context of a call. */
interface Cancellable {
  cancellation: CallCancellation;
}

/** The cancellation that applies to a middleware. Read it before anything is awaited: a deadline in front may end and replace it. */
export function cancellationOf(context: StandardContext): CallCancellation {
  return (context as unknown as Cancellable).cancellation;
}

/** A separate cancellation for everything behind a middleware. */
export interface NarrowedCancellation {
  /** Cancels only the part behind the middleware. */
  cancel(reason: unknown): void;
  /** Restores the previous cancellation of the context. Code that already read the narrowed signal keeps it. */
  restore(): void;
}

/**
 * Lets everything behind a middleware be cancelled separately. It is cancelled with the call as well.
 *
 * A call has one context object, and `next()` cannot pass another. So the context has the narrowed cancellation, and its signal, while the
 * inner part runs. Consequence: an abandoned handler that reads `context.signal` only after `restore` gets the previous signal. Code that
 * must notice an abort reads the signal at its start: `({ context: { signal } }) => ...`.
 */
export function narrowCancellation(context: StandardContext): NarrowedCancellation {
  const call = context as unknown as Cancellable;
  const outer = call.cancellation;
  const narrowed = new CallCancellation(context.log, outer);
  const follow = (): void => narrowed.cancel(outer.reason);
  outer.onCancel(follow);
  call.cancellation = narrowed;
  return {
    cancel: (reason) => narrowed.cancel(reason),
    restore: () => {
      outer.offCancel(follow);
      // Also from inside a nested one, which belongs to an ended or abandoned part.
      if (isWithin(call.cancellation, narrowed)) call.cancellation = outer;
    },
  };
}

function isWithin(inner: CallCancellation, searched: CallCancellation): boolean {
  let part: CallCancellation | undefined = inner;
  while (part !== undefined && part !== searched) part = part.outer;
  return part === searched;
}
