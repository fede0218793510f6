import { isPromiseLike } from '../schema/validated.ts';
import type { MaybePromise } from '../schema/validated.ts';
import type { ToolCall } from './call.ts';
import { CallContext } from './call-context.ts';
import { isArguments, NO_ARGUMENTS, NOT_AN_OBJECT } from './arguments.ts';
import type { Arguments } from './arguments.ts';
import type { CompiledTool } from './compiled-tool.ts';
import { complete } from './complete.ts';
import { runConfirmed, withoutConfirmation } from './confirm.ts';
import { extendContext } from './extend-context.ts';
import { formatFault, formatOutcome, formatUnknownTool } from './format-outcome.ts';
import type { ToolReply } from './tool-reply.ts';
import { hideSecrets, hideToken } from './hide-secrets.ts';
import { takeMinifyHint } from './minify-hint.ts';
import { visibleNeighbours } from './neighbours.ts';
import type { Outcome } from './outcome.ts';
import { route } from './route.ts';
import type { RouteTable, Selection } from './route.ts';
import { runHandler } from './run-handler.ts';
import { fromSecurityError } from './security-failure.ts';
import { withinDeadline } from './within-deadline.ts';
import type { Run } from './within-deadline.ts';

/**
 * The whole life of one tool call: route, guard, complete, secure, run, check, format. Start reading here.
 *
 * Always answers, never throws.
 */
export async function handleCall(table: RouteTable, call: ToolCall): Promise<ToolReply> {
  return handleSelected({ table, call, selection: route(table, call) }, (reply) => reply);
}

/** A call of which is known what it leads to. */
export interface SelectedCall {
  readonly table: RouteTable;
  readonly call: ToolCall;
  readonly selection: Selection;
}

/** The same for a call of which is known what it leads to. Answers at once where nothing had to be waited for. */
export function handleSelected<TEnd>(
  { table, call, selection }: SelectedCall,
  finish: (reply: ToolReply) => MaybePromise<TEnd>,
): MaybePromise<TEnd> {
  if (selection.kind === 'unknown')
    return finish(formatUnknownTool(call.name, visibleNeighbours(table, call)));
  const { tool } = selection;
  if (selection.kind === 'refused')
    return finish(formatSafely(tool, call, { outcome: selection.outcome, minify: undefined }));
  return runCall(tool, { call, given: selection.arguments }, (ended) =>
    finish(formatSafely(tool, call, ended)),
  );
}

function formatSafely(tool: CompiledTool, call: ToolCall, { outcome, minify }: Ended): ToolReply {
  try {
    if (outcome.kind !== 'fault') return formatOutcome(tool, outcome, minify);
    call.onSettled?.();
    return formatFault(tool, outcome.error);
  } catch (error) {
    call.onSettled?.();
    return formatFault(tool, error);
  }
}

/** What came of a call, before it is put into the form that the kind of thing called for has. */
export interface Ended {
  readonly outcome: Outcome | Fault;
  readonly minify: boolean | undefined;
}

/** A collaborator broke its own contract; handlers are caught where they run. */
export interface Fault {
  readonly kind: 'fault';
  readonly error: unknown;
}

/**
 * Everything from the arguments to the outcome. The same for whatever can be called: tools, prompts, resources. What comes after it is
 * given as `finish`, not awaited: every promise on the way is a good part of the cost of a small call. Never throws or rejects itself.
 */
export function runCall<TEnd>(
  tool: CompiledTool,
  { call, given }: { readonly call: ToolCall; readonly given: unknown },
  finish: (ended: Ended) => MaybePromise<TEnd>,
): MaybePromise<TEnd> {
  const raw = given ?? NO_ARGUMENTS;
  if (!isArguments(raw)) return finish({ outcome: NOT_AN_OBJECT, minify: undefined });
  let run: Run;
  let work: MaybePromise<Outcome>;
  try {
    const hint = takeMinifyHint(tool, withoutConfirmation(tool, raw));
    const minify = call.minifyOverride ?? hint.minify;
    run = { tool, call, context: new CallContext(tool, call, raw), minify };
    const begun = run;
    work = tool.collaborators.responseFormatter.runWithMinifyOverride(minify, () =>
      start(begun, hint.arguments),
    );
    if (call.hold !== undefined && isPromiseLike(work)) call.hold.follow(work);
    if (call.onSettled !== undefined) {
      if (isPromiseLike(work)) work.then(call.onSettled, call.onSettled);
      else call.onSettled();
    }
  } catch (error) {
    return finish(toFault(error));
  }
  // Work that is already done needs no deadline.
  return isPromiseLike(work)
    ? withinDeadline(work, run, (outcome) => finish(end(run, outcome)))
    : finish(end(run, work));
}

function end({ tool, call, context, minify }: Run, outcome: Outcome): Ended {
  try {
    context.end();
    // Whatever the handler made of it: as long as a question is open, the client has to be asked.
    if (call.dialogue?.isPending === true && canStillAsk(outcome))
      return { outcome: { kind: 'input-required' }, minify: undefined };
    if (outcome.kind === 'value') return { outcome, minify };
    const hidden = tool.hasSecrets ? hideSecrets(outcome, tool.input.hiderOf(context.rawArguments)) : outcome;
    return { outcome: hideToken(hidden, call.accessToken ?? ''), minify };
  } catch (error) {
    return toFault(error);
  }
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
  const completed = await complete(tool, given, context);
  if (completed.kind !== 'completed') return completed;
  // A resolver may give a hint too, where the caller gave none.
  const hint = takeMinifyHint(tool, completed.arguments);
  run.minify ??= hint.minify;
  return tool.collaborators.responseFormatter.runWithMinifyOverride(run.minify, () =>
    secureAndRun(run, hint.arguments),
  );
}

/** What the wrapper throws at once is read here, what it rejects with later in `withinDeadline`. */
function secureAndRun({ tool, call, context }: Run, given: Arguments): MaybePromise<Outcome> {
  const { accessToken, principal } = call;
  try {
    return tool.secure(
      { tool: tool.name, kind: tool.subject.kind, arguments: given, accessToken, principal },
      (input) =>
        tool.preview === undefined ? runHandler(tool, input, context) : runConfirmed(tool, input, context),
    );
  } catch (error) {
    return fromSecurityError(error);
  }
}
