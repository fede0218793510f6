import { DefinitionError } from '../errors/errors.ts';
import type { Reserved, ToolContext } from '../middleware/context.ts';
import type { InferSchemaOutput, Schema } from '../schema/nodes/schema-types.ts';
import type { AnyToolDefinition, HandlerReturn, ToolDefinition } from './tool-definition.ts';

/** Options of {@link tool}: a definition without `handler`. Default of `name`: the name of the member. */
export type ToolOptions<
  TInput extends Schema,
  TOutput extends Schema | undefined,
  TContext extends object,
> = Omit<ToolDefinition<TInput, TOutput, TContext>, 'handler' | 'name'> & { readonly name?: string };

/** A method whose input and result match the schemas of its tool. */
export type ToolMethod<TInput extends Schema, TOutput extends Schema | undefined, TContext extends object> = (
  input: InferSchemaOutput<TInput>,
  context: ToolContext<TContext>,
) => HandlerReturn<TOutput> | Promise<HandlerReturn<TOutput>>;

/**
 * Decorates a method, or a field that holds a function, whose type matches the schemas: as a standard decorator, or
 * with `experimentalDecorators`.
 */
export interface ToolDecorator<TMethod> {
  /** A field, with `experimentalDecorators`. */
  <TKey extends string>(owner: { readonly [TName in TKey]: TMethod }, key: TKey): void;
  (field: undefined, context: FieldContext<TMethod>): void;
  /** Methods last: compilers report the error of the last overload with a matching number of parameters. */
  (method: TMethod, context: ClassMethodDecoratorContext): void;
  /** A method, with `experimentalDecorators`. */
  (owner: object, key: string, descriptor: { readonly value?: TMethod }): void;
}

/** Context of a field decorator that checks the type of the value: the standard type is bivariant in it. */
type FieldContext<TMethod> = Omit<ClassFieldDecoratorContext, 'access'> & {
  readonly access: { readonly get: (object: never) => TMethod };
};

/** A definition without its handler, which needs an instance. */
type Declaration = Omit<AnyToolDefinition, 'handler'>;

type Members = Map<string, Declaration>;

/**
 * Decorated members by instance or class; with `experimentalDecorators`, methods by prototype, since decorators run
 * before there is an instance.
 */
const declared = new WeakMap<object, Members>();

/** With `experimentalDecorators`: the fields. They come after the methods, as with standard decorators. */
const declaredFields = new WeakMap<object, Members>();

/**
 * Registers a method, or a field that holds a function, as a tool of its class. Works as a standard decorator and with
 * `experimentalDecorators`; needs no metadata and no polyfill.
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

/** Second argument of a standard decorator. */
type MemberContext = ClassMethodDecoratorContext | FieldContext<unknown>;

type Decorate = (target: unknown, member: MemberContext | string, descriptor?: PropertyDescriptor) => void;

/** Decorates a method or a field of any type. */
function declareTool(options: { readonly name?: string }): Decorate {
  return (target, member, descriptor) => {
    const isStandard = typeof member === 'object';
    const key = isStandard ? member.name : member;
    if ((isStandard && member.private) || typeof key !== 'string')
      throw new DefinitionError(`@tool needs a public method with a name, not ${String(key)}.`, {
        option: 'name',
        received: String(key),
      });
    const declaration = { ...options, name: options.name ?? key } as Declaration;
    if (isStandard) {
      member.addInitializer(function declare(this: unknown) {
        add(declared, this as object, { key, declaration });
      });
    } else {
      const isMethod = typeof descriptor?.value === 'function';
      add(isMethod ? declared : declaredFields, target as object, { key, declaration });
    }
  };
}

function add(
  members: WeakMap<object, Members>,
  owner: object,
  { key, declaration }: { readonly key: string; readonly declaration: Declaration },
): void {
  const own = members.get(owner) ?? new Map<string, Declaration>();
  members.set(owner, own.set(key, declaration));
}

/** Returns the definitions of an object's decorated members; for a class, those of its decorated static members. */
export function toolsFrom<TContext extends object = object>(owner: object): AnyToolDefinition<TContext>[] {
  const members = new Map(
    originsOf(owner).flatMap((each) => [...(declared.get(each) ?? []), ...(declaredFields.get(each) ?? [])]),
  );
  if (members.size === 0) {
    const name = describeOwner(owner);
    throw new DefinitionError(
      `toolsFrom found no member decorated with @tool on ${name}. Pass an instance of the class, not the class, unless the members are static.`,
      { option: 'toolsFrom', received: name },
    );
  }
  const methods = owner as Record<string, (input: unknown, context: unknown) => unknown>;
  return Array.from(members, ([key, declaration]) => ({
    ...declaration,
    // Looked up at call time, so that a subclass can override the method.
    handler: ({ input, context }: { readonly input: unknown; readonly context: unknown }) =>
      methods[key]?.(input, context),
  }));
}

/** Objects with declarations for an owner: itself and its prototypes, base classes first. */
function originsOf(owner: unknown): object[] {
  if (typeof owner === 'function') return [owner];
  if (typeof owner !== 'object' || owner === null) return [];
  return [...originsOf(Object.getPrototypeOf(owner)), owner];
}

function describeOwner(owner: unknown): string {
  if (typeof owner === 'function') return `class ${owner.name}`;
  if (typeof owner !== 'object' || owner === null) return String(owner);
  const { constructor } = owner as { constructor?: { name?: string } };
  return constructor?.name ?? 'an object without a class';
}
