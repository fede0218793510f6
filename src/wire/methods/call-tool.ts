import { withoutUnannounced, wrapResult } from '../../registry/legacy-output.ts';
import type { McpCallToolResult } from '../../model/mcp-types.ts';
import { isArguments, NO_ARGUMENTS } from '../../pipeline/arguments.ts';
import { createErrorResult, toErrorResult } from '../../pipeline/error-result.ts';
import type { ToolCall } from '../../pipeline/call.ts';
import type { CompiledTaskOptions } from '../../pipeline/compiled-tool.ts';
import type { Selection } from '../../pipeline/route.ts';
import type { ToolReply } from '../../pipeline/tool-reply.ts';
import { isPromiseLike } from '../../schema/validated.ts';
import type { MaybePromise } from '../../schema/validated.ts';
import type { ToolSurface } from '../../registry/surface.ts';
import type { Dialogue } from '../../middleware/dialogue.ts';
import { fitContent } from '../fit-content.ts';
import { stamped, toFailed } from '../method.ts';
import type { Incoming, MethodReply } from '../method.ts';
import { ModernDialogue } from '../modern-dialogue.ts';
import { TASKS_EXTENSION } from '../meta-keys.ts';
import { invalidParams, methodNotFound, missingCapability } from '../rpc-errors.ts';
import { toCall } from './call-parts.ts';
import { askClient, isDialogue, openDialogue } from './rounds.ts';
import type { Opened } from './rounds.ts';
import { callAsTask, callThatMayBecomeTask } from './task-calls.ts';

/** What comes after a reply. */
type Finish<TEnd> = (reply: MethodReply) => TEnd;

/** `tools/call`. Calls `finish` once, whatever happens, and never throws itself. */
export function callTool<TEnd>(incoming: Incoming, finish: Finish<TEnd>): MaybePromise<TEnd> {
  const { served, request } = incoming;
  if (served.tools === undefined) return finish({ error: methodNotFound(request.method) });
  const { name, arguments: args } = request.params ?? {};
  if (typeof name !== 'string')
    return finish({ error: invalidParams('Invalid params: name must be the name of a tool.') });
  // What is in them is between the model and the tool; that they are an object is the client's business.
  if (!isArguments(args ?? NO_ARGUMENTS))
    return finish({ error: invalidParams('Invalid params: arguments must be an object.') });
  const dialogue = openDialogue(incoming);
  const run = (opened: Opened): MaybePromise<TEnd> =>
    isDialogue(opened) ? routeAndRun(incoming, opened, finish) : finish(opened);
  return isPromiseLike(dialogue)
    ? dialogue.then(run, (error: unknown) => finish(toFailed(incoming, error)))
    : run(dialogue);
}

function routeAndRun<TEnd>(incoming: Incoming, dialogue: Dialogue, finish: Finish<TEnd>): MaybePromise<TEnd> {
  const tools = incoming.served.tools as ToolSurface<never>;
  const { name, arguments: args } = incoming.request.params as { name: string; arguments?: unknown };
  const call = toCall(incoming, dialogue, { name, arguments: args });
  let selection: Selection;
  try {
    selection = tools.select(call);
  } catch (error) {
    return finish(toFailed(incoming, error));
  }
  const origin = { tools, name, dialogue };
  if (selection.kind === 'selected') {
    // Only what exists: the name is the caller's until then.
    incoming.served.recent.name = selection.tool.name;
    if (selection.tool.task !== undefined && mayBeTask(selection.tool.task, incoming))
      return settle(incoming, startTask(incoming, { origin, selection, call }), finish);
  }
  return tools.handleSelected(selection, call, (reply) =>
    settle(incoming, encodeSafely(incoming, origin, reply), finish),
  );
}

/** Goes on with a reply, at once where it is there. */
function settle<TEnd>(
  incoming: Incoming,
  reply: MaybePromise<MethodReply>,
  finish: Finish<TEnd>,
): MaybePromise<TEnd> {
  if (!isPromiseLike(reply)) return finish(reply);
  return reply.then(finish, (error: unknown) => finish(toFailed(incoming, error)));
}

