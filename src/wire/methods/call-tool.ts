import { withoutUnannounced, wrapResult } from '../../registry/legacy-output.ts';
import type { McpCallToolResult } from '../../model/mcp-types.ts';
import { isArguments, NO_ARGUMENTS } from '../../pipeline/arguments.ts';
import { toErrorResult } from '../../pipeline/error-result.ts';
import type { Selection } from '../../pipeline/route.ts';
import type { ToolReply } from '../../pipeline/tool-reply.ts';
import { isPromiseLike } from '../../schema/validated.ts';
import type { MaybePromise } from '../../schema/validated.ts';
import type { ToolSurface } from '../../registry/surface.ts';
import type { Dialogue } from '../../middleware/dialogue.ts';
import { fitContent } from '../fit-content.ts';
import { stamped } from '../method.ts';
import type { Incoming, Method, MethodReply } from '../method.ts';
import { ModernDialogue } from '../modern-dialogue.ts';
import { TASKS_EXTENSION } from '../meta-keys.ts';
import { invalidParams, methodNotFound, missingCapability } from '../rpc-errors.ts';
import { toCall } from './call-parts.ts';
import { askClient, isDialogue, openDialogue } from './rounds.ts';
import type { Opened } from './rounds.ts';
import { callAsTask, callThatMayBecomeTask } from './task-calls.ts';

/** `tools/call`. */
export const callTool: Method = (incoming) => {
  const { served, request } = incoming;
  if (served.tools === undefined) return { error: methodNotFound(request.method) };
  const { name, arguments: args } = request.params ?? {};
  if (typeof name !== 'string')
    return { error: invalidParams('Invalid params: name must be the name of a tool.') };
  // What is in them is between the model and the tool; that they are an object is the client's business.
  if (!isArguments(args ?? NO_ARGUMENTS))
    return { error: invalidParams('Invalid params: arguments must be an object.') };
  const dialogue = openDialogue(incoming);
  const { tools } = served;
  return isPromiseLike(dialogue)
    ? dialogue.then((opened) => run(incoming, tools, opened))
    : run(incoming, tools, dialogue);
};

function run(incoming: Incoming, tools: ToolSurface<never>, dialogue: Opened): MaybePromise<MethodReply> {
  if (!isDialogue(dialogue)) return dialogue;
  const { name, arguments: args } = incoming.request.params as { name: string; arguments?: unknown };
  const call = toCall(incoming, dialogue, { name, arguments: args });
  const selection = tools.select(call);
  // Only what exists: the name is the caller's until then.
  if (selection.kind === 'selected') incoming.served.recent.name = selection.tool.name;
  const task = selection.kind === 'selected' ? selection.tool.task : undefined;
  const finish = (reply: ToolReply): MaybePromise<MethodReply> =>
    encodeToolReply(incoming, { tools, name, dialogue }, reply);
  if (task === undefined || (task.support !== 'required' && !hasTasks(incoming))) {
    return tools.handleSelected(selection, call, finish);
  }
  if (!hasTasks(incoming)) return refuseWithoutTasks(incoming, name);
  const parts = { incoming, tools, selection: selection as Selected, call, finish };
  return task.start === 'call' ? callAsTask(parts) : callThatMayBecomeTask(parts);
}

type Selected = Extract<Selection, { kind: 'selected' }>;

function hasTasks({ exchange }: Incoming): boolean {
  const { era } = exchange.revision;
  return era === 'modern' && exchange.client.capabilities.extensions?.[TASKS_EXTENSION] !== undefined;
}

function refuseWithoutTasks({ served, exchange }: Incoming, name: string): MethodReply {
  const message = `Tool '${name}' runs as a task only, which needs a client with the extension ${TASKS_EXTENSION}.`;
  if (exchange.revision.era === 'modern')
    return { error: missingCapability({ extensions: { [TASKS_EXTENSION]: {} } }, message) };
  const result = served.errorHandler.createErrorResult({ code: 'MISSING_CLIENT_CAPABILITY', message });
  return { json: JSON.stringify(result) };
}

/** Where a reply comes from. */
interface Origin {
  readonly tools: ToolSurface<never>;
  readonly name: string;
  readonly dialogue: Dialogue;
}

function encodeToolReply(incoming: Incoming, origin: Origin, reply: ToolReply): MaybePromise<MethodReply> {
  const { served, exchange } = incoming;
  const isModern = exchange.revision.era === 'modern';
  switch (reply.kind) {
    case 'result':
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

function encodeLegacy({ exchange }: Incoming, { tools, name }: Origin, result: McpCallToolResult): string {
  // Nearly always there is only text, whatever the schema.
  if (result.structuredContent === undefined) return JSON.stringify(fitContent(result, exchange.revision));
  const outputSchema = tools.findTool(name, exchange.caller)?.outputSchema;
  const fitting = outputSchema === undefined ? withoutUnannounced(result) : wrapResult(result, outputSchema);
  return JSON.stringify(fitContent(fitting, exchange.revision));
}
