import type { ToolContext } from '../middleware/context.ts';
import type { AddedBy, AnyMiddleware } from '../middleware/middleware.ts';
import type { McpMeta, McpPromptMessage } from '../model/mcp-types.ts';
import type { InferSchemaInput, InferSchemaOutput, Schema } from '../schema/nodes/schema-types.ts';
import type { ComponentDefinition } from '../tools/components/component-definition.ts';
import type { HandlerCall } from '../tools/tool-definition.ts';
import type { Completers } from './completion.ts';

/** One argument of a prompt. Its value is a text. */
export interface PromptArgumentDefinition {
  readonly name: string;
  readonly title?: string;
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
      readonly description?: string;
      readonly messages: readonly McpPromptMessage[];
      readonly _meta?: McpMeta;
    };

/** What a prompt's messages are made by: a handler, or a text with `{{argument}}` placeholders. */
export type PromptBody<TInput, TContext extends object> =
  | {
      readonly handler: (call: HandlerCall<TInput, TContext>) => PromptReturn | Promise<PromptReturn>;
      readonly template?: never;
    }
  | { readonly template: string; readonly handler?: never };

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

/** What a handler gets for a list of arguments. */
export type PromptInput<TArguments extends readonly PromptArgumentDefinition[]> = Flat<
  {
    readonly [
      TArgument in TArguments[number] as TArgument extends { readonly required: true }
        ? TArgument['name']
        : never
    ]: string;
  } & {
    readonly [
      TArgument in TArguments[number] as TArgument extends { readonly required: true }
        ? never
        : TArgument['name']
    ]?: string;
  }
>;

type Flat<TValue> = { [TKey in keyof TValue]: TValue[TKey] };

/** A prompt whose arguments are listed, or that has none. */
export type PromptDefinition<
  TArguments extends readonly PromptArgumentDefinition[] = readonly PromptArgumentDefinition[],
  TContext extends object = object,
  TMiddleware extends readonly AnyMiddleware[] = readonly AnyMiddleware<TContext>[],
> = PromptDefinitionBase<TArguments[number]['name'], TContext & AddedBy<TMiddleware>> &
  PromptBody<PromptInput<TArguments>, TContext & AddedBy<TMiddleware>> & {
    /** What stands around the handler and the completers, outermost first; inside what the manager itself uses. */
    readonly middleware?: readonly [...TMiddleware];
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
    readonly inputSchema: TInput;
    readonly arguments?: never;
  };

/** A definition of any prompt that runs with the given context: what lists of definitions hold. */
export interface AnyPromptDefinition<TContext extends object = object> extends PromptDefinitionBase<
  string,
  never
> {
  readonly middleware?: readonly AnyMiddleware<TContext>[];
  readonly inputSchema?: Schema;
  readonly arguments?: readonly PromptArgumentDefinition[];
  /** `never`: the input fits the arguments beside it, which only validation can know. */
  readonly handler?: (call: {
    readonly input: never;
    readonly context: ToolContext<TContext>;
  }) => PromptReturn | Promise<PromptReturn>;
  readonly template?: string;
}
