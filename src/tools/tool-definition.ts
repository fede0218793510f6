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

/** The labels that `withSecurityWrapper` gets for a tool. */
export interface ToolSecurity {
  /** Default: the registry's name. */
  readonly namespace?: string;
  /** Default: the tool's name. */
  readonly operation?: string;
}

/** What is known of a tool beside its contract. */
export interface ToolMetadata {
  /** Advertised instead of what the schema library says, and enforced as well. */
  readonly inputJsonSchema?: JsonSchema<unknown>;
  /** Hints for clients, and any others that JSON can carry; the hints of the definition's `annotations` win. */
  readonly annotations?:
    | McpToolAnnotations
    | ToolAnnotations
    | (McpToolAnnotations & Readonly<Record<string, unknown>>);
  readonly [key: string]: unknown;
}

/** What a handler may return. With an output schema: a value that fits it, or a result that carries one. */
export type HandlerReturn<TOutput> = TOutput extends Schema
  ?
      | InferSchemaInput<TOutput>
      | SuccessResponse<InferSchemaInput<TOutput>>
      | ErrorResponse
      | StructuredResult<InferSchemaInput<TOutput>>
  : unknown;

/** A whole result of the protocol, with structured content of the right type or an error. */
export type StructuredResult<TValue> =
  | (McpCallToolResult & {
      /** A value that fits the output schema. */
      structuredContent: TValue;
      /** The tool did not fail. */
      isError?: false;
    })
  | (McpCallToolResult & {
      /** The tool failed; the content says why. */
      isError: true;
    });

/** Callers who lack the scopes of a tool: `hide` hides it from them, `challenge` lists it and rejects their calls. */
export type MissingScopes = 'hide' | 'challenge';

/** The members that a tool and an action of a grouped tool share. */
export interface CallableDefinition {
  /** The name people see. Default: the name. */
  readonly title?: string;
  /** Words that policies, filters and surfaces select it by. */
  readonly tags?: readonly string[];
  /** Scopes that a caller must have, all of them; for other callers it does not exist. */
  readonly scopes?: readonly string[];
  /** Callers without its scopes do not see it (`hide`), or see it and get a 403 when they call it (`challenge`). Default: the registry's setting. */
  readonly missingScopes?: MissingScopes;
  /** Further scopes that a call with these arguments needs. They are not validated yet. A call without these scopes gets a 403. */
  readonly argumentScopes?: (given: Readonly<Record<string, unknown>>) => readonly string[];
  /** Other words for what it does, for the search exposure. */
  readonly synonyms?: readonly string[];
  /** The HTTP endpoint behind it, `GET /orders/{id}`: its words are found by the search exposure. Set by OpenAPI imports. */
  readonly endpoint?: string;
  /** The one subject that the tool belongs to; clients find it under `_meta`. */
  readonly category?: string;
  /** The labels that `withSecurityWrapper` gets. */
  readonly security?: ToolSecurity;
  /** How long a call may take. Default: the registry's `timeoutMs`. */
  readonly timeoutMs?: number;
  /** The largest result, in bytes of JSON. Never more than the `maxResultBytes` that was given to the registry. Default: the registry's. */
  readonly maxResultBytes?: number;
  /**
   * Dot paths of arguments whose values never appear in messages and logs: `['password', 'card.number', 'users.*.token']`. A dot
   * that belongs to a name is escaped: `'a\\.b'` is the argument `a.b`.
   */
  readonly secrets?: readonly string[];
  /** Default: the registry's setting. */
  readonly unknownArguments?: UnknownArguments;
  /** Undo numbers, booleans, arrays and objects sent as JSON strings. Not if it is destructive. Default: the registry's setting. */
  readonly repairArguments?: boolean;
  /** Arguments that `defaultArgumentResolver` can supply; they are advertised as optional. */
  readonly resolvedArguments?: readonly string[];
  /** Beside structured content: the same data as text, or a short note. Default: the registry's setting. */
  readonly structuredText?: 'full' | 'short';
  /**
   * `preview`: a call first answers with what `preview` returns and a token; only a second call with the same arguments and that
   * token runs the handler.
   */
  readonly confirm?: 'preview';
  /** Whether a call may, or must, run as a task that the client comes back for. Default: it is answered when it is done. */
  readonly task?: TaskSupport | TaskOptions;
}

