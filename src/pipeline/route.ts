import type { ToolCall } from './call.ts';
import type { CompiledTool } from './compiled-tool.ts';
import { guard } from './guard.ts';
import type { Caller } from './policy.ts';
import type { Outcome } from './outcome.ts';

/** A name behind which several actions stand: the arguments say which one is meant. */
export interface Junction {
  /** Undoes the exposure: which action is meant, and with which arguments. Asks the policy. */
  readonly select: (call: ToolCall) => Selection;
  /** Whether anything behind this name exists for the caller. */
  readonly isVisible: (caller: Caller) => boolean;
}

/** What a junction makes of a call. */
export type Selection =
  | { readonly kind: 'selected'; readonly tool: CompiledTool; readonly arguments: unknown }
  /** The caller did not say which action, or named one that does not exist for it. */
  | { readonly kind: 'refused'; readonly tool: CompiledTool; readonly outcome: Outcome }
  | { readonly kind: 'unknown' };

/** What a name on the wire leads to. */
export type RouteTarget = CompiledTool | Junction;

/** Where tools are looked up by the name on the wire. A Map: `__proto__` and `constructor` are names like any other. */
export type RouteTable = ReadonlyMap<string, RouteTarget>;

const UNKNOWN: Selection = { kind: 'unknown' };

/** The tool or action a call is for. What is hidden from the caller is unknown. */
export function route(table: RouteTable, call: ToolCall): Selection {
  const target = table.get(call.name);
  if (target === undefined) return UNKNOWN;
  if (target.select !== undefined) return target.select(call);
  return guard(target, call) ? { kind: 'selected', tool: target, arguments: call.arguments } : UNKNOWN;
}

/** Whether a name exists for a caller. */
export function isVisible(target: RouteTarget, caller: Caller): boolean {
  return target.select === undefined ? guard(target, caller) : target.isVisible(caller);
}
