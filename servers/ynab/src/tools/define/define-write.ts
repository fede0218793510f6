import type { AnyToolDefinition, ToolContext } from 'toolwright';
import * as z from 'zod';
import type { BudgetContext } from '../../context.ts';
import type { ChosenBudget } from '../../data/budget-reader.ts';
import type { WriteMode } from '../../settings/settings.ts';
import { budgetId, dryRun } from './arguments.ts';
import { DEFAULT_BUDGET } from './default-budget.ts';

/** The effect of a write before it happens. */
export interface Plan {
  /** One sentence for the user, such as "Delete the transaction of 2026-11-02 at Grocer for -$12.00." */
  readonly summary: string;
  /** Lines below the summary. Only a preview or a dry run asks for them. */
  readonly details?: () => readonly string[] | Promise<readonly string[]>;
  /** The data of the request, for a dry run. */
  readonly request: unknown;
}

interface WriteCall<TShape extends z.ZodRawShape> {
  readonly input: z.infer<z.ZodObject<TShape>>;
  readonly context: ToolContext<BudgetContext>;
  readonly budget: ChosenBudget;
}

interface WriteDefinition<TShape extends z.ZodRawShape, TPlan extends Plan> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: NonNullable<AnyToolDefinition['annotations']>;
  /** The arguments beside `budget_id` and `dry_run`. */
  readonly arguments: TShape;
  /** Checks the arguments against the budget, and prepares the request. */
  readonly plan: (call: WriteCall<TShape>) => TPlan | Promise<TPlan>;
  /** Sends the request, and returns the result. */
  readonly run: (plan: TPlan, call: WriteCall<TShape>) => Promise<object>;
}

/** Annotations of writes. */
export const CREATES = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};
export const UPDATES = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
};
export const DELETES = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
};

/** Defines a tool that changes a budget. In preview mode, a call that is not a dry run needs confirmation. */
export function defineWrite<const TShape extends z.ZodRawShape, TPlan extends Plan>(
  mode: WriteMode,
  definition: WriteDefinition<TShape, TPlan>,
): AnyToolDefinition<BudgetContext> {
  const { name, title, description, annotations, plan, run } = definition;
  const prepare = async ({ input, context }: AnyCall): Promise<Prepared<TShape, TPlan>> => {
    const given = input as WriteCall<TShape>['input'] & { readonly budget_id: string };
    const call = { input: given, context, budget: await context.budgets.choose(given.budget_id) };
    return { call, planned: await plan(call) };
  };
  return {
    name,
    title,
    description,
    annotations,
    ...DEFAULT_BUDGET,
    inputSchema: z.object({ budget_id: budgetId, ...definition.arguments, dry_run: dryRun }),
    ...(mode === 'preview'
      ? {
          confirm: 'preview',
          confirmIf: (input: Readonly<Record<string, unknown>>) => input['dry_run'] !== true,
          preview: async (call: AnyCall) => describe(await prepare(call)),
        }
      : {}),
    handler: async ({ input, context }) => {
      const prepared = await prepare({ input, context });
      const { planned, call } = prepared;
      if ((input as { dry_run: boolean }).dry_run) {
        const summary = await describe(prepared);
        return context.toJson({ dry_run: true, summary, would_send: planned.request });
      }
      return context.toJson(await run(planned, call));
    },
  };
}

/** Line breaks and other control characters, and marks that reverse the direction of the text after them. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

async function describe({ planned, call }: Prepared<z.ZodRawShape, Plan>): Promise<string> {
  return describeEffect(call.budget, planned.summary, (await planned.details?.()) ?? []);
}

/**
 * The effect for the user. It begins with the budget, because accounts of two budgets can have the same name. Names and memos come from banks and
 * other people, so none can add a line of its own.
 */
export function describeEffect(
  { name }: Pick<ChosenBudget, 'name'>,
  summary: string,
  details: readonly string[],
): string {
  return [`${name}: ${summary}`, ...details.map((line) => `- ${line}`)]
    .map((line) => line.replaceAll(BREAKS, ' ').replaceAll(/ {2,}/g, ' ').trim())
    .join('\n');
}

interface AnyCall {
  readonly input: never;
  readonly context: ToolContext<BudgetContext>;
}

interface Prepared<TShape extends z.ZodRawShape, TPlan> {
  readonly call: WriteCall<TShape>;
  readonly planned: TPlan;
}
