import { DefinitionError } from '../errors/errors.ts';
import { describeValue } from '../errors/options/wrong-value.ts';
import type { ToolContext } from '../middleware/context.ts';
import type { InferSchemaOutput, Schema } from '../schema/nodes/schema-types.ts';
import type { HandlerReturn, ToolDefinition } from '../tools/tool-definition.ts';

/** Definition of a tool without name and handler, which are separate arguments. */
export type UnnamedTool<
  TInput extends Schema,
  TOutput extends Schema | undefined = undefined,
  TContext extends object = object,
> = Omit<ToolDefinition<TInput, TOutput, TContext>, 'handler' | 'middleware' | 'name'> & {
  readonly name?: string;
};

/** A handler that takes the arguments first. */
export type ToolFunction<
  TInput extends Schema,
  TOutput extends Schema | undefined,
  TContext extends object,
> = (
  args: InferSchemaOutput<TInput>,
  context: ToolContext<TContext>,
) => HandlerReturn<TOutput> | Promise<HandlerReturn<TOutput>>;

/** Converts the arguments of `registerTool` to one definition. */
export function toDefinition(given: readonly unknown[]): unknown {
  if (given.length === 1) return given[0];
  const [name, definition, handler] = given;
  if (typeof name !== 'string' || typeof definition !== 'object' || definition === null)
    throw new DefinitionError(USE, { option: 'registerTool' });
  if (typeof handler !== 'function')
    throw new DefinitionError(`Tool "${name}": handler is required. ${USE}`, { option: 'handler' });
  const { name: other, ...rest } = definition as { readonly name?: unknown };
  if (other !== undefined && other !== name)
    throw new DefinitionError(
      `registerTool got two names for one tool: "${name}" and ${describeValue(other)}.`,
      { option: 'name', expected: name, received: describeValue(other) },
    );
  const run = handler as (args: unknown, context: unknown) => unknown;
  return {
    ...rest,
    name,
    handler: ({ input, context }: { input: unknown; context: unknown }) => run(input, context),
  };
}

const USE =
  'registerTool takes a definition, or a name, a definition and a handler: registerTool(name, { description, inputSchema }, (args) => …).';
