import type { MemberOf } from '../base/inferred-list.ts';
import type { ToolContext } from '../middleware/context.ts';
import type { AddedBy, AnyMiddleware } from '../middleware/middleware.ts';
import type { McpMeta, McpPromptMessage } from '../model/mcp-types.ts';
import type { Flat, InferSchemaInput, InferSchemaOutput, Schema } from '../schema/nodes/schema-types.ts';
import type { ComponentDefinition } from '../tools/components/component-definition.ts';
import type { HandlerCall } from '../tools/tool-definition.ts';
import type { Completers } from './completion.ts';

/** One argument of a prompt. Its value is a text. */
export interface PromptArgumentDefinition {
  /** The name of the argument; unique in the prompt. */
  readonly name: string;
  /** The name people see. Default: the name. */
  readonly title?: string;
  /** Tells people what to fill in. */
  readonly description?: string;
  /** Default: false. */
  readonly required?: boolean;
}

/** What a handler may return. A text is one message of the user. */
export type PromptReturn =
  | string
  | McpPromptMessage
  | readonly McpPromptMessage[]
  | {
      /** What the messages are for. Default: the description of the prompt. */
      readonly description?: string;
      /** The messages, in their order. */
      readonly messages: readonly McpPromptMessage[];
      /** Metadata of the protocol, sent to clients as it is. */
      readonly _meta?: McpMeta;
    };

/** What a prompt's messages are made by: a handler, or a text with `{{argument}}` placeholders. */
export type PromptBody<TInput, TContext extends object> =
  | {
      /** Makes the messages. A string is one message of the user. */
      readonly handler: (call: HandlerCall<TInput, TContext>) => PromptReturn | Promise<PromptReturn>;
      readonly template?: never;
    }
  | {
      /** The text of one message of the user, with `{{argument}}` placeholders. */
      readonly template: string;
      readonly handler?: never;
    };

/** The parts of a definition that do not depend on how its arguments are described. */
export interface PromptDefinitionBase<
  TArgument extends string = string,
  TContext extends object = object,
> extends ComponentDefinition {
  /** 1 to 128 letters, digits, `_`, `.` or `-`; unique among the prompts. */
  readonly name: string;
  /** Helps whoever fills in the arguments. */
  readonly complete?: Completers<TArgument, TContext>;
}

/**
 * What a handler gets for a list of arguments. `required` is read, not compared with: before TypeScript 6, an argument in an array
 * literal `extends` nothing with fewer members.
 */
export type PromptInput<TArguments extends readonly PromptArgumentDefinition[]> = Flat<
  {
    readonly [
      TArgument in TArguments[number] as MemberOf<TArgument, 'required'> extends true
        ? TArgument['name']
        : never
    ]: string;
  } & {
    readonly [
      TArgument in TArguments[number] as MemberOf<TArgument, 'required'> extends true
        ? never
        : TArgument['name']
    ]?: string;
  }
>;

/** A prompt whose arguments are listed, or that has none. */
export type PromptDefinition<
  TArguments extends readonly PromptArgumentDefinition[] = readonly PromptArgumentDefinition[],
  TContext extends object = object,
  TMiddleware extends readonly AnyMiddleware[] = readonly AnyMiddleware<TContext>[],
> = PromptDefinitionBase<TArguments[number]['name'], TContext & AddedBy<TMiddleware>> &
  PromptBody<PromptInput<TArguments>, TContext & AddedBy<TMiddleware>> & {
    /** What stands around the handler and the completers, outermost first; inside what the manager itself uses. */
    readonly middleware?: readonly [...TMiddleware];
    /** The arguments as a list; their values are strings. Not together with `inputSchema`. */
    readonly arguments?: TArguments;
    readonly inputSchema?: never;
  };

/** The names of a schema's members. */
type NamesOf<TValue> = TValue extends unknown ? keyof TValue & string : never;

/** A prompt whose arguments are described by a schema. They come as texts; numbers and booleans are read from them. */
export type SchemaPromptDefinition<
  TInput extends Schema,
  TContext extends object = object,
  TMiddleware extends readonly AnyMiddleware[] = readonly AnyMiddleware<TContext>[],
> = PromptDefinitionBase<NamesOf<InferSchemaInput<TInput>>, TContext & AddedBy<TMiddleware>> &
  PromptBody<InferSchemaOutput<TInput>, TContext & AddedBy<TMiddleware>> & {
    /** What stands around the handler and the completers, outermost first; inside what the manager itself uses. */
    readonly middleware?: readonly [...TMiddleware];
    /** The arguments as a schema of a library, a raw shape or a JSON Schema. Not together with `arguments`. */
    readonly inputSchema: TInput;
    readonly arguments?: never;
  };

/** A definition of any prompt that runs with the given context: what lists of definitions hold. */
export interface AnyPromptDefinition<TContext extends object = object> extends PromptDefinitionBase<
  string,
  never
> {
  /** Runs around the handler and the completers, outermost first. */
  readonly middleware?: readonly AnyMiddleware<TContext>[];
  /** The arguments as a schema. Not together with `arguments`. */
  readonly inputSchema?: Schema;
  /** The arguments as a list. Not together with `inputSchema`. */
  readonly arguments?: readonly PromptArgumentDefinition[];
  /** `never`: the input fits the arguments beside it, which only validation can know. */
  readonly handler?: (call: {
    readonly input: never;
    readonly context: ToolContext<TContext>;
  }) => PromptReturn | Promise<PromptReturn>;
  /** The text of one message of the user, with `{{argument}}` placeholders. */
  readonly template?: string;
}
