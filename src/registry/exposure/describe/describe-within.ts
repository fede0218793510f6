import { CallRefusedError } from '../../../errors/errors.ts';
import { cutText } from '../../../base/cut-text.ts';
import type { SchemaNode } from '../../../schema/nodes/json-node.ts';
import { shortenSchema } from '../../../schema/shorten/shorten-schema.ts';
import type { Shortened } from '../../../schema/shorten/shorten-schema.ts';

/** A tool or action: its schemas and further members. */
export interface Describable {
  readonly description?: string | undefined;
  readonly inputSchema: SchemaNode;
  readonly outputSchema?: SchemaNode | undefined;
}

/** The maximum cost of a description, and how it is estimated. */
export interface DescribeBudget {
  readonly maxTokens: number;
  readonly measure: (text: string) => number;
}

/** The rest of a budget beside a frame; unlimited for a whole description. */
export function budgetBeside(frame: object, budget: DescribeBudget, whole = false): DescribeBudget {
  const { maxTokens, measure } = budget;
  return { measure, maxTokens: whole ? Infinity : Math.max(0, maxTokens - measure(JSON.stringify(frame))) };
}

/** A description, and whether nothing of it is left out. */
export interface Described {
  readonly value: object;
  readonly isWhole: boolean;
}

/** Prefix of references to parts of an output schema; references to parts of an input schema have none. */
const OUTPUT = 'outputSchema';

/** Share of the budget for the input schema, which matters more than the output schema. */
const INPUT_SHARE = 0.75;

/** The description of a tool within a budget: its own text first, then the input schema, then the output schema, each level by level. */
export function describeWithin(tool: Describable, { maxTokens, measure }: DescribeBudget): Described {
  const cost = (value: unknown): number => measure(JSON.stringify(value));
  if (cost(tool) <= maxTokens) return { value: tool, isWhole: true };
  const { inputSchema, outputSchema, ...rest } = tool;
  const words = cost(rest) <= maxTokens / 2 ? rest : shortWords(tool, maxTokens);
  const room = Math.max(0, maxTokens - cost(words));
  const within =
    (tokens: number) =>
    (schema: unknown): boolean =>
      cost(schema) <= tokens;
  const input = shortenSchema(inputSchema, {
    fits: within(outputSchema === undefined ? room : room * INPUT_SHARE),
  });
  const left = room - cost(input?.schema);
  const output =
    outputSchema === undefined
      ? undefined
      : shortenSchema(outputSchema, { fits: within(left), base: OUTPUT });
  const isShown = output !== undefined && cost(output.schema) <= left;
  return {
    value: {
      ...words,
      inputSchema: input?.schema,
      ...(isShown ? { outputSchema: output.schema } : {}),
    },
    isWhole: false,
  };
}

/** One part of a tool's schemas. Throws if the path is unknown. */
export function describePart(
  { inputSchema, outputSchema }: Describable,
  path: string,
  { maxTokens, measure }: DescribeBudget,
): Shortened {
  const isOutput = path.startsWith(`${OUTPUT}#`);
  const document = isOutput ? outputSchema : inputSchema;
  const pointer = isOutput ? path.slice(OUTPUT.length) : path;
  const found =
    document === undefined
      ? undefined
      : shortenSchema(document, {
          at: pointer.startsWith('/') ? `#${pointer}` : pointer,
          base: isOutput ? OUTPUT : '',
          fits: (schema) => measure(JSON.stringify(schema)) <= maxTokens,
        });
  if (found !== undefined) return found;
  throw new CallRefusedError('INVALID_ARGUMENTS', `Unknown path: ${cutText(path)}`, {
    suggestions: ['Use the x-path of a part that was left out, or leave the path out.'],
  });
}

/** Minimum number of characters per token in nearly all texts. */
const CHARS_PER_TOKEN = 2;

/** The description of a tool, cut to half of the budget. */
function shortWords(tool: Describable, maxTokens: number): object {
  const { name, description } = tool as Describable & { readonly name?: string };
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined
      ? {}
      : { description: cutText(description, Math.floor((maxTokens / 2) * CHARS_PER_TOKEN)) }),
  };
}
