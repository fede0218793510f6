import type * as z from 'zod';
import type { Source } from '../providers/source.ts';
import type { ProviderName } from '../providers/providers.ts';
import { defineFitnessTool } from './define-tool.ts';
import type { ArgumentIssue, Arguments, FitnessCall, FitnessTool, ToolDescription } from './define-tool.ts';
import type { Shown } from './results/result.ts';

interface ProviderToolParts<TShape extends z.ZodRawShape> extends Omit<
  ToolDescription<TShape>,
  'effect' | 'isOpenWorld' | 'arguments' | 'findIssues'
> {
  /** The arguments beside `provider` and `format`. */
  readonly arguments: Arguments<TShape>;
  readonly findIssues?: (input: FitnessCall<TShape>['input']) => readonly ArgumentIssue[];
  readonly read: (call: FitnessCall<TShape> & { readonly source: Source }) => Shown | Promise<Shown>;
}

/** Defines a tool that reads the data of the argument `provider`. The result names the provider. */
export function defineProviderTool<const TShape extends z.ZodRawShape>(
  parts: ProviderToolParts<TShape>,
): FitnessTool {
  const { read, findIssues, ...described } = parts;
  return defineFitnessTool({
    ...described,
    effect: 'reads',
    isOpenWorld: true,
    arguments: (provider) => ({
      provider: provider('activities').describe(
        'Default: your own, else synthetic (a demonstration athlete)',
      ),
      ...(typeof parts.arguments === 'function' ? parts.arguments(provider) : parts.arguments),
    }),
    ...(findIssues && { findIssues: (input) => findIssues(input as FitnessCall<TShape>['input']) }),
    run: async ({ input, context }) => {
      const given = input as FitnessCall<TShape>['input'] & { readonly provider?: ProviderName };
      const source = await context.sources.choose({ name: given.provider, signal: context.signal });
      const { data, notes = [], ...rest } = await read({ input: given, context, source });
      return { ...rest, data: { provider: source.provider, ...data }, notes: [...source.notes, ...notes] };
    },
  });
}
