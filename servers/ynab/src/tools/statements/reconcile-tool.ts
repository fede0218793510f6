import type { ToolContext } from 'toolwright';
import * as z from 'zod';
import type { BudgetContext } from '../../context.ts';
import { addDays } from '../../data/dates.ts';
import type { ReconciliationAnalysis } from '../../reconcile/analysis.ts';
import { analyzeReconciliation } from '../../reconcile/analyze-reconciliation.ts';
import { planReconciliation } from '../../reconcile/plan-reconciliation.ts';
import type { Settings } from '../../settings/settings.ts';
import { budgetId, isoDate } from '../define/arguments.ts';
import { readAmount } from '../define/amounts.ts';
import { shortList } from '../define/change-details.ts';
import { DEFAULT_BUDGET } from '../define/default-budget.ts';
import type { BudgetTool } from '../define/define-read.ts';
import { describeEffect } from '../define/define-write.ts';
import { countSteps, describeReconciliation, listWrites, narrateReconciliation } from './reconcile-view.ts';
import type { ReconciliationResult } from './reconcile-view.ts';
import { runReconciliation } from './run-reconciliation.ts';
import { CSV_FORMAT, loadStatement, STATEMENT } from './statement-argument.ts';

const SWITCHES = [
  'auto_create_transactions',
  'auto_update_cleared_status',
  'auto_unclear_missing',
  'auto_adjust_dates',
] as const;

const NO_SWITCH = `Nothing was changed: dry_run is false, but none of the switches ${SWITCHES.join(', ')} is true.`;

const INPUT = z.object({
  budget_id: budgetId,
  account_id: z.string().min(1),
  ...STATEMENT,
  csv_format: CSV_FORMAT,
  statement_balance: z.number().describe('Balance on the statement in currency units; debts are negative.'),
  statement_end_date: isoDate.optional().describe('Default: the last row.'),
  date_tolerance_days: z.int().min(0).max(7).default(7),
  match_strictness: z.enum(['loose', 'normal', 'strict']).default('normal'),
  sign_convention: z.enum(['auto', 'invert', 'as_is']).default('auto'),
  auto_create_transactions: z
    .boolean()
    .default(false)
    .describe('Create the transactions that only the bank has.'),
  auto_update_cleared_status: z.boolean().default(false).describe('Mark matched transactions as cleared.'),
  auto_unclear_missing: z
    .boolean()
    .default(false)
    .describe('Mark cleared transactions that the bank lacks as uncleared.'),
  auto_adjust_dates: z
    .boolean()
    .default(false)
    .describe('Set the dates of matched transactions to those of the bank.'),
  dry_run: z.boolean().default(true).describe('Only analyze and plan.'),
  max_suggestions_in_output: z.int().min(1).max(100).default(20),
});

type Input = z.infer<typeof INPUT>;

/** A run with many requests takes longer than other calls. */
const TIMEOUT_MS = 300_000;

/** Transactions before the statement that can still belong to it, or tell its signs. */
const DAYS_BEFORE = 31;

/** Compares an account with a bank statement and, if asked, brings it in line with the statement. */
export function createReconcileTool({ writeMode, importPath }: Settings): BudgetTool {
  return {
    name: 'reconcile_account',
    title: 'Reconcile an account',
    description:
      'Compares an account with a bank statement (CSV): matches, suggestions, missing transactions, balances. With dry_run false, the auto_… switches apply changes. Only transactions that this run clears are marked reconciled, and only if the balances then agree.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    ...DEFAULT_BUDGET,
    timeoutMs: TIMEOUT_MS,
    inputSchema: INPUT,
    ...(writeMode === 'preview'
      ? {
          confirm: 'preview',
          confirmIf: (input: Readonly<Record<string, unknown>>) => isRun(input),
          preview: async ({
            input,
            context,
          }: {
            readonly input: never;
            readonly context: ToolContext<BudgetContext>;
          }) => preview(await analyze(input, context, importPath)),
        }
      : {}),
    handler: async ({ input, context }) => {
      const given = input as Input;
      const analyzed = await analyze(given, context, importPath);
      const { budget, plan } = analyzed;
      const run = isRun(given) ? await runReconciliation(plan, { context, budgetId: budget.id }) : undefined;
      const after = run === undefined ? undefined : await analyzeAfter(given, context, importPath);
      const note = run === undefined && !given.dry_run ? NO_SWITCH : undefined;
      const result = { ...analyzed, run, after, note };
      return {
        ...(run?.stopped === undefined ? {} : { isError: true }),
        content: [
          { type: 'text', text: narrateReconciliation(result) },
          { type: 'text', text: context.toJson(describeReconciliation(result)) },
        ],
      };
    },
  };
}

/** Whether a call may change something. */
function isRun(input: Readonly<Record<string, unknown>>): boolean {
  return input['dry_run'] === false && SWITCHES.some((name) => input[name] === true);
}

type Analyzed = Omit<ReconciliationResult, 'run' | 'after' | 'note'>;

async function analyze(
  input: Input,
  context: ToolContext<BudgetContext>,
  importPath: string | undefined,
): Promise<Analyzed> {
  const budget = await context.budgets.choose(input.budget_id);
  const { id, currency } = budget;
  const statement = await loadStatement(input, { importPath, decimalDigits: currency.decimal_digits });
  const statementBalance = readAmount({ decimal: input.statement_balance, milliunits: undefined }, currency, {
    decimal: 'statement_balance',
    milliunits: 'statement_balance',
  });
  void context.progress(0, undefined, 'Loading the account');
  const first = statement.rows.map(({ date }) => date).toSorted()[0] ?? context.today;
  const account = await context.budgets.accountWhole(id, input.account_id);
  const transactions = await context.budgets.transactionsWhole(id, addDays(first, -DAYS_BEFORE));
  const analysis = analyzeReconciliation({
    rows: statement.rows,
    transactions,
    account,
    statementBalance,
    statementEndDate: input.statement_end_date,
    toleranceDays: input.date_tolerance_days,
    strictness: input.match_strictness,
    sign: input.sign_convention,
    hasExplicitSigns: statement.detected.has_explicit_signs,
    csvErrors: statement.errors,
    currency,
  });
  return {
    budget,
    accountName: account.name,
    analysis,
    plan: planReconciliation(analysis, { ...input, today: context.today }),
    statement,
    maxSuggestions: input.max_suggestions_in_output,
  };
}

/** The same statement against the changed account: what is left to do. Its failure must not hide the changes that were made. */
async function analyzeAfter(
  input: Input,
  context: ToolContext<BudgetContext>,
  importPath: string | undefined,
): Promise<ReconciliationAnalysis | undefined> {
  if (context.signal.aborted) return undefined;
  try {
    return (await analyze(input, context, importPath)).analysis;
  } catch (error) {
    context.log.warning('the account could not be read after its reconciliation', { error });
    return undefined;
  }
}

function preview(analyzed: Analyzed): string {
  const { budget, accountName, plan } = analyzed;
  const steps = Object.entries(countSteps(plan)).map(([step, count]) => `${step} ${count}`);
  const summary =
    steps.length === 0
      ? `Change nothing in ${accountName}: it needs none of the allowed changes.`
      : `Change transactions of ${accountName}: ${steps.join(', ')}.`;
  return describeEffect(budget, summary, shortList(listWrites(analyzed)));
}
