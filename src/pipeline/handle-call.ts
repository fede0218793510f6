import { findNearestNames } from '../errors/nearest-names.ts';
import { isPromiseLike } from '../schema/validated.ts';
import type { MaybePromise } from '../schema/validated.ts';
import type { ToolCall } from './call.ts';
import { CallContext } from './call-context.ts';
import { checkOutput } from './check-output.ts';
import type { CompiledTool } from './compiled-tool.ts';
import { complete } from './complete.ts';
import { extendContext } from './extend-context.ts';
import { formatFault, formatOutcome, formatUnknownTool } from './format-outcome.ts';
import type { ToolReply } from './format-outcome.ts';
import { guard } from './guard.ts';
import { takeMinifyHint } from './minify-hint.ts';
import type { Outcome } from './outcome.ts';
import { route } from './route.ts';
import type { RouteTable } from './route.ts';
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
  const tool = route(table, call);
  if (tool === undefined || !guard(tool, call))
    return formatUnknownTool(call.name, visibleNeighbours(table, call));
  try {
    return await serveCall(tool, call);
  } catch (error) {
    // Only a collaborator that breaks its own contract comes here; handlers are caught where they run.
    return formatFault(tool, error);
  }
}

async function serveCall(tool: CompiledTool, call: ToolCall): Promise<ToolReply> {
  const raw = call.arguments ?? NO_ARGUMENTS;
  if (!isArguments(raw)) return formatOutcome(tool, NOT_AN_OBJECT, undefined);
  const hint = takeMinifyHint(tool, raw);
  const minify = call.minifyOverride ?? hint.minify;
  const run: Run = { tool, call, context: new CallContext(tool, call, raw) };

  const work = tool.collaborators.responseFormatter.runWithMinifyOverride(minify, () =>
    start(run, hint.arguments),
  );
  // Work that is already done needs no deadline, and a timer would be a good part of the cost of a small call.
  const outcome = isPromiseLike(work) ? await withinDeadline(work, run) : work;
  run.context.end();
  return formatOutcome(tool, outcome, minify);
}

function start(run: Run, given: Arguments): MaybePromise<Outcome> {
  const { tool, call, context } = run;
  if (call.signal?.aborted === true) return { kind: 'cancelled' };
  if (tool.resolveDefaults !== undefined || tool.collaborators.createContext !== undefined)
    return prepareAndRun(run, given);
  extendContext(context, call.context);
  return secureAndRun(run, given);
}

async function prepareAndRun(run: Run, given: Arguments): Promise<Outcome> {
  const { tool, call, context } = run;
  extendContext(context, call.context, await tool.collaborators.createContext?.(call));
  const completed = await complete(tool, given, context);
  return completed.kind === 'completed' ? secureAndRun(run, completed.arguments) : completed;
}

function secureAndRun(run: Run, given: Arguments): MaybePromise<Outcome> {
  const { tool, call } = run;
  const { accessToken, principal } = call;
  try {
    const secured = tool.secure({ tool: tool.name, arguments: given, accessToken, principal }, (input) =>
      runAndCheck(run, input),
    );
    return isPromiseLike(secured) ? Promise.resolve(secured).catch(fromSecurityError) : secured;
  } catch (error) {
    return fromSecurityError(error);
  }
}

function runAndCheck({ tool, context }: Run, input: unknown): MaybePromise<Outcome> {
  const ran = runHandler(tool, input, context);
  return isPromiseLike(ran) ? ran.then((outcome) => checkOutput(tool, outcome)) : checkOutput(tool, ran);
}

type Arguments = Readonly<Record<string, unknown>>;

const NO_ARGUMENTS: Arguments = Object.freeze({});

const NOT_AN_OBJECT: Outcome = {
  kind: 'invalid-input',
  issues: [{ path: [], message: 'must be an object with the arguments by name', expected: 'object' }],
};

function isArguments(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names like the one that was called, of tools this caller may see. */
function visibleNeighbours(table: RouteTable, call: ToolCall): string[] {
  if (typeof call.name !== 'string') return [];
  const near = findNearestNames(call.name, table.keys());
  return near.filter((name) => {
    const tool = table.get(name);
    return name !== call.name && tool !== undefined && guard(tool, call);
  });
}