/** Every member that tools and actions share, to tell unknown ones. */
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
  task: true,
};

/** The parts of a definition that do not depend on its schemas. */
export interface ToolDefinitionBase extends CallableDefinition {
  /** 1 to 128 letters, digits, `_`, `.` or `-`; unique in the registry. */
  readonly name: string;
  /** Tells the model what the tool does and when to use it. */
  readonly description: string;
  /** Hints for clients: `readOnlyHint`, `destructiveHint`, `idempotentHint`, `openWorldHint`. */
  readonly annotations?: McpToolAnnotations | ToolAnnotations;
  /** Anything else that is known of the tool, for your own use; two members have a meaning. */
  readonly metadata?: ToolMetadata;
  /** Pictures that clients may show beside the tool. */
  readonly icons?: readonly McpIcon[];
  /** Metadata of the protocol, sent to clients as it is. */
  readonly _meta?: McpMeta;
}

/** Whether a call may (`optional`) or must (`required`) run as a task. */
export type TaskSupport = 'optional' | 'required';

/** How a tool runs as a task. */
export interface TaskOptions {
  /** Whether a call may, or must, run as a task. */
  readonly support: TaskSupport;
  /** When the task begins: with the call, or where the handler says `context.startTask()`. Default: `call`. */
  readonly start?: 'call' | 'handler';
  /** How long the task may run. Default: one hour. */
  readonly timeoutMs?: number;
  /** How often a client should ask. Default: one second. */
  readonly pollIntervalMs?: number;
}

/** What a handler is called with. */
export interface HandlerCall<TInput, TContext extends object> {
  /** The validated arguments: defaults filled in, transforms applied. */
  readonly input: TInput;
  /** The standard members, and those of the application and of middleware. */
  readonly context: ToolContext<TContext>;
}

/** What a default argument resolver is called with. */
export interface ResolverCall<TContext extends object> {
  /** The arguments as they came, before validation. */
  readonly rawArguments: Readonly<Record<string, unknown>>;
  /** The standard members, and those of the application. */
  readonly context: ToolContext<TContext>;
}

/** Everything about one tool: what is advertised, what is enforced, what runs. */
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
  /** What stands around the handler, outermost first; inside what the registry itself uses. */
  readonly middleware?: readonly [...TMiddleware];
  /** Supplies missing arguments before validation. Explicit arguments win. */
  readonly defaultArgumentResolver?: (
    call: ResolverCall<TContext>,
  ) => Partial<InferSchemaInput<TInput>> | undefined | Promise<Partial<InferSchemaInput<TInput>> | undefined>;
  /** With `confirm: 'preview'`: says what the handler would do, and does nothing. */
  readonly preview?: (
    call: HandlerCall<InferSchemaOutput<TInput>, TContext & AddedBy<TMiddleware>>,
  ) => unknown;
  /** Runs the tool. It gets the validated input and returns a value, a result of `success` or `error`, or a result of the protocol. */
  readonly handler: (
    call: HandlerCall<InferSchemaOutput<TInput>, TContext & AddedBy<TMiddleware>>,
  ) => HandlerReturn<TOutput> | Promise<HandlerReturn<TOutput>>;
}

/** A definition of any tool that runs with the given context: what lists of definitions hold. */
export interface AnyToolDefinition<TContext extends object = object> extends ToolDefinitionBase {
  /** The arguments. Advertised, and enforced before the handler runs. */
  readonly inputSchema: Schema;
  /** The structured result. Advertised, and enforced after the handler has run. */
  readonly outputSchema?: Schema | undefined;
  /** Runs around the handler, outermost first; inside what the registry itself uses. */
  readonly middleware?: readonly AnyMiddleware<TContext>[];
  /** Supplies missing arguments before validation. Explicit arguments win. */
  readonly defaultArgumentResolver?: (call: ResolverCall<TContext>) => unknown;
  /** With `confirm: 'preview'`: returns what the handler would do, and does nothing. */
  readonly preview?: (call: { readonly input: never; readonly context: never }) => unknown;
  /** `never`: the input fits the schema beside it, which only validation can know. */
  readonly handler: (call: { readonly input: never; readonly context: ToolContext<TContext> }) => unknown;
}
