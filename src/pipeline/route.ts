import type { HeaderArgument } from '../schema/convert/header-arguments.ts';
import type { ToolCall } from './context/call.ts';
import type { CompiledTool } from './tool/compiled-tool.ts';
import { guard } from './visibility/guard.ts';
import type { Caller } from './tool/policy.ts';
import type { Outcome } from './tool/outcome.ts';

/** The target of a name on the wire: a tool, or several actions selected by the arguments. */
export interface Route {
  /** Resolves the exposure: selects the tool or action and its arguments, and applies the policy. */
  select(call: ToolCall): Selection;
  /** Whether anything under this name is visible to the caller. */
  isVisible(caller: Caller): boolean;
}

/** A tool or action that is visible to the caller. */
export interface Selected {
  readonly kind: 'selected';
  readonly tool: CompiledTool;
  readonly arguments: unknown;
  /** The arguments that are also sent as HTTP headers, as advertised to this caller. Undefined if there can be none. */
  readonly headerArguments?: HeaderArguments | undefined;
}

/** The arguments that are also sent as HTTP headers, as advertised to a caller. */
export type HeaderArguments = (caller: Caller) => readonly HeaderArgument[];

/** The selected target of a call. */
export type Selection =
  | Selected
  /** The action is missing, or unknown or hidden for the caller. */
  | { readonly kind: 'refused'; readonly tool: CompiledTool; readonly outcome: Outcome }
  | { readonly kind: 'unknown' };

/** Routes by name on the wire. A Map, so that `__proto__` and `constructor` are ordinary names. */
export type RouteTable = ReadonlyMap<string, Route>;

const UNKNOWN: Selection = { kind: 'unknown' };

/** The tool or action of a call. Hidden ones are unknown. */
// defence: table-of-tools
export function route(table: RouteTable, call: ToolCall): Selection {
  return table.get(call.name)?.select(call) ?? UNKNOWN;
}

/** The route to a tool with its own name. */
export class ToolRoute implements Route {
  readonly #tool: CompiledTool;
  readonly #headerArguments: HeaderArguments | undefined;

  /** `findHeaderArguments` is called once, on first use: a caller that sees the tool sees all of it. */
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
