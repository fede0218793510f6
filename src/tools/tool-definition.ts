import type { McpCallToolResult, McpIcon, McpMeta, McpToolAnnotations } from '../model/mcp-types.ts';
import type { ToolAnnotations } from '../model/tool-annotations.ts';
import type { ErrorResponse, SuccessResponse } from '../format/tool-response.ts';
import type { ToolContext } from '../middleware/context.ts';
import type { AddedBy, AnyMiddleware } from '../middleware/middleware.ts';
import type {
  InferSchemaInput,
  InferSchemaOutput,
  JsonSchema,
  Schema,
} from '../schema/nodes/schema-types.ts';
import type { UnknownArguments } from '../schema/issues/unknown-keys.ts';

/** Labels that `withSecurityWrapper` receives for a tool. */
export interface ToolSecurity {
  /** Namespace of the tool. Default: the registry's name. */
  readonly namespace?: string;
  /** Operation of the tool. Default: the tool's name. */
  readonly operation?: string;
}

/** Additional data about a tool. */
export interface ToolMetadata {
  /** Advertised and enforced instead of the JSON Schema that the schema library generates. */
  readonly inputJsonSchema?: JsonSchema<unknown>;
  /** Annotations, and other hints that are JSON values; the definition's `annotations` take precedence. */
  readonly annotations?:
    | McpToolAnnotations
    | ToolAnnotations
    | (McpToolAnnotations & Readonly<Record<string, unknown>>);
  readonly [key: string]: unknown;
}

/**
 * Values that a handler may return. With an output schema: a value that matches it, or a result that contains one.
 */
export type HandlerReturn<TOutput> = TOutput extends Schema
  ?
      | InferSchemaInput<TOutput>
      | SuccessResponse<InferSchemaInput<TOutput>>
      | ErrorResponse
      | StructuredResult<InferSchemaInput<TOutput>>
  : unknown;

/** A `CallToolResult` with structured content of the right type, or an error. */
export type StructuredResult<TValue> =
  | (McpCallToolResult & {
      /** A value that matches the output schema. */
      structuredContent: TValue;
      /** The tool did not fail. */
      isError?: false;
    })
  | (McpCallToolResult & {
      /** The tool failed; the content describes the error. */
      isError: true;
    });

/** Callers who lack the scopes of a tool: `hide` hides it from them, `challenge` lists it and rejects their calls. */
export type MissingScopes = 'hide' | 'challenge';

/** The members that a tool and an action of a grouped tool share. */
export interface CallableDefinition {
  /** Display name for users. Default: the name. */
  readonly title?: string;
  /** Tags that policies, filters and exposures select it by. */
  readonly tags?: readonly string[];
  /** Scopes that a caller must have, all of them; to other callers it is unknown. */
  readonly scopes?: readonly string[];
  /** Callers without its scopes do not see it (`hide`), or see it and get a 403 when they call it (`challenge`). Default: the registry's setting. */
  readonly missingScopes?: MissingScopes;
  /**
   * Further scopes that a call with these arguments needs. A call without these scopes gets a 403. Called with the arguments as the client sent
   * them, and again with the validated ones, which have defaults and conversions: both results apply.
   */
  readonly argumentScopes?: (given: Readonly<Record<string, unknown>>) => readonly string[];
  /** Other words for its purpose, for the search exposure. */
  readonly synonyms?: readonly string[];
  /** HTTP endpoint behind it, such as `GET /orders/{id}`, for the search exposure. Set by OpenAPI imports. */
  readonly endpoint?: string;
  /** Category of the tool; sent to clients in `_meta`. */
  readonly category?: string;
  /** Labels that `withSecurityWrapper` receives. */
  readonly security?: ToolSecurity;
  /** Timeout of a call, in milliseconds. Default: the registry's `timeoutMs`. */
  readonly timeoutMs?: number;
  /**
   * Maximum size of a result, in bytes of JSON; limited by an explicit `maxResultBytes` of the registry. Default:
   * the registry's `maxResultBytes`.
   */
  readonly maxResultBytes?: number;
  /**
   * Dot paths of arguments whose values never appear in messages and logs: `['password', 'card.number', 'users.*.token']`. Escape a dot
   * that belongs to a name: `'a\\.b'` is the argument `a.b`.
   */
  readonly secrets?: readonly string[];
  /** `strip` drops unknown arguments, `reject` rejects the call. Default: the registry's `unknownArguments`. */
  readonly unknownArguments?: UnknownArguments;
  /**
   * Parses numbers, booleans, arrays and objects that were sent as JSON strings. Not allowed if it is destructive.
   * Default: the registry's `repairArguments`.
   */
  readonly repairArguments?: boolean;
  /** Arguments that `defaultArgumentResolver` can supply; advertised as optional. */
  readonly resolvedArguments?: readonly string[];
  /**
   * Text beside structured content: the same data (`full`) or a short note (`short`). Default: the registry's
   * `structuredText`.
   */
  readonly structuredText?: 'full' | 'short';
  /**
   * `preview`: a call needs confirmation. It runs `preview` first; a client with elicitation then asks the user, and the handler runs if the
   * user agrees. Other clients receive the preview and a token: a second call with the same arguments and the token runs the handler.
   * Default: no confirmation.
   */
  readonly confirm?: 'preview';
  /**
   * With `confirm: 'preview'`: returns `false` for validated arguments whose call changes nothing and runs without confirmation, such as a
   * dry run. Default: every call needs confirmation.
   */
  readonly confirmIf?: (input: Readonly<Record<string, unknown>>) => boolean;
  /** Whether a call may or must run as a task, whose result the client fetches later. Default: not as a task. */
  readonly task?: TaskSupport | TaskOptions;
}

