import type { OfArray } from '../base/of-array.ts';
import type { AnyMiddleware } from '../middleware/middleware.ts';
import type { InferSchemaOutput, Schema } from '../schema/nodes/schema-types.ts';
import type { HandlerCall } from '../tools/tool-definition.ts';
import type {
  AnyPromptDefinition,
  PromptArgumentDefinition,
  PromptDefinitionBase,
  PromptInput,
  PromptReturn,
} from './prompt-definition.ts';

/**
 * Prompts in an array literal, each typed by its own schema or list of arguments. Two views of one array: prompts with a schema, and
 * prompts with a list. What a prompt does not have makes its input `never` in that view.
 */
export type PromptList<TInputs, TArguments, TContext extends object> =
  | ({ readonly [TIndex in keyof TInputs]: PromptWithSchema<TInputs[TIndex], TContext> } & {
      readonly [TIndex in keyof TArguments]: PromptWithList<TArguments[TIndex], TContext>;
    })
  | OfArray<TInputs, readonly AnyPromptDefinition<TContext>[]>
  // Nothing fits this: it makes the compiler infer a tuple instead of an array.
  | { readonly 0: never };

interface ListedPrompt<TInput, TContext extends object> extends PromptDefinitionBase<string, never> {
  /** Runs around the handler and the completers, outermost first. The handler is not typed by what it adds: use `definePrompt` for that. */
  readonly middleware?: readonly AnyMiddleware<TContext>[];
  /** The text of one message of the user, with `{{argument}}` placeholders. Instead of `handler`. */
  readonly template?: string;
  /** Makes the messages. A string is one message of the user. */
  readonly handler?: (call: HandlerCall<TInput, TContext>) => PromptReturn | Promise<PromptReturn>;
}

interface PromptWithSchema<TInput, TContext extends object> extends ListedPrompt<
  SchemaInput<TInput>,
  TContext
> {
  /** The arguments as a schema of a library, a raw shape or a JSON Schema. Not together with `arguments`. */
  readonly inputSchema?: TInput extends Schema ? TInput : Schema;
  readonly arguments?: unknown;
}

interface PromptWithList<TArguments, TContext extends object> extends ListedPrompt<
  ArgumentsInput<TArguments>,
  TContext
> {
  readonly inputSchema?: unknown;
  /** The arguments as a list; their values are strings. Not together with `inputSchema`. */
  readonly arguments?: TArguments & readonly PromptArgumentDefinition[];
}

/** `never` without a schema, and where only "some schema" is known, as of `AnyPromptDefinition`. */
type SchemaInput<TInput> = [TInput] extends [Schema]
  ? Schema extends TInput
    ? never
    : InferSchemaOutput<TInput>
  : never;

type ArgumentsInput<TArguments> = TArguments extends readonly PromptArgumentDefinition[]
  ? string extends TArguments[number]['name']
    ? never
    : PromptInput<TArguments>
  : never;
