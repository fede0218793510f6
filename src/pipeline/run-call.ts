import { isObject } from '../base/is-object.ts';
import { isPromiseLike } from '../base/maybe-promise.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import { formatPath } from '../errors/issue.ts';
import type { Issue } from '../errors/issue.ts';
import { toLoggedFailure } from '../errors/log-thrown.ts';
import type { ToolCall } from './context/call.ts';
import { CallContext } from './context/call-context.ts';
import { NO_ARGUMENTS, NOT_AN_OBJECT } from './tool/arguments.ts';
import type { Arguments } from './tool/arguments.ts';
import type { CompiledTool } from './tool/compiled-tool.ts';
import { fillDefaults } from './fill-defaults.ts';
import { runConfirmed, withoutConfirmation } from './confirm.ts';
import { extendContext } from './context/extend-context.ts';
import { hideCredentials, hideSecrets } from './tool/hide-secrets.ts';
import { takeMinifyHint } from './minify-hint.ts';
import type { InvalidInput, Outcome } from './tool/outcome.ts';
import { runHandler } from './run-handler.ts';
import { fromSecurityError } from './tool/thrown-issues.ts';
import { withinDeadline } from './within-deadline.ts';
import type { Run } from './within-deadline.ts';

/** The end of a call, before it is converted to a reply. */
export interface Ended {
  readonly outcome: Outcome | Fault;
  readonly minify: boolean | undefined;
}

/** A collaborator broke its contract; errors of handlers are caught where they run. */
export interface Fault {
  readonly kind: 'fault';
  readonly error: unknown;
}

/**
 * Runs a call from its arguments to the outcome: fill, secure, run, check. The same for tools, prompts and resources. Never throws or
 * rejects.
 */
export function runCall(tool: CompiledTool, call: ToolCall, given: unknown): MaybePromise<Ended> {
  const raw = given ?? NO_ARGUMENTS;
  if (!isObject(raw)) return { outcome: NOT_AN_OBJECT, minify: undefined };
  try {
    const hint = takeMinifyHint(tool, withoutConfirmation(tool, raw));
    const minify = call.minifyOverride ?? hint.minify;
    const run: Run = { tool, call, context: new CallContext(tool, call, raw), minify };
    const work = tool.collaborators.responseFormatter.runWithMinifyOverride(minify, () =>
      start(run, hint.arguments),
    );
    if (isPromiseLike(work)) return follow(run, work);
    call.onSettled?.();
    // Finished work needs no deadline.
    return end(run, work);
  } catch (error) {
    return toFault(error);
  }
}

async function follow(run: Run, work: PromiseLike<Outcome>): Promise<Ended> {
  const { hold, onSettled } = run.call;
  try {
    hold?.follow(work);
    if (onSettled !== undefined) work.then(onSettled, onSettled);
    return end(run, await withinDeadline(work, run));
  } catch (error) {
    return toFault(error);
  }
}

function end({ tool, call, context, minify }: Run, outcome: Outcome): Ended {
  context.end();
  // While a request to the client is open, the client must be asked, even if the handler caught the error.
  if (call.dialogue?.isPending === true && canStillAsk(outcome))
    return { outcome: { kind: 'input-required' }, minify: undefined };
  if (outcome.kind === 'value') return { outcome, minify };
  // The credentials first: a secret argument may be part of one, which would no longer be found.
  const shown = show(tool, hideCredentials(outcome, call), context.rawArguments);
  if (shown.kind === 'invalid-input' && shown.error !== undefined) logRejection(tool, shown);
  return { outcome: shown, minify };
}

/** The outcome without secret arguments, and with a bounded number of issues. */
function show({ input, hasSecrets }: CompiledTool, outcome: Outcome, given: Arguments): Outcome {
  const showIssues = (issues: readonly Issue[]): readonly Issue[] => input.showIssues(given, issues);
  if (hasSecrets) return hideSecrets(outcome, { hide: input.hiderOf(given), showIssues });
  if (outcome.kind !== 'invalid-input' || outcome.isThrown !== true) return outcome;
  return { ...outcome, issues: showIssues(outcome.issues) };
}

/** Logged, because the caller could not know: the advertised schema accepts the arguments that the handler rejects. */
function logRejection({ log }: CompiledTool, { issues, error }: InvalidInput): void {
  log.warning('the handler rejected arguments that match the input schema', {
    paths: issues.map(({ path }) => formatPath(path)),
    error: toLoggedFailure(error),
  });
}

function toFault(error: unknown): Ended {
  return { outcome: { kind: 'fault', error }, minify: undefined };
}

function canStillAsk({ kind }: Outcome): boolean {
  return kind !== 'cancelled' && kind !== 'timed-out';
}

function start(run: Run, given: Arguments): MaybePromise<Outcome> {
  const { tool, call, context } = run;
  if (call.cancellation?.isCancelled === true || call.signal?.aborted === true) return { kind: 'cancelled' };
  if (tool.resolveDefaults !== undefined || tool.collaborators.createContext !== undefined)
    return prepareAndRun(run, given);
  try {
    extendContext(context, call.context);
  } catch (error) {
    return { kind: 'failed', error };
  }
  return secureAndRun(run, given);
}

async function prepareAndRun(run: Run, given: Arguments): Promise<Outcome> {
  const { tool, call, context } = run;
  try {
    extendContext(context, call.context, await tool.collaborators.createContext?.(call));
  } catch (error) {
    return { kind: 'failed', error };
  }
  const filled = await fillDefaults(tool, given, context);
  if (filled.kind !== 'filled') return filled;
  // A resolver may return a hint too, if the caller gave none.
  const hint = takeMinifyHint(tool, filled.arguments);
  run.minify ??= hint.minify;
  return tool.collaborators.responseFormatter.runWithMinifyOverride(run.minify, () =>
    secureAndRun(run, hint.arguments),
  );
}

/** Synchronous errors of the wrapper are handled here, rejections in `withinDeadline`. */
function secureAndRun(run: Run, given: Arguments): MaybePromise<Outcome> {
  const { tool, call } = run;
  const { accessToken, principal, address } = call;
  try {
    return tool.secure(
      { tool: tool.name, kind: tool.subject.kind, arguments: given, accessToken, principal, address },
      (input) => runValidated(run, input),
    );
  } catch (error) {
    return fromSecurityError(error);
  }
}

/** Scopes are checked again: a default or a conversion may have made arguments that need more of them than those that were sent. */
function runValidated({ tool, call, context }: Run, input: unknown): MaybePromise<Outcome> {
  try {
    const scopes = tool.findMissingScopes?.(call, input, context.rawArguments);
    if (scopes !== undefined) return { kind: 'missing-scopes', scopes };
  } catch (error) {
    return { kind: 'failed', error };
  }
  return tool.preview === undefined ? runHandler(tool, input, context) : runConfirmed(tool, input, context);
}
