import { toLoggedError } from '../errors/log-thrown.ts';
import type { Logger } from '../errors/logger.ts';
import type { CacheHelpers } from '../stores/cache-helpers.ts';
import type { PolicySubject, Principal, ProgressUpdate, StandardContext } from '../middleware/context.ts';
import type { ToolCall } from './call.ts';

/** What the context of a call is made of. */
export interface CallContextParts {
  readonly name: string;
  readonly operation: string;
  readonly subject: PolicySubject;
  readonly log: Logger;
  readonly cache: CacheHelpers;
}

/**
 * The context of one call. Its signal is made when it is first asked for: most handlers never do, and an AbortController costs
 * more than the rest of the context together.
 */
export class CallContext implements StandardContext {
  readonly name: string;
  readonly action: string | undefined;
  readonly operation: string;
  readonly accessToken: string | undefined;
  readonly principal: Principal | undefined;
  readonly rawArguments: Readonly<Record<string, unknown>>;
  readonly log: Logger;
  readonly cache: CacheHelpers;
  readonly progress: StandardContext['progress'];
  /** The signal of a deadline inside the chain, while one runs; see `narrowSignal`. */
  narrowed: AbortSignal | undefined = undefined;
  private controller: AbortController | undefined = undefined;
  private stopReason: unknown = undefined;
  private isStopped = false;
  private isOver = false;

  constructor(parts: CallContextParts, call: ToolCall, rawArguments: Readonly<Record<string, unknown>>) {
    this.name = parts.name;
    this.action = parts.subject.action;
    this.operation = parts.operation;
    this.log = parts.log;
    this.cache = parts.cache;
    this.accessToken = call.accessToken;
    this.principal = call.principal;
    this.rawArguments = rawArguments;
    const { onProgress } = call;
    this.progress =
      onProgress === undefined ? noProgress : (...update) => this.report(onProgress, toUpdate(...update));
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.isStopped) this.controller.abort(this.stopReason);
    }
    return this.controller.signal;
  }

  /** Whether the handler was told to stop. Asking costs nothing, unlike asking the signal. */
  get hasStopped(): boolean {
    return this.isStopped || (this.narrowed !== undefined && this.narrowed.aborted);
  }

  /** Tells the handler to stop. */
  stop(reason: unknown): void {
    if (this.isStopped) return;
    this.isStopped = true;
    this.stopReason = reason;
    this.controller?.abort(reason);
  }

  /** The call is answered: nothing may be sent for it any more. */
  end(): void {
    this.isOver = true;
  }

  private async report(send: NonNullable<ToolCall['onProgress']>, update: ProgressUpdate): Promise<void> {
    if (this.isOver || this.isStopped) return;
    if (!Number.isFinite(update.progress)) {
      this.log.warning('progress must be a number; it was not sent', { progress: String(update.progress) });
      return;
    }
    try {
      await send(update);
    } catch (error) {
      // A client that is gone must not fail the tool; the call itself will find out.
      this.log.debug('progress could not be sent', { error: toLoggedError(error) });
    }
  }
}

const noProgress = (): Promise<void> => Promise.resolve();

/** Only what the protocol knows: anything else would travel along to the client. */
function toUpdate(given: number | ProgressUpdate, total?: number, message?: string): ProgressUpdate {
  const update = typeof given === 'number' ? { progress: given, total, message } : given;
  return {
    progress: update.progress,
    ...(Number.isFinite(update.total) ? { total: update.total } : {}),
    ...(typeof update.message === 'string' ? { message: update.message } : {}),
  } as ProgressUpdate;
}
