import { assertOptions, CLOCK, FUNCTION, oneOf, required } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { ToolwrightError } from '../../errors/errors.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import { toLoggedError } from '../../errors/log-thrown.ts';
import { systemClock, wallTimeOf } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Middleware, MiddlewareCall } from '../middleware.ts';
import type { Passed } from '../passed.ts';
import { codeOf, outcomeOf } from '../parts/call-outcome.ts';

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
  return async ({ context, subject, next }) => {
    const { signal, log } = context;
    const startedAt = clock.now();
    const call = describeCall({ context, subject }, wallTimeOf(clock));
    const logFailure = (error: unknown): void =>
      log.error('the audit record could not be written', { name: call.name, error: toLoggedError(error) });
    // defence: record-before
    if (!subject.isReadOnly) {
      try {
        await write({ phase: 'intent', ...call });
      } catch (error) {
        logFailure(error);
        // defence: refusal-without-a-record
        if (onFailure === 'refuse') throw refused();
      }
    }
    let isRecorded = false;
    const record = async (outcome: AuditOutcome, code?: ErrorCode): Promise<void> => {
      // defence: one-record-a-call
      if (isRecorded) return;
      isRecorded = true;
      try {
        const durationMs = clock.now() - startedAt;
        await write({ phase: 'end', ...call, outcome, ...(code === undefined ? {} : { code }), durationMs });
      } catch (error) {
        logFailure(error);
      }
    };
    return recordEnd(next, { signal, record });
  };
}

interface Recording {
  readonly signal: AbortSignal;
  /** Records the end; only the first call counts. */
  readonly record: (outcome: AuditOutcome, code?: ErrorCode) => Promise<void>;
}

async function recordEnd(next: () => Promise<Passed>, { signal, record }: Recording): Promise<Passed> {
  const onAbort = (): void => void record('cancelled', abortCode(signal));
  if (signal.aborted) onAbort();
  // defence: record-of-what-is-cancelled
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const passed = await next();
    const outcome = outcomeOf(passed);
    await record(outcome, outcome === 'error' ? 'TOOL_ERROR' : undefined);
    return passed;
  } catch (error) {
    const code = codeOf(error);
    // defence: record-of-what-throws
    await record(code === 'CANCELLED' ? 'cancelled' : 'thrown', code);
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Deadlines of middleware and of the pipeline abort with a `TimeoutError`. */
function abortCode({ reason }: AbortSignal): ErrorCode {
  if (reason instanceof ToolwrightError) return reason.code;
  return reason instanceof Error && reason.name === 'TimeoutError' ? 'TIMED_OUT' : 'CANCELLED';
}

/** Without the cause, which is in the log: it would reveal how the trail is stored. */
function refused(): ToolwrightError {
  return new ToolwrightError('TOOL_FAILED', 'The call was refused: its audit record could not be written.');
}

const TRACEPARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

function describeCall(
  { context, subject }: Pick<MiddlewareCall, 'context' | 'subject'>,
  at: number,
): AuditedCall {
  const { traceparent } = context as { traceparent?: unknown };
  return {
    at,
    name: subject.name,
    tool: subject.tool,
    ...(subject.action === undefined ? {} : { action: subject.action }),
    ...(subject.isPreview === undefined ? {} : { isPreview: subject.isPreview }),
    ...(context.principal === undefined ? {} : { principal: context.principal.id }),
    ...(typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? { traceparent } : {}),
  };
}
