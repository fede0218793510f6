import { findNearestNames } from '../errors/nearest-names.ts';
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
import { hideSecrets } from './hide-secrets.ts';
import { takeMinifyHint } from './minify-hint.ts';
import type { Outcome } from './outcome.ts';
import { isVisible, route } from './route.ts';
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
  return handleSelected(table, call, route(table, call));
}

/** The same for a call of which is known what it leads to. Answers at once where nothing had to be waited for. */
export function handleSelected(
  table: RouteTable,
  call: ToolCall,
  selection: Selection,
): MaybePromise<ToolReply> {
  if (selection.kind === 'unknown') return formatUnknownTool(call.name, visibleNeighbours(table, call));
  const { tool } = selection;
  try {
    if (selection.kind === 'refused') return formatOutcome(tool, selection.outcome, undefined);
    const ended = runCall(tool, call, selection.arguments);
    if (!isPromiseLike(ended)) return formatOutcome(tool, ended.outcome, ended.minify);
    return ended.then(
      (settled) => formatSafely(tool, call, settled),
      (error: unknown) => fail(tool, call, error),
    );
  } catch (error) {
    return fail(tool, call, error);
  }
}

function formatSafely(tool: CompiledTool, call: ToolCall, { outcome, minify }: Ended): ToolReply {
  try {
    return formatOutcome(tool, outcome, minify);
  } catch (error) {
    return fail(tool, call, error);
  }
}

/** Only a collaborator that breaks its own contract comes here; handlers are caught where they run. */
function fail(tool: CompiledTool, call: ToolCall, error: unknown): ToolReply {
  call.onSettled?.();
  return formatFault(tool, error);
}

/** What came of a call, before it is put into the form that the kind of thing called for has. */
export interface Ended {
  readonly outcome: Outcome;
  readonly minify: boolean | undefined;
}

/** Everything from the arguments to the outcome. The same for whatever can be called: tools, prompts, resources. */
export function runCall(tool: CompiledTool, call: ToolCall, given: unknown): MaybePromise<Ended> {
  const raw = given ?? NO_ARGUMENTS;
  if (!isArguments(raw)) return { outcome: NOT_AN_OBJECT, minify: undefined };
  const hint = takeMinifyHint(tool, withoutConfirmation(tool, raw));
  const minify = call.minifyOverride ?? hint.minify;
  const run: Run = { tool, call, context: new CallContext(tool, call, raw), minify };
  const end = (outcome: Outcome): Ended => {
    run.context.end();
    // Whatever the handler made of it: as long as a question is open, the client has to be asked.
    if (call.dialogue?.isPending === true && canStillAsk(outcome))
      return { outcome: { kind: 'input-required' }, minify: undefined };
    const shown =
      tool.hasSecrets && outcome.kind !== 'value' ? hideSecrets(outcome, tool.input.hiderOf(raw)) : outcome;
    return { outcome: shown, minify: run.minify };
  };

  const work = tool.collaborators.responseFormatter.runWithMinifyOverride(minify, () =>
    start(run, hint.arguments),
  );
  if (!isPromiseLike(work)) {
    call.onSettled?.();
    return end(work);
  }
  if (call.onSettled !== undefined) work.then(call.onSettled, call.onSettled);
  // Work that is already done needs no deadline, and a timer would be a good part of the cost of a small call.
  return withinDeadline(work, run, end);
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

/** Names like the one that was called, of tools this caller may see. What is hidden takes no part, not even by a place in the list. */
function visibleNeighbours(table: RouteTable, call: ToolCall): string[] {
  if (typeof call.name !== 'string') return [];
  return findNearestNames(call.name, visibleNames(table, call));
}

function* visibleNames(table: RouteTable, call: ToolCall): Generator<string> {
  for (const [name, target] of table) {
    if (name !== call.name && isVisible(target, call)) yield name;
  }
}
