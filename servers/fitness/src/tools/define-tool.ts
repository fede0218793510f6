import type { AnyToolDefinition, ToolContext } from 'toolwright';
import * as z from 'zod';
import type { FitnessContext } from '../context.ts';
import { format } from './arguments.ts';
import type { ProviderArgument } from './arguments.ts';
import { toBlocks } from './results/result.ts';
import type { Format, Shown } from './results/result.ts';

/** A tool, complete except for the providers of the server, which are values of its arguments. */
export interface FitnessTool {
  readonly name: string;
  readonly define: (provider: ProviderArgument) => AnyToolDefinition<FitnessContext>;
}

/** The arguments of a tool, or a function that returns them for the providers of the server. */
export type Arguments<TShape extends z.ZodRawShape> = TShape | ((provider: ProviderArgument) => TShape);

export interface FitnessCall<TShape extends z.ZodRawShape> {
  readonly input: z.output<z.ZodObject<TShape>>;
  readonly context: ToolContext<FitnessContext>;
}

export interface ArgumentIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Effect of a tool on the data of the caller. */
const EFFECTS = {
  reads: { readOnlyHint: true, idempotentHint: true },
  creates: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  updates: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  deletes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
} as const;

export interface ToolDescription<TShape extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Words that users say and the description lacks, for the search. */
  readonly synonyms?: readonly string[];
  readonly effect: keyof typeof EFFECTS;
  /** Whether it uses data of a provider. */
  readonly isOpenWorld?: boolean;
  /** Whether the result has rows: adds the argument `format`. */
  readonly hasRows?: boolean;
  readonly arguments: Arguments<TShape>;
  /** Rules that concern several arguments: the issues of invalid ones. */
  readonly findIssues?: (input: z.output<z.ZodObject<TShape>>) => readonly ArgumentIssue[];
}

export interface ToolParts<TShape extends z.ZodRawShape> extends ToolDescription<TShape> {
  readonly run: (call: FitnessCall<TShape>) => Shown | Promise<Shown>;
}

/** Defines a tool. Tools that use the data of one provider are defined with `defineProviderTool`. */
export function defineFitnessTool<const TShape extends z.ZodRawShape>(parts: ToolParts<TShape>): FitnessTool {
  const { name, title, description, synonyms = [], effect, isOpenWorld = false } = parts;
  return {
    name,
    define: (provider) => ({
      name,
      title,
      description,
      synonyms,
      annotations: { ...EFFECTS[effect], openWorldHint: isOpenWorld },
      inputSchema: createInputSchema(parts, provider),
      handler: async ({ input, context }: { input: unknown; context: ToolContext<FitnessContext> }) => {
        // The input has been validated by the schema above.
        const { format = 'json', ...given } = input as object & { readonly format?: Format };
        const call = { input: given as FitnessCall<TShape>['input'], context };
        return toBlocks(await parts.run(call), format, context);
      },
    }),
  };
}

function createInputSchema<TShape extends z.ZodRawShape>(
  { arguments: given, hasRows = false, findIssues }: ToolParts<TShape>,
  provider: ProviderArgument,
): z.ZodObject {
  const shape = typeof given === 'function' ? given(provider) : given;
  const schema = z.object({ ...shape, ...(hasRows ? { format } : {}) });
  if (findIssues === undefined) return schema;
  // Part of the schema, so that the response is the same as for any other invalid argument.
  return schema.superRefine((input, context) => {
    for (const { path, message } of findIssues(input))
      context.addIssue({ code: 'custom', path: [...path], message });
  });
}
