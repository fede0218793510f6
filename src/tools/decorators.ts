import { DefinitionError } from '../errors/errors.ts';
import type { Reserved, ToolContext } from '../middleware/context.ts';
import type { InferSchemaOutput, Schema } from '../schema/nodes/schema-types.ts';
import type { AnyToolDefinition, HandlerReturn, ToolDefinition } from './tool-definition.ts';

/** What {@link tool} takes: a definition without its handler, and with the method's name as default for its own. */
export type ToolOptions<
  TInput extends Schema,
  TOutput extends Schema | undefined,
  TContext extends object,
> = Omit<ToolDefinition<TInput, TOutput, TContext>, 'handler' | 'name'> & { readonly name?: string };

/** A method that fits the schemas of its tool. */
export type ToolMethod<TInput extends Schema, TOutput extends Schema | undefined, TContext extends object> = (
  input: InferSchemaOutput<TInput>,
  context: ToolContext<TContext>,
) => HandlerReturn<TOutput> | Promise<HandlerReturn<TOutput>>;

/** Decorates a method, or a field that holds a function, that fits the tool's schemas. */
export interface ToolDecorator<TMethod> {
  (field: undefined, context: FieldContext<TMethod>): void;
  /** Last, because compilers report why the last form does not fit. */
  (method: TMethod, context: ClassMethodDecoratorContext): void;
}

/** A field whose value fits. Written so that the value is checked: the standard type is bivariant in it. */
type FieldContext<TMethod> = Omit<ClassFieldDecoratorContext, 'access'> & {
  readonly access: { readonly get: (object: never) => TMethod };
};

/** The decorated members of every object: methods first, then fields, each in the order of the class. */
const declared = new WeakMap<object, Map<string, AnyToolDefinition>>();

/**
 * Makes a method a tool. Standard (stage 3) decorators: no compiler flag, no metadata polyfill.
 *
 * @example
 * class NoteTools {
 *   @tool({ description: 'Counts the words of a text', inputSchema: z.object({ text: z.string() }) })
 *   count_words(input: { text: string }) {
 *     return domain.countWords(input.text);
 *   }
 * }
 * registry.registerAll(toolsFrom(new NoteTools()));
 */
export function tool<TInput extends Schema, TOutput extends Schema | undefined = undefined>(
  options: ToolOptions<TInput, TOutput, object>,
): ToolDecorator<ToolMethod<TInput, TOutput, object>> {
  return declareTool(options);
}

/**
 * `tool` for registries with a context of their own.
 *
 * @example
 * const appTool = toolFor<{ db: Database }>();
 */
export function toolFor<TContext extends object & Reserved>(): <
  TInput extends Schema,
  TOutput extends Schema | undefined = undefined,
>(
  options: ToolOptions<TInput, TOutput, TContext>,
) => ToolDecorator<ToolMethod<TInput, TOutput, TContext>> {
  return declareTool;
}

/** What a decorator does with a method or a field, whatever its types. */
function declareTool(options: {
  readonly name?: string;
}): (value: unknown, context: ClassMethodDecoratorContext | FieldContext<unknown>) => void {
  return (_value: unknown, context: ClassMethodDecoratorContext | FieldContext<unknown>): void => {
    const { name: key } = context;
    if (context.private || typeof key === 'symbol') {
      throw new DefinitionError(`@tool needs a public method with a name, not ${String(key)}.`);
    }
    const name = options.name ?? key;
    context.addInitializer(function declare(this: unknown) {
      const owner = this as Record<string, (input: unknown, context: unknown) => unknown>;
      // Looked up at call time: a subclass may override the method and stays the same tool.
      const handler = (call: { readonly input: unknown; readonly context: unknown }): unknown =>
        owner[key]?.(call.input, call.context);
      const members = declared.get(owner) ?? new Map<string, AnyToolDefinition>();
      members.set(key, { ...options, name, handler } as unknown as AnyToolDefinition);
      declared.set(owner, members);
    });
  };
}

/** The definitions of an object's decorated members; of a class, those of its decorated static members. */
export function toolsFrom<TContext extends object = object>(owner: object): AnyToolDefinition<TContext>[] {
  const members = declared.get(owner);
  if (members === undefined) {
    const name = describeOwner(owner);
    throw new DefinitionError(
      `toolsFrom found no member decorated with @tool on ${name}. Pass an instance of the class, not the class, unless the members are static.`,
    );
  }
  return [...members.values()] as AnyToolDefinition<TContext>[];
}

function describeOwner(owner: unknown): string {
  if (typeof owner === 'function') return `class ${owner.name}`;
  if (typeof owner !== 'object' || owner === null) return String(owner);
  const { constructor } = owner as { constructor?: { name?: string } };
  return constructor?.name ?? 'an object without a class';
}
