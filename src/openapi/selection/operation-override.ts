import type { McpToolAnnotations } from '../../model/mcp-types.ts';
import { toHints } from '../../model/tool-annotations.ts';
import type { ToolAnnotations } from '../../model/tool-annotations.ts';
import type { MissingScopes } from '../../tools/tool-definition.ts';
import type { ParameterLocation } from '../model/operation.ts';

/** Kind of component that an operation becomes. */
export type OperationKind = 'tool' | 'resource' | 'resource-template' | 'none';

/** Changes to an operation of the document. */
export interface OperationOverride {
  /** Name of the tool. Default: derived from the document, as are `title`, `description`, `tags` and `category`. */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  /** Leaves the operation out. Default: false. */
  readonly hidden?: boolean;
  readonly tags?: readonly string[];
  readonly category?: string;
  /** Annotations that replace those derived from the method, one by one. */
  readonly annotations?: McpToolAnnotations | ToolAnnotations;
  /** Scopes that the caller of the tool must have. Unrelated to the scopes of the API. */
  readonly scopes?: readonly string[];
  /** For a tool: callers without its scopes do not see it (`hide`), or see it and get a 403 when they call it (`challenge`). Default: the registry's setting. */
  readonly missingScopes?: MissingScopes;
  /** Kind of component. Default: that of the first matching route map, else `tool`. */
  readonly kind?: OperationKind;
  /** Timeout of a call, in milliseconds. Default: the registry's `timeoutMs`. */
  readonly timeoutMs?: number;
  /** `preview`: a call needs confirmation; it shows the request before it is sent. Default: no confirmation. */
  readonly confirm?: 'preview';
  /**
   * Changes to arguments, by the name of the parameter or body property in the document; `body` is a body that is
   * one argument. If a name is used twice, write `path.id`, `query.id`, `header.id`, `cookie.id` or `body.id`.
   */
  readonly arguments?: Readonly<Record<string, ArgumentOverride>>;
  /** Changes to the response. */
  readonly response?: ResponseOverride;
}

/** Changes to one argument. */
export interface ArgumentOverride {
  /** Name of the argument. Default: derived from the document. */
  readonly name?: string;
  readonly description?: string;
  /** Not advertised, and not sent unless it has a default. */
  readonly hidden?: boolean;
  /** Sent if the caller sends no value. */
  readonly default?: unknown;
  /** Always sent; not advertised. */
  readonly fixed?: unknown;
  /** Its value never appears in messages and logs. */
  readonly secret?: boolean;
  /** Whether the argument is required. Default: as in the document. Path parameters are always required. */
  readonly required?: boolean;
  /** For a path parameter: whether its values may contain slashes. Default: `allowSlashes` of the import. */
  readonly allowSlashes?: boolean;
}

/** Changes to the response. */
export interface ResponseOverride {
  /** JSON Pointers to the parts that are kept; `*` matches all elements of an array. */
  readonly select?: string | readonly string[];
  /** Maximum length of a result, in characters. Default: `maxResponseChars` of the import. */
  readonly maxChars?: number;
}

/** Location of an argument in the request: that of a parameter, or the body. */
export type ArgumentLocation = ParameterLocation | 'body';

/** Merges overrides; later ones win. Arguments, annotations and the response are merged member by member. */
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

/** An override that changes nothing. */
export const NOTHING: ArgumentOverride = {};

/** The override of one argument: by its name, then by its location and name. */
export function argumentOverrideOf(
  override: OperationOverride,
  location: ArgumentLocation,
  name: string,
): ArgumentOverride {
  const { arguments: args } = override;
  if (args === undefined) return NOTHING;
  return { ...findArgument(args, name, location), ...findArgument(args, `${location}.${name}`, location) };
}

/** An argument, identified by its location and name. */
export interface ArgumentKey {
  readonly location: ArgumentLocation;
  /** Undefined for a whole body, which is named `body`. */
  readonly property: string | undefined;
}

/** Keys that match no argument, to be reported. */
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

/** Header names are case-insensitive. */
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

/** From entries: an argument can have any name, even `__proto__`. */
function mergeArguments(before: Arguments = {}, after: Arguments): Arguments {
  const merged = new Map<string, ArgumentOverride>(Object.entries(before));
  for (const [key, argument] of Object.entries(after))
    merged.set(key, { ...merged.get(key), ...withoutUndefined(argument) });
  return Object.fromEntries(merged);
}

/** Removes undefined members, which plain JavaScript may contain, so that they override nothing. */
function withoutUndefined<TValue extends object>(value: TValue): TValue {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as TValue;
}
