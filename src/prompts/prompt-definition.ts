import type { MemberOf } from '../base/inferred-list.ts';
import type { ToolContext } from '../middleware/context.ts';
import type { AddedBy, AnyMiddleware } from '../middleware/middleware.ts';
import type { McpMeta, McpPromptMessage } from '../model/mcp-types.ts';
import type { Flat, InferSchemaInput, InferSchemaOutput, Schema } from '../schema/nodes/schema-types.ts';
import type { ComponentDefinition } from '../tools/components/component-definition.ts';
import type { HandlerCall } from '../tools/tool-definition.ts';
import type { Completers } from './completion.ts';

/** One argument of a prompt. Its value is a string. */
export interface PromptArgumentDefinition {
  /** The name of the argument; unique in the prompt. */
  readonly name: string;
  /** The display name. Default: the name. */
  readonly title?: string;
  /** Tells users what to fill in. */
  readonly description?: string;
  /** Default: `false`. */
  readonly required?: boolean;
}

/** The return value of a handler. A string is one user message. */
export type PromptReturn =
  | string
  | McpPromptMessage
  | readonly McpPromptMessage[]
  | {
      /** The purpose of the messages. Default: the description of the prompt. */
      readonly description?: string;
      /** The messages, in order. */
      readonly messages: readonly McpPromptMessage[];
      /** Metadata of the protocol, sent unchanged. */
      readonly _meta?: McpMeta;
    };

/** The source of a prompt's messages: a handler, or a text with `{{argument}}` placeholders. */
export type PromptBody<TInput, TContext extends object> =
  | {
      /** Returns the messages. A string is one user message. */
      readonly handler: (call: HandlerCall<TInput, TContext>) => PromptReturn | Promise<PromptReturn>;
      readonly template?: never;
    }
  | {
      /** The text of one user message, with `{{argument}}` placeholders. */
      readonly template: string;
      readonly handler?: never;
    };

/** The members of a definition that do not depend on the form of its arguments. */
export interface PromptDefinitionBase<
  TArgument extends string = string,
  TContext extends object = object,
> extends ComponentDefinition {
  /** 1 to 128 letters, digits, `_`, `.` or `-`; unique among the prompts. */
  readonly name: string;
  /** Completers for the arguments. */
  readonly complete?: Completers<TArgument, TContext>;
}

/**
 * The handler's input for an array of arguments. `required` is read, not compared: before TypeScript 6, an argument in an array literal
 * does not `extend` a type with fewer members.
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

/** A prompt with an array of arguments, or without arguments. */
export type PromptDefinition<
  TArguments extends readonly PromptArgumentDefinition[] = readonly PromptArgumentDefinition[],
  TContext extends object = object,
  TMiddleware extends readonly AnyMiddleware[] = readonly AnyMiddleware<TContext>[],
> = PromptDefinitionBase<TArguments[number]['name'], TContext & AddedBy<TMiddleware>> &
  PromptBody<PromptInput<TArguments>, TContext & AddedBy<TMiddleware>> & {
    /** Middleware around the handler and the completers, outermost first; inside that of the manager. */
    readonly middleware?: readonly [...TMiddleware];
    /** The arguments as an array; their values are strings. Not together with `inputSchema`. */
    readonly arguments?: TArguments;
    readonly inputSchema?: never;
  };

/** The keys of a schema's output. */
type NamesOf<TValue> = TValue extends unknown ? keyof TValue & string : never;

/** A prompt with a schema for its arguments. Values arrive as strings; numbers and booleans are parsed. */
export type SchemaPromptDefinition<
  TInput extends Schema,
  TContext extends object = object,
  TMiddleware extends readonly AnyMiddleware[] = readonly AnyMiddleware<TContext>[],
> = PromptDefinitionBase<NamesOf<InferSchemaInput<TInput>>, TContext & AddedBy<TMiddleware>> &
  PromptBody<InferSchemaOutput<TInput>, TContext & AddedBy<TMiddleware>> & {
    /** Middleware around the handler and the completers, outermost first; inside that of the manager. */
    readonly middleware?: readonly [...TMiddleware];
    /** The arguments as a schema of a library, a raw shape or a JSON Schema. Not together with `arguments`. */
    readonly inputSchema: TInput;
    readonly arguments?: never;
  };

/** The definition of any prompt with the given context; the element type of arrays of definitions. */
export interface AnyPromptDefinition<TContext extends object = object> extends PromptDefinitionBase<
  string,
  never
> {
  /** Middleware around the handler and the completers, outermost first. */
  readonly middleware?: readonly AnyMiddleware<TContext>[];
  /** The arguments as a schema. Not together with `arguments`. */
  readonly inputSchema?: Schema;
  /** The arguments as an array. Not together with `inputSchema`. */
  readonly arguments?: readonly PromptArgumentDefinition[];
  /** `never`: only validation knows that the input matches the arguments. */
  readonly handler?: (call: {
    readonly input: never;
    readonly context: ToolContext<TContext>;
  }) => PromptReturn | Promise<PromptReturn>;
  /** The text of one user message, with `{{argument}}` placeholders. */
  readonly template?: string;
}