type Selected = Extract<Selection, { kind: 'selected' }>;

/** Where tasks are required, also a call without them gets its answer from there. */
function mayBeTask({ support }: CompiledTaskOptions, incoming: Incoming): boolean {
  return support === 'required' || hasTasks(incoming);
}

async function startTask(
  incoming: Incoming,
  { origin, selection, call }: { origin: Origin; selection: Selected; call: ToolCall },
): Promise<MethodReply> {
  if (!hasTasks(incoming)) return refuseWithoutTasks(incoming, origin.name);
  const finish = (reply: ToolReply): MaybePromise<MethodReply> => encodeToolReply(incoming, origin, reply);
  const parts = { incoming, tools: origin.tools, selection, call, finish };
  return selection.tool.task?.start === 'call' ? callAsTask(parts) : callThatMayBecomeTask(parts);
}

function hasTasks({ exchange }: Incoming): boolean {
  const { era } = exchange.revision;
  return era === 'modern' && exchange.client.capabilities.extensions?.[TASKS_EXTENSION] !== undefined;
}

function refuseWithoutTasks({ served, exchange }: Incoming, name: string): MethodReply {
  const message = `Tool '${name}' runs as a task only, which needs a client with the extension ${TASKS_EXTENSION}.`;
  if (exchange.revision.era === 'modern')
    return { error: missingCapability({ extensions: { [TASKS_EXTENSION]: {} } }, message) };
  const result = createErrorResult(served.errorHandler, { code: 'MISSING_CLIENT_CAPABILITY', message });
  return { json: JSON.stringify(result) };
}

/** Where a reply comes from. */
interface Origin {
  readonly tools: ToolSurface<never>;
  readonly name: string;
  readonly dialogue: Dialogue;
}

function encodeSafely(incoming: Incoming, origin: Origin, reply: ToolReply): MaybePromise<MethodReply> {
  try {
    return encodeToolReply(incoming, origin, reply);
  } catch (error) {
    return toFailed(incoming, error);
  }
}

function encodeToolReply(incoming: Incoming, origin: Origin, reply: ToolReply): MaybePromise<MethodReply> {
  const { served, exchange } = incoming;
  const isModern = exchange.revision.era === 'modern';
  switch (reply.kind) {
    case 'result':
      if (reply.plainText !== undefined)
        return { json: encodeText(reply.plainText, isModern ? served.stamp : undefined) };
      return {
        json: isModern ? stamped(served, reply.result) : encodeLegacy(incoming, origin, reply.result),
      };
    case 'input-required':
      return origin.dialogue instanceof ModernDialogue
        ? askClient(incoming, origin.dialogue)
        : { json: JSON.stringify(toErrorResult(reply, served.errorHandler)) };
    case 'protocol-error': {
      const { code, message, data, reason } = reply;
      // Earlier revisions have no error for this; the model reads about it instead.
      if (reason === 'MISSING_CLIENT_CAPABILITY' && !isModern)
        return { json: JSON.stringify(toErrorResult(reply, served.errorHandler)) };
      const status = reason === 'MISSING_CLIENT_CAPABILITY' ? { status: 400 } : {};
      return { error: { code, message, ...(data === undefined ? {} : { data }), ...status } };
    }
    default:
      return reply satisfies never;
  }
}

/** What most results are. */
function encodeText(text: string, stamp: string | undefined): string {
  const content = `"content":[{"type":"text","text":${JSON.stringify(text)}}]}`;
  return stamp === undefined ? `{${content}` : `{${stamp},${content}`;
}

function encodeLegacy({ exchange }: Incoming, { tools, name }: Origin, result: McpCallToolResult): string {
  // Nearly always there is only text, whatever the schema.
  if (result.structuredContent === undefined) return JSON.stringify(fitContent(result, exchange.revision));
  const outputSchema = tools.findTool(name, exchange.caller)?.outputSchema;
  const fitting = outputSchema === undefined ? withoutUnannounced(result) : wrapResult(result, outputSchema);
  return JSON.stringify(fitContent(fitting, exchange.revision));
}
