import { isObject } from '../../base/is-object.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import type { Dialogue } from '../../middleware/dialogue.ts';
import { NO_ARGUMENTS } from '../../pipeline/tool/arguments.ts';
import type { ToolCall } from '../../pipeline/context/call.ts';
import type { CompiledTaskOptions } from '../../pipeline/tool/compiled-tool.ts';
import { createErrorResult } from '../../pipeline/reply/error-result.ts';
import type { Selected } from '../../pipeline/route.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { checkArgumentHeaders } from '../served/header-checks.ts';
import type { RpcError } from '../messages/json-rpc.ts';
import { TASKS_EXTENSION } from '../messages/meta-keys.ts';
import type { Incoming, Method, MethodReply } from '../services/method.ts';
import { invalidParams, methodNotFound, missingCapability } from '../messages/rpc-errors.ts';
import { toCall } from './call-parts.ts';
import { isDialogue, openDialogue } from './rounds.ts';
import { callAsTask, callThatMayBecomeTask } from './task-calls.ts';
import { encodeToolReply } from './tool-replies.ts';

/** `tools/call`. */
export const callTool: Method = async (incoming): Promise<MethodReply> => {
  const { services, request } = incoming;
  const { tools } = services;
  if (tools === undefined) return { error: methodNotFound(request.method) };
  const { name, arguments: args } = request.params ?? {};
  if (typeof name !== 'string')
    return { error: invalidParams('Invalid params: name must be the name of a tool.') };
  // The tool validates its arguments; that they are an object is required by the protocol.
  if (!isObject(args ?? NO_ARGUMENTS))
    return { error: invalidParams('Invalid params: arguments must be an object.') };
  const opened = openDialogue(incoming);
  // Calls begin in the order of their requests, unless a request state has to be decrypted first.
  const dialogue = isPromiseLike(opened) ? await opened : opened;
  if (!isDialogue(dialogue)) return dialogue;
  const reply = await tools.handleCall(
    toCall(incoming, dialogue, { name, arguments: args }),
    (selected, call) => before(incoming, { selected, call, dialogue }),
  );
  return 'kind' in reply ? encodeToolReply(incoming, { name, dialogue }, reply) : reply;
};

/** A call whose tool was found. */
interface KnownCall {
  readonly selected: Selected;
  readonly call: ToolCall;
  readonly dialogue: Dialogue;
}

/** Checks before a call runs: argument headers and tasks. */
function before(incoming: Incoming, known: KnownCall): MaybePromise<MethodReply> | undefined {
  const { selected, call } = known;
  const error = refuseHeaders(incoming, selected, call);
  if (error !== undefined) {
    endRejected(known, 'INVALID_ARGUMENTS');
    return { error };
  }
  // Only the name of an existing tool: unknown names come from the caller.
  incoming.services.recent.name = selected.tool.name;
  const { task } = selected.tool;
  return task !== undefined && mayBeTask(task, incoming) ? startTask(incoming, known) : undefined;
}

/** Tells the end of a call that did not run. */
function endRejected({ selected, call }: KnownCall, code: ErrorCode): void {
  call.onEnded?.({ name: selected.tool.name, outcome: 'error', code });
}

function refuseHeaders(
  { exchange }: Incoming,
  { headerArguments }: Selected,
  call: ToolCall,
): RpcError | undefined {
  const { headers, caller } = exchange;
  if (headers === undefined || headerArguments === undefined) return undefined;
  return checkArgumentHeaders(headers, headerArguments(caller), call.arguments);
}

/** Whether the call is handled as a task; with `required` also for clients without tasks, which get an error. */
function mayBeTask({ support }: CompiledTaskOptions, incoming: Incoming): boolean {
  return support === 'required' || hasTasks(incoming);
}

async function startTask(incoming: Incoming, known: KnownCall): Promise<MethodReply> {
  const { selected, call, dialogue } = known;
  const { name } = call;
  if (!hasTasks(incoming)) {
    endRejected(known, 'MISSING_CLIENT_CAPABILITY');
    return refuseWithoutTasks(incoming, name);
  }
  const parts = { incoming, selected, call };
  if (selected.tool.task?.start === 'call') return callAsTask(parts);
  const ended = await callThatMayBecomeTask(parts);
  return 'kind' in ended ? encodeToolReply(incoming, { name, dialogue }, ended) : ended;
}

function hasTasks({ exchange }: Incoming): boolean {
  const { era } = exchange.revision;
  return era === 'modern' && exchange.client.capabilities.extensions?.[TASKS_EXTENSION] !== undefined;
}

function refuseWithoutTasks({ services, exchange }: Incoming, name: string): MethodReply {
  const message = `Tool '${name}' runs only as a task, which requires a client that declares the extension ${TASKS_EXTENSION}.`;
  if (exchange.revision.era === 'modern')
    return { error: missingCapability({ extensions: { [TASKS_EXTENSION]: {} } }, message) };
  const result = createErrorResult(services.errorHandler, { code: 'MISSING_CLIENT_CAPABILITY', message });
  return { json: JSON.stringify(result) };
}