/** Members that tools and actions share, to reject unknown ones. */
export const CALLABLE_MEMBERS: Readonly<Record<keyof CallableDefinition, true>> = {
  title: true,
  tags: true,
  scopes: true,
  missingScopes: true,
  argumentScopes: true,
  synonyms: true,
  endpoint: true,
  category: true,
  security: true,
  timeoutMs: true,
  maxResultBytes: true,
  secrets: true,
  unknownArguments: true,
  repairArguments: true,
  resolvedArguments: true,
  structuredText: true,
  confirm: true,
  confirmIf: true,
  task: true,
};

/** Members of a definition that do not depend on its schemas. */
export interface ToolDefinitionBase extends CallableDefinition {
  /** 1 to 128 letters, digits, `_`, `.` or `-`; unique in the registry. */
  readonly name: string;
  /** Tells the model what the tool does and when to use it. */
  readonly description: string;
  /** Hints for clients: `readOnlyHint`, `destructiveHint`, `idempotentHint`, `openWorldHint`. */
  readonly annotations?: McpToolAnnotations | ToolAnnotations;
  /** Your own data about the tool; `inputJsonSchema` and `annotations` have a meaning. */
  readonly metadata?: ToolMetadata;
  /** Icons that clients may show. */
  readonly icons?: readonly McpIcon[];
  /** Protocol metadata, sent to clients unchanged. */
  readonly _meta?: McpMeta;
}

/** Whether a call may (`optional`) or must (`required`) run as a task. */
export type TaskSupport = 'optional' | 'required';

/** Options of a tool that runs as a task. */
export interface TaskOptions {
  /** Whether a call may, or must, run as a task. */
  readonly support: TaskSupport;
  /**
   * Start of the task: with the call (`call`), or when the handler calls `context.startTask()` (`handler`).
   * Default: `call`.
   */
  readonly start?: 'call' | 'handler';
  /** Timeout of the task, in milliseconds. Default: 3,600,000 (one hour). */
  readonly timeoutMs?: number;
  /** Suggested polling interval for clients, in milliseconds. Default: 1,000. */
  readonly pollIntervalMs?: number;
  /**
   * Number of times that the handler may run again because the worker process that ran it has ended. Only with a task queue. Default: 0, the
   * task fails.
   */
  readonly retries?: number;
}

/** Argument of a handler. */
export interface HandlerCall<TInput, TContext extends object> {
  /** The validated arguments: defaults filled in, transforms applied. */
  readonly input: TInput;
  /** The standard members, and those of `createContext` and of middleware. */
  readonly context: ToolContext<TContext>;
}

/** Argument of a default argument resolver. */
export interface ResolverCall<TContext extends object> {
  /** The arguments as received, before validation. */
  readonly rawArguments: Readonly<Record<string, unknown>>;
  /** The standard members, and those of `createContext`. */
  readonly context: ToolContext<TContext>;
}

/** Definition of one tool: its description, its schemas and its handler. */
export interface ToolDefinition<
  TInput extends Schema = Schema,
  TOutput extends Schema | undefined = undefined,
  TContext extends object = object,
  TMiddleware extends readonly AnyMiddleware[] = readonly [],
> extends ToolDefinitionBase {
  /** The arguments: a schema of a library, a raw shape (`{ n: z.number() }`) or a JSON Schema. Advertised, and enforced before the handler runs. */
  readonly inputSchema: TInput;
  /** The structured result. Advertised, and enforced after the handler has run. Default: any result. */
  readonly outputSchema?: TOutput;
  /** Runs around the handler, outermost first, inside the registry's middleware. */
  readonly middleware?: readonly [...TMiddleware];
  /** Supplies missing arguments before validation. Explicit arguments win. */
  readonly defaultArgumentResolver?: (
    call: ResolverCall<TContext>,
  ) => Partial<InferSchemaInput<TInput>> | undefined | Promise<Partial<InferSchemaInput<TInput>> | undefined>;
  /** With `confirm: 'preview'`: describes what the handler would do, without doing it. */
  readonly preview?: (
    call: HandlerCall<InferSchemaOutput<TInput>, TContext & AddedBy<TMiddleware>>,
  ) => unknown;
  /**
   * Runs the tool with the validated input. Returns a value, the result of `success` or `error`, or a
   * `CallToolResult`.
   */
  readonly handler: (
    call: HandlerCall<InferSchemaOutput<TInput>, TContext & AddedBy<TMiddleware>>,
  ) => HandlerReturn<TOutput> | Promise<HandlerReturn<TOutput>>;
}

/** A definition of any tool for the given context, for arrays of definitions. */
export interface AnyToolDefinition<TContext extends object = object> extends ToolDefinitionBase {
  /** The arguments. Advertised, and enforced before the handler runs. */
  readonly inputSchema: Schema;
  /** The structured result. Advertised, and enforced after the handler has run. */
  readonly outputSchema?: Schema | undefined;
  /** Runs around the handler, outermost first, inside the registry's middleware. */
  readonly middleware?: readonly AnyMiddleware<TContext>[];
  /** Supplies missing arguments before validation. Explicit arguments win. */
  readonly defaultArgumentResolver?: (call: ResolverCall<TContext>) => unknown;
  /** With `confirm: 'preview'`: describes what the handler would do, without doing it. */
  readonly preview?: (call: { readonly input: never; readonly context: never }) => unknown;
  /** Runs the tool. The input is `never`: its type depends on the schema, which only validation checks. */
  readonly handler: (call: { readonly input: never; readonly context: ToolContext<TContext> }) => unknown;
}
