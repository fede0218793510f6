import type { McpToolAnnotations } from '../../model/mcp-types.ts';
import { toHints } from '../../model/tool-annotations.ts';
import type { ToolAnnotations } from '../../model/tool-annotations.ts';
import type { ParameterLocation } from '../model/operation.ts';

/** What an operation becomes. */
export type OperationKind = 'tool' | 'resource' | 'resource-template' | 'none';

/** What somebody wants of an operation that the document says differently or not at all. */
export interface OperationOverride {
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly hidden?: boolean;
  readonly tags?: readonly string[];
  readonly category?: string;
  /** Over those of the method, each by itself. */
  readonly annotations?: McpToolAnnotations | ToolAnnotations;
  /** What a caller of ours must have been granted; the API's own scopes are another matter. */
  readonly scopes?: readonly string[];
  readonly kind?: OperationKind;
  readonly timeoutMs?: number;
  /** A call first shows what it would do. */
  readonly confirm?: 'preview';
  /**
   * By the name of a parameter or a property of the body, as the document has it; `body` is a body that is one argument. Where a name is
   * used twice, `path.id`, `query.id`, `header.id`, `cookie.id` and `body.id` say which one.
   */
  readonly arguments?: Readonly<Record<string, ArgumentOverride>>;
  readonly response?: ResponseOverride;
}

/** What somebody wants of one argument. */
export interface ArgumentOverride {
  readonly name?: string;
  readonly description?: string;
  /** Not offered, and not sent unless it has a default. */
  readonly hidden?: boolean;
  /** Sent where the caller gives nothing. */
  readonly default?: unknown;
  /** Sent always; the caller does not see it. */
  readonly fixed?: unknown;
  /** Its value never appears in messages and logs. */
  readonly secret?: boolean;
  readonly required?: boolean;
  /** For a parameter of the path: whether its values may have slashes. Default: `allowSlashes` of the import. */
  readonly allowSlashes?: boolean;
}

/** What somebody wants of the answer. */
export interface ResponseOverride {
  /** The parts of it that are kept. */
  readonly select?: string | readonly string[];
  readonly maxChars?: number;
}

/** The location of an argument in the request: one of parameters, or the body. */
export type ArgumentLocation = ParameterLocation | 'body';

/** All of them as one; what comes later wins. Arguments, annotations and the response are merged member by member. */
export function mergeOverrides(...overrides: readonly (OperationOverride | undefined)[]): OperationOverride {
  let merged: OperationOverride = {};
  for (const override of overrides)
    if (override !== undefined && Object.keys(override).length > 0) merged = mergeTwo(merged, override);
  return merged;
}

function mergeTwo(before: OperationOverride, after: OperationOverride): OperationOverride {
  const { annotations, arguments: args, response, ...rest } = after;
  return {
    ...before,
    ...withoutUndefined(rest),
    ...(annotations === undefined
      ? {}
      : { annotations: { ...toHints(before.annotations ?? {}), ...toHints(annotations) } }),
    ...(args === undefined ? {} : { arguments: mergeArguments(before.arguments, args) }),
    ...(response === undefined ? {} : { response: { ...before.response, ...withoutUndefined(response) } }),
  };
}

/** Nothing is wanted of an argument but what it is. */
export const NOTHING: ArgumentOverride = {};

/** What is wanted of one argument: what was said of its name, and over it what was said of the name at this location. */
export function argumentOverrideOf(
  override: OperationOverride,
  location: ArgumentLocation,
  name: string,
): ArgumentOverride {
  const { arguments: args } = override;
  if (args === undefined) return NOTHING;
  return { ...findArgument(args, name, location), ...findArgument(args, `${location}.${name}`, location) };
}

/** An argument, by its location. */
export interface ArgumentKey {
  readonly location: ArgumentLocation;
  /** Undefined for a whole body, which goes by `body`. */
  readonly property: string | undefined;
}

/** Keys that belong to no argument: nothing would happen, and nobody would know why. */
export function unmatchedArguments(override: OperationOverride, known: readonly ArgumentKey[]): string[] {
  const keys = Object.keys(override.arguments ?? {});
  if (keys.length === 0) return [];
  const [exact, headers] = [new Set<string>(), new Set<string>()];
  for (const { location, property: name = 'body' } of known) {
    const names = location === 'header' ? headers : exact;
    for (const key of [name, `${location}.${name}`])
      names.add(location === 'header' ? key.toLowerCase() : key);
  }
  return keys.filter((key) => !exact.has(key) && !headers.has(key.toLowerCase()));
}

type Arguments = Readonly<Record<string, ArgumentOverride>>;

/** Names of headers are the same in any case. */
function findArgument(
  args: Arguments,
  key: string,
  location: ArgumentLocation,
): ArgumentOverride | undefined {
  if (Object.hasOwn(args, key)) return args[key];
  if (location !== 'header') return undefined;
  const small = key.toLowerCase();
  const found = Object.keys(args).find((each) => each.toLowerCase() === small);
  return found === undefined ? undefined : args[found];
}

/** By entries, since an argument can have any name, `__proto__` too. */
function mergeArguments(before: Arguments = {}, after: Arguments): Arguments {
  const merged = new Map<string, ArgumentOverride>(Object.entries(before));
  for (const [key, argument] of Object.entries(after))
    merged.set(key, { ...merged.get(key), ...withoutUndefined(argument) });
  return Object.fromEntries(merged);
}

/** From plain JavaScript, a member may be there and undefined: it says nothing, and takes nothing away. */
function withoutUndefined<TValue extends object>(value: TValue): TValue {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as TValue;
}
