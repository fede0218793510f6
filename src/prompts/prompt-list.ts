import type { InferredMembers, MemberOf, TupleHint } from '../base/inferred-list.ts';
import type { AnyMiddleware } from '../middleware/middleware.ts';
import type { InferSchemaOutput, Schema, SchemaFor } from '../schema/nodes/schema-types.ts';
import type { HandlerCall } from '../tools/tool-definition.ts';
import type {
  PromptArgumentDefinition,
  PromptDefinitionBase,
  PromptInput,
  PromptReturn,
} from './prompt-definition.ts';

/** Prompts in an array, each typed by its own schema or array of arguments. `TPrompts`, `TEntry` and the condition: as in `ToolList`. */
export type PromptList<TPrompts, TContext extends object, TEntry = never> =
  | ([TPrompts, unknown] extends [readonly unknown[], unknown]
      ? { readonly [TIndex in keyof TPrompts]: ListedPrompt<TPrompts[TIndex], TContext> | TEntry }
      : never)
  | TupleHint<PromptDefinitionBase<string, never>>;

type ListedPrompt<TPrompt, TContext extends object> = InferredMembers<TPrompt, 'inputSchema' | 'arguments'> &
  ListedPromptBody<TPrompt, TContext>;

interface ListedPromptBody<TPrompt, TContext extends object> extends PromptDefinitionBase<string, never> {
  /** The arguments as a schema of a library, a raw shape or a JSON Schema. Not together with `arguments`. */
  readonly inputSchema?: SchemaFor<MemberOf<TPrompt, 'inputSchema'>> | undefined;
  /** The arguments as an array; their values are strings. Not together with `inputSchema`. */
  readonly arguments?: readonly PromptArgumentDefinition[] | undefined;
  /**
   * Middleware around the handler and the completers, outermost first. The handler is not typed by the members it adds: use `definePrompt`
   * for that.
   */
  readonly middleware?: readonly AnyMiddleware<TContext>[];
  /** The text of one user message, with `{{argument}}` placeholders. Instead of `handler`. */
  readonly template?: string;
  /** Returns the messages. A string is one user message. */
  readonly handler?: Handler<TPrompt, TContext>;
}

/** For an element that may be one of several prompts: the handler of one of them. */
type Handler<TPrompt, TContext extends object> = TPrompt extends unknown
  ? (
      call: HandlerCall<InputOf<MemberOf<TPrompt, 'inputSchema'>, MemberOf<TPrompt, 'arguments'>>, TContext>,
    ) => PromptReturn | Promise<PromptReturn>
  : never;

/** `never` if only "some schema" or "some arguments" are known, as in `AnyPromptDefinition`. */
type InputOf<TInput, TArguments> = [TInput] extends [undefined]
  ? ArgumentsInput<TArguments>
  : [TInput] extends [Schema]
    ? Schema extends TInput
      ? never
      : InferSchemaOutput<TInput>
    : ArgumentsInput<TArguments>;

type ArgumentsInput<TArguments> = TArguments extends readonly PromptArgumentDefinition[]
  ? string extends TArguments[number]['name']
    ? never
    : PromptInput<TArguments>
  : // oxlint-disable-next-line typescript/no-generated-empty-object-type -- a prompt without arguments has none
    PromptInput<[]>;
