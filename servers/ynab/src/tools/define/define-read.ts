import type { AnyToolDefinition, ToolContext } from 'toolwright';
import * as z from 'zod';
import type { BudgetContext } from '../../context.ts';
import type { ChosenBudget } from '../../data/budget-reader.ts';
import { budgetId, responseFormat } from './arguments.ts';
import { DEFAULT_BUDGET } from './default-budget.ts';

/** A tool of this server. */
export type BudgetTool = AnyToolDefinition<BudgetContext>;

/** The result of a read in both formats. */
export interface Shown {
  readonly data: object;
  readonly markdown: () => string;
}

interface ReadCall<TShape extends z.ZodRawShape> {
  readonly input: z.infer<z.ZodObject<TShape>>;
  readonly context: ToolContext<BudgetContext>;
}

interface ReadDefinition<TShape extends z.ZodRawShape, TCall> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The arguments beside `budget_id` and `response_format`. */
  readonly arguments: TShape;
  /** Whether the tool reads only the state of this server. */
  readonly isLocal?: true;
  readonly read: (call: TCall) => Shown | Promise<Shown>;
}

/** Defines a tool that reads a budget, as Markdown or JSON. */
export function defineBudgetRead<const TShape extends z.ZodRawShape>(
  definition: ReadDefinition<TShape, ReadCall<TShape> & { readonly budget: ChosenBudget }>,
): BudgetTool {
  const shape = { budget_id: budgetId, ...definition.arguments, response_format: responseFormat };
  return {
    ...describeRead(definition),
    ...DEFAULT_BUDGET,
    inputSchema: z.object(shape),
    handler: async ({ input, context }) => {
      const given = input as z.infer<z.ZodObject<TShape>> & Common & { readonly budget_id: string };
      const budget = await context.budgets.choose(given.budget_id);
      return show(await definition.read({ input: given, context, budget }), given, context);
    },
  };
}

/** Defines a tool that reads data without a budget. */
export function defineRead<const TShape extends z.ZodRawShape>(
  definition: ReadDefinition<TShape, ReadCall<TShape>>,
): BudgetTool {
  return {
    ...describeRead(definition),
    inputSchema: z.object({ ...definition.arguments, response_format: responseFormat }),
    handler: async ({ input, context }) => {
      const given = input as z.infer<z.ZodObject<TShape>> & Common;
      return show(await definition.read({ input: given, context }), given, context);
    },
  };
}

interface Common {
  readonly response_format: 'markdown' | 'json';
}

function describeRead({
  name,
  title,
  description,
  isLocal,
}: ReadDefinition<z.ZodRawShape, never>): Pick<BudgetTool, 'name' | 'title' | 'description' | 'annotations'> {
  const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: isLocal !== true };
  return { name, title, description, annotations };
}

function show({ data, markdown }: Shown, given: Common, context: ToolContext<BudgetContext>): string {
  return given.response_format === 'json' ? context.toJson(data) : markdown();
}
