import { isPromiseLike } from '../base/maybe-promise.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import { SMALL_BYTES } from '../base/memory/memory-budget.ts';
import type { ToolCall } from './context/call.ts';
import type { CompiledTool } from './tool/compiled-tool.ts';
import {
  formatFault,
  formatMissingScopes,
  formatOutcome,
  formatUnknownTool,
  NO_ROOM,
} from './reply/format-outcome.ts';
import { visibleNeighbours } from './neighbours.ts';
import { route } from './route.ts';
import type { RouteTable, Selected } from './route.ts';
import { toEnd } from './record-call.ts';
import { runCall } from './run-call.ts';
import type { Ended } from './run-call.ts';
import type { ToolReply } from './reply/tool-reply.ts';

/** Called when the tool is known and before anything runs. A returned value replaces the reply. */
export type BeforeCall<TInstead> = (selected: Selected, call: ToolCall) => MaybePromise<TInstead> | undefined;

/**
 * The whole life of one tool call: route, guard, fill, secure, run, check, format. Start reading here.
 *
 * Every call passes through this function: from the registry, from every transport, as a task. It always returns a reply, never throws, and
 * is synchronous if nothing has to be awaited.
 */
export function handleCall(table: RouteTable, call: ToolCall): MaybePromise<ToolReply>;
export function handleCall<TInstead>(
  table: RouteTable,
  call: ToolCall,
  before: BeforeCall<TInstead> | undefined,
): MaybePromise<ToolReply | TInstead>;
export function handleCall<TInstead>(
  table: RouteTable,
  call: ToolCall,
  before?: BeforeCall<TInstead>,
): MaybePromise<ToolReply | TInstead> {
  // The tool or action of this name, if visible to the caller; a hidden tool is an unknown one.
  const selection = route(table, call);
  switch (selection.kind) {
    case 'unknown':
      return ended(call, formatUnknownTool(call.name, visibleNeighbours(table, call)));
    case 'refused':
      return toReply(selection.tool, call, { outcome: selection.outcome, minify: undefined });
    case 'selected':
      return findChallenge(selection, call) ?? before?.(selection, call) ?? runSelected(selection, call);
    default:
      return selection satisfies never;
  }
}

/** The reply to a caller who sees the tool and lacks scopes for this call. Before anything of the call is validated. */
// defence: scope-challenge
function findChallenge({ tool, arguments: given }: Selected, call: ToolCall): ToolReply | undefined {
  if (tool.findMissingScopes === undefined) return undefined;
  try {
    const scopes = tool.findMissingScopes(call, given);
    return scopes === undefined ? undefined : ended(call, formatMissingScopes(tool, scopes), tool);
  } catch (error) {
    call.onSettled?.();
    return ended(call, formatFault(tool, error), tool);
  }
}

/** The second half: runs a selected tool for a caller that may use it. Called directly for tasks. */
export function runSelected({ tool, arguments: given }: Selected, call: ToolCall): MaybePromise<ToolReply> {
  // From fill to check, within the deadline.
  const end = runCall(tool, call, given);
  return isPromiseLike(end) ? end.then((settled) => toReply(tool, call, settled)) : toReply(tool, call, end);
}

/** Tells the end of a call to its record. */
function ended(call: ToolCall, reply: ToolReply, tool?: CompiledTool): ToolReply {
  // defence: record-of-every-call
  call.onEnded?.(toEnd(reply, tool?.name));
  return reply;
}

function toReply(tool: CompiledTool, call: ToolCall, end: Ended): ToolReply {
  return ended(call, format(tool, call, end), tool);
}

/** Converts the outcome to the form of the protocol. */
function format(tool: CompiledTool, call: ToolCall, { outcome, minify }: Ended): ToolReply {
  try {
    if (outcome.kind === 'value' && !hasRoom(tool, outcome.value, call)) return NO_ROOM;
    if (outcome.kind !== 'fault') return formatOutcome(tool, outcome, minify);
    call.onSettled?.();
    return formatFault(tool, outcome.error);
  } catch (error) {
    call.onSettled?.();
    return formatFault(tool, error);
  }
}

/** Checked before serialization: while large results wait to be read, serializing more would block all callers. */
// defence: room-for-a-result
function hasRoom({ collaborators }: CompiledTool, value: unknown, { room }: ToolCall): boolean {
  if (typeof value !== 'string' || value.length <= SMALL_BYTES) return true;
  // A result that is too large is not sent anyway.
  return value.length > collaborators.maxResultBytes || room?.hasRoomFor(value.length) !== false;
}
