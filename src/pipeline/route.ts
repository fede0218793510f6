import type { HeaderArgument } from '../schema/convert/header-arguments.ts';
import type { ToolCall } from './context/call.ts';
import type { CompiledTool } from './tool/compiled-tool.ts';
import { guard } from './visibility/guard.ts';
import type { Caller } from './tool/policy.ts';
import type { Outcome } from './tool/outcome.ts';

/** What a name on the wire leads to: a tool, or several actions of which the arguments say which one is meant. */
export interface Route {
  /** Undoes the exposure: which tool or action is meant, and with which arguments. Asks the policy. */
  select(call: ToolCall): Selection;
  /** Whether anything behind this name exists for the caller. */
  isVisible(caller: Caller): boolean;
}

/** A tool or action that exists for the caller. */
export interface Selected {
  readonly kind: 'selected';
  readonly tool: CompiledTool;
  readonly arguments: unknown;
  /** The arguments that travel as headers as well, of what this very caller is shown. Undefined where there can be none. */
  readonly headerArguments?: HeaderArguments | undefined;
}

/** The arguments that travel as headers, as a caller sees them. */
export type HeaderArguments = (caller: Caller) => readonly HeaderArgument[];

/** What a call is for. */
export type Selection =
  | Selected
  /** The caller did not say which action, or named one that does not exist for it. */
  | { readonly kind: 'refused'; readonly tool: CompiledTool; readonly outcome: Outcome }
  | { readonly kind: 'unknown' };

/** Where tools are looked up by the name on the wire. A Map: `__proto__` and `constructor` are names like any other. */
export type RouteTable = ReadonlyMap<string, Route>;

const UNKNOWN: Selection = { kind: 'unknown' };

/** The tool or action a call is for. What is hidden from the caller is unknown. */
// defence: table-of-tools
export function route(table: RouteTable, call: ToolCall): Selection {
  return table.get(call.name)?.select(call) ?? UNKNOWN;
}

/** The way to a tool that has its name for itself. */
export class ToolRoute implements Route {
  readonly #tool: CompiledTool;
  readonly #headerArguments: HeaderArguments | undefined;

  /** `findHeaderArguments` is asked once, when they are needed: whoever sees the tool sees all of it. */
  constructor(tool: CompiledTool, findHeaderArguments?: () => readonly HeaderArgument[]) {
    this.#tool = tool;
    if (findHeaderArguments === undefined) return;
    let found: readonly HeaderArgument[] | undefined;
    this.#headerArguments = () => (found ??= findHeaderArguments());
  }

  select(call: ToolCall): Selection {
    if (!guard(this.#tool, call)) return UNKNOWN;
    return {
      kind: 'selected',
      tool: this.#tool,
      arguments: call.arguments,
      headerArguments: this.#headerArguments,
    };
  }

  isVisible(caller: Caller): boolean {
    return guard(this.#tool, caller);
  }
}
