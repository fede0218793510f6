import { writeFile } from 'node:fs/promises';
import { ToolError, ValidationError } from 'toolwright';
import { containPath } from 'toolwright/files';
import * as z from 'zod';
import type { Transaction } from '../../api/entities.ts';
import type { CurrencyFormat } from '../../money/currency-format.ts';
import { budgetId } from '../define/arguments.ts';
import { bothForms } from '../define/amounts.ts';
import { DEFAULT_BUDGET } from '../define/default-budget.ts';
import type { BudgetTool } from '../define/define-read.ts';
import { present } from '../define/present.ts';
import { FILTERS, loadTransactions } from './transaction-filters.ts';
import type { TransactionFilters } from './transaction-filters.ts';
import { describeTransaction } from './transaction-view.ts';

const PREVIEW_ROWS = 10;

/** Writes transactions into a file of the export folder. It changes no budget, so no write mode excludes it from previews. */
export function createExportTool(exportPath: string | undefined): BudgetTool {
  return {
    name: 'export_transactions',
    title: 'Export transactions',
    description:
      'Writes transactions as JSON into the export folder, and returns the path and the first rows.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    ...DEFAULT_BUDGET,
    inputSchema: z.object({
      budget_id: budgetId,
      ...FILTERS,
      filename: z
        .string()
        .min(1)
        .max(200)
        // So that no file of another kind is replaced.
        .regex(/\.json$/, 'must end in .json')
        .optional()
        .describe('Name inside the export folder. Default: by budget and date.'),
      minimal: z
        .boolean()
        .default(true)
        .describe('Only date, amount, payee, category, account, memo and status.'),
    }),
    handler: async ({ input, context }) => {
      const given = input as TransactionFilters & { budget_id: string; filename?: string; minimal: boolean };
      if (exportPath === undefined) {
        throw new ToolError('Exports are disabled: no export folder is set.', {
          suggestions: ['Set YNAB_EXPORT_PATH to a folder, then restart the server.'],
        });
      }
      const budget = await context.budgets.choose(given.budget_id);
      const { select } = await loadTransactions(given, context, budget.id);
      const { items } = select();
      const describe = given.minimal ? describeMinimal : describeTransaction;
      const rows = items.map((transaction) => describe(transaction, budget.currency));
      const name = given.filename ?? `transactions-${budget.id}-${context.today}.json`;
      const content = { budget: budget.name, exported_on: context.today, transactions: rows };
      const path = await write(exportPath, name, `${JSON.stringify(content, undefined, 2)}\n`);
      return context.toJson({ path, count: rows.length, preview: rows.slice(0, PREVIEW_ROWS) });
    },
  };
}

/** Writes a file of the folder, and returns its path. */
async function write(folder: string, name: string, text: string): Promise<string> {
  try {
    const path = await containPath(folder, name, { field: 'filename' });
    await writeFile(path, text);
    return path;
  } catch (error) {
    if (error instanceof ValidationError) throw error;
    const { code } = error as { code?: unknown };
    throw new ToolError(`Cannot write "${name}" into the export folder (${String(code)}).`, {
      cause: error,
      suggestions: ['Pass a filename without folders, and check that YNAB_EXPORT_PATH is a folder.'],
    });
  }
}

function describeMinimal(transaction: Transaction, currency: CurrencyFormat): object {
  const { id, date, payee_name, category_name, account_name, memo, cleared } = transaction;
  return {
    id,
    date,
    ...bothForms('amount', transaction.amount, currency),
    account_name,
    ...present({ payee_name, category_name, memo }),
    cleared,
  };
}
