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
import { runCall } from './run-call.ts';
import type { Ended } from './run-call.ts';
import type { ToolReply } from './reply/tool-reply.ts';

/** Has a say once it is known what is called, and before anything runs. What it returns is the answer instead. */
export type BeforeCall<TInstead> = (selected: Selected) => MaybePromise<TInstead> | undefined;

/**
 * The whole life of one tool call: route, guard, fill, secure, run, check, format. Start reading here.
 *
 * Every call comes in through this function: from the registry, from every transport, as a task. Always answers, never throws, and answers
 * at once where nothing had to be waited for.
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
  // What the name leads to, if it exists for this caller; a hidden tool is an unknown one.
  const selection = route(table, call);
  switch (selection.kind) {
    case 'unknown':
      return formatUnknownTool(call.name, visibleNeighbours(table, call));
    case 'refused':
      return toReply(selection.tool, call, { outcome: selection.outcome, minify: undefined });
    case 'selected':
      return findChallenge(selection, call) ?? before?.(selection) ?? runSelected(selection, call);
    default:
      return selection satisfies never;
  }
}

/** The reply to a caller who sees the tool and lacks scopes for this call. Before anything of the call is validated. */
// defence: scope-challenge
function findChallenge({ tool, arguments: given }: Selected, call: ToolCall): ToolReply | undefined {
  const scopes = tool.findMissingScopes?.(call, given);
  return scopes === undefined ? undefined : formatMissingScopes(tool, scopes);
}

/** The second half: a tool that is known, for a caller who may use it. By itself for calls that run as tasks. */
export function runSelected({ tool, arguments: given }: Selected, call: ToolCall): MaybePromise<ToolReply> {
  // From fill to check, within the deadline.
  const ended = runCall(tool, call, given);
  return isPromiseLike(ended)
    ? ended.then((settled) => toReply(tool, call, settled))
    : toReply(tool, call, ended);
}

/** Writes what came of the call as the protocol has it. */
function toReply(tool: CompiledTool, call: ToolCall, { outcome, minify }: Ended): ToolReply {
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

/** Before it is written: where large results pile up unread, writing more of them would keep everybody waiting. */
// defence: room-for-a-result
function hasRoom({ collaborators }: CompiledTool, value: unknown, { room }: ToolCall): boolean {
  if (typeof value !== 'string' || value.length <= SMALL_BYTES) return true;
  // What is too large is not sent anyway.
  return value.length > collaborators.maxResultBytes || room?.hasRoomFor(value.length) !== false;
}
