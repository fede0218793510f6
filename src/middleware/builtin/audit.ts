import { assertOptions, CLOCK, FUNCTION, oneOf, required } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { ToolwrightError } from '../../errors/errors.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import { toLoggedError } from '../../errors/log-thrown.ts';
import type { Logger } from '../../errors/logger.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Cancellation } from '../../base/time/cancellation.ts';
import { systemClock, wallTimeOf } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Middleware, MiddlewareCall } from '../middleware.ts';
import { cancellationOf } from '../parts/call-cancellation.ts';
import { codeOf, outcomeOf } from '../parts/call-outcome.ts';
import { traceparentOf } from '../parts/traceparent.ts';

/** The outcome of a call. `cancelled`: the caller cancelled it or the deadline passed; the handler may or may not have finished. */
export type AuditOutcome = 'ok' | 'error' | 'thrown' | 'cancelled';

/** Members of every record. No arguments, results or messages, because they may contain secrets. */
export interface AuditedCall {
  /** Start of the call in milliseconds since 1970, by the wall time of the clock; the same in the intent and the end record. */
  readonly at: number;
  /** The canonical name, such as `platform.users.create`. */
  readonly name: string;
  readonly tool: string;
  readonly action?: string;
  /** Set if only a preview ran: nothing was changed. */
  readonly isPreview?: true;
  /** The id of the principal. */
  readonly principal?: string;
  /** W3C trace context of the call, if the context has a member of this name. */
  readonly traceparent?: string;
}

/** A call that is about to run. Written for every tool that is not read-only. */
export interface AuditIntent extends AuditedCall {
  readonly phase: 'intent';
}

/** A call that has ended. Written once for every call. */
export interface AuditEnd extends AuditedCall {
  readonly phase: 'end';
  readonly outcome: AuditOutcome;
  /** Set unless the outcome is `ok`. */
  readonly code?: ErrorCode;
  readonly durationMs: number;
}

/** A record of the audit trail. */
export type AuditRecord = AuditIntent | AuditEnd;

/** Options of {@link audit}. */
export interface AuditOptions {
  /** Stores a record. The call waits for it. */
  readonly write: (record: AuditRecord) => void | Promise<void>;
  /**
   * Behavior when an intent record cannot be written: the call is rejected before it runs (`'refuse'`), or it runs and the failure is
   * logged (`'log'`). A failed end record is always logged, because the call has already run. Default: `'refuse'`.
   */
  readonly onFailure?: 'refuse' | 'log';
  /** Clock, for tests. Default: the system clock. */
  readonly clock?: Clock;
}

const OPTIONS: Rules<keyof AuditOptions> = {
  write: required(FUNCTION),
  onFailure: oneOf('refuse', 'log'),
  clock: CLOCK,
};

/**
 * Writes an audit trail: caller, tool, time and outcome of each call. For tools that are not read-only, an intent is recorded before the
 * handler runs, so that every change leaves a record. A cancelled call is recorded immediately, even if its handler never ends.
 *
 * @example
 * const registry = new ToolRegistry().use(audit({ write: (record) => trail.append(record) }));
 */
export function audit(options: AuditOptions): Middleware {
  assertOptions('audit', options, OPTIONS);
  const { write, onFailure = 'refuse', clock = systemClock } = options;
  const trail = { write, onFailure, clock };
  return async (call) => {
    const { context, subject, next } = call;
    const cancellation = cancellationOf(context);
    const records = new CallRecords(trail, call);
    // defence: record-before
    if (!subject.isReadOnly) {
      const written = records.writeIntent();
      if (isPromiseLike(written)) await written;
    }
    const onCancel = (): void => void records.writeEnd('cancelled', codeOfCancellation(cancellation));
    // defence: record-of-what-is-cancelled
    cancellation.onCancel(onCancel);
    try {
      const passed = await next();
      const outcome = outcomeOf(passed);
      const written = records.writeEnd(outcome, outcome === 'error' ? 'TOOL_ERROR' : undefined);
      if (isPromiseLike(written)) await written;
      return passed;
    } catch (error) {
      const code = codeOf(error);
      // defence: record-of-what-throws
      await records.writeEnd(code === 'CANCELLED' ? 'cancelled' : 'thrown', code);
      throw error;
    } finally {
      cancellation.offCancel(onCancel);
    }
  };
}

/** The records of one call. Writing is synchronous unless `write` returns a promise. */
class CallRecords {
  readonly #trail: Required<AuditOptions>;
  readonly #call: AuditedCall;
  readonly #log: Logger;
  readonly #startedAt: number;
  #hasEnded = false;

  constructor(trail: Required<AuditOptions>, call: MiddlewareCall) {
    this.#trail = trail;
    this.#startedAt = trail.clock.now();
    this.#call = describeCall(call, wallTimeOf(trail.clock));
    this.#log = call.context.log;
  }

  /** Throws or rejects if the call must not run. */
  writeIntent(): MaybePromise<void> {
    return this.#write(
      () => ({ phase: 'intent', ...this.#call }),
      () => {
        // defence: refusal-without-a-record
        if (this.#trail.onFailure === 'refuse') throw refused();
      },
    );
  }

  /** Only the first end of a call is written. Never throws or rejects. */
  writeEnd(outcome: AuditOutcome, code?: ErrorCode): MaybePromise<void> {
    // defence: one-record-a-call
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    return this.#write(() => {
      const durationMs = this.#trail.clock.now() - this.#startedAt;
      return { phase: 'end', ...this.#call, outcome, ...(code && { code }), durationMs };
    });
  }

  #write(create: () => AuditRecord, onFailure?: () => void): MaybePromise<void> {
    const { write } = this.#trail;
    const fail = (error: unknown): void => {
      const { name } = this.#call;
      this.#log.error('the audit record could not be written', { name, error: toLoggedError(error) });
      onFailure?.();
    };
    let written: unknown;
    try {
      written = write(create());
    } catch (error) {
      return fail(error);
    }
    return isPromiseLike(written) ? Promise.resolve(written).then(() => {}, fail) : undefined;
  }
}

/** Deadlines of middleware and of the pipeline cancel with a `TimeoutError`. */
function codeOfCancellation({ reason }: Cancellation): ErrorCode {
  if (reason instanceof ToolwrightError) return reason.code;
  return reason instanceof Error && reason.name === 'TimeoutError' ? 'TIMED_OUT' : 'CANCELLED';
}

/** Without the cause, which is in the log: it would reveal how the trail is stored. */
function refused(): ToolwrightError {
  return new ToolwrightError('TOOL_FAILED', 'The call was refused: its audit record could not be written.');
}

function describeCall({ context, subject }: MiddlewareCall, at: number): AuditedCall {
  const { name, tool, action, isPreview } = subject;
  const { principal } = context;
  const traceparent = traceparentOf(context);
  const call: { -readonly [Member in keyof AuditedCall]: AuditedCall[Member] } = { at, name, tool };
  if (action !== undefined) call.action = action;
  if (isPreview !== undefined) call.isPreview = isPreview;
  if (principal !== undefined) call.principal = principal.id;
  if (traceparent !== undefined) call.traceparent = traceparent;
  return call;
}
