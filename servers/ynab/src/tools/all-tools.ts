import { ACCOUNT_READS, createAccountWrites } from './account-tools.ts';
import { ANALYSIS_TOOLS } from './analysis-tools.ts';
import { BUDGET_TOOLS } from './budget-tools.ts';
import { createBulkTools } from './transactions/bulk-tools.ts';
import { CATEGORY_READS, createCategoryWrites } from './category-tools.ts';
import type { BudgetTool } from './define/define-read.ts';
import { createDiagnosticsTool } from './diagnostics-tool.ts';
import type { Diagnosed } from './diagnostics-tool.ts';
import { createExportTool } from './transactions/export-tool.ts';
import { MONTH_TOOLS } from './month-tools.ts';
import { PAYEE_TOOLS } from './payee-tools.ts';
import { selectTools } from './profiles.ts';
import { createCompareTool } from './statements/compare-tool.ts';
import { createReceiptTool } from './transactions/receipt-tool.ts';
import { createReconcileTool } from './statements/reconcile-tool.ts';
import { createScheduledWrites, SCHEDULED_READS } from './scheduled-tools.ts';
import { TRANSACTION_READS } from './transactions/transaction-reads.ts';
import { createTransactionWrites } from './transactions/transaction-writes.ts';
import { UTILITY_TOOLS } from './utility-tools.ts';

/** The tools of the server, in the order of `tools/list`. */
export function createTools(parts: Diagnosed): readonly BudgetTool[] {
  const { settings } = parts;
  const { writeMode, exportPath, importPath } = settings;
  const all = [
    ...inCategory('budgets', BUDGET_TOOLS),
    ...inCategory('accounts', [...ACCOUNT_READS, ...createAccountWrites(writeMode)]),
    ...inCategory('transactions', [
      ...TRANSACTION_READS,
      createExportTool(exportPath),
      ...createTransactionWrites(writeMode),
      ...createBulkTools(writeMode),
      createReceiptTool(writeMode),
      createCompareTool(importPath),
    ]),
    ...inCategory('reconciliation', [createReconcileTool(settings)]),
    ...inCategory('categories', [...CATEGORY_READS, ...createCategoryWrites(writeMode)]),
    ...inCategory('payees', PAYEE_TOOLS),
    ...inCategory('months', MONTH_TOOLS),
    ...inCategory('scheduled', [...SCHEDULED_READS, ...createScheduledWrites(writeMode)]),
    ...inCategory('analysis', ANALYSIS_TOOLS),
    ...inCategory('utility', [...UTILITY_TOOLS, createDiagnosticsTool(parts)]),
  ];
  return selectTools(all, settings);
}

/** The category of a tool is its group where tools are grouped by category. */
function inCategory(category: string, tools: readonly BudgetTool[]): readonly BudgetTool[] {
  return tools.map((tool) => ({ ...tool, category }));
}
