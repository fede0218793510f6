import type { ToolContext } from 'toolwright';
import type { Transaction } from '../../api/entities.ts';
import type { SaveResponse } from '../../bulk/bulk-transaction.ts';
import type { BudgetContext } from '../../context.ts';
import { TOUCHED_BY_TRANSACTIONS } from '../../data/budget-writer.ts';
import type { PlannedWrite, ReconciliationPlan } from '../../reconcile/plan-reconciliation.ts';

/** The changes of a run. */
export interface ReconciliationRun {
  /** Changed transactions by step. */
  readonly done: Readonly<Record<string, number>>;
  /** Rows whose transaction was created by an earlier run. */
  readonly duplicate_import_ids: readonly string[];
  /** Planned changes that were not made, by step. */
  readonly left: Readonly<Record<string, number>>;
  /** The reason, if steps of the plan did not run. */
  readonly stopped: string | undefined;
}

type Step = PlannedWrite['step'];

/** One request of the API. */
interface Batch {
  readonly step: Step;
  readonly writes: readonly PlannedWrite[];
}

interface Run {
  readonly context: ToolContext<BudgetContext>;
  readonly budgetId: string;
  /** Ids of created transactions by import id. */
  readonly created: Map<string, string>;
  readonly duplicates: string[];
}

const MAX_ITEMS = 100;

/** Sends the writes of a plan in their order. Stops between two requests if the call is cancelled, and after a request that failed. */
export async function runReconciliation(
  { writes }: ReconciliationPlan,
  { context, budgetId }: Pick<Run, 'context' | 'budgetId'>,
): Promise<ReconciliationRun> {
  const batches = toBatches(writes);
  const run: Run = { context, budgetId, created: new Map(), duplicates: [] };
  const done: Record<string, number> = {};
  let sent = 0;
  let stopped: string | undefined;
  for (const [index, batch] of batches.entries()) {
    if (context.signal.aborted) stopped = `cancelled before the step "${batch.step}"`;
    // The plan counts on every creation: without one of them, the balances may not agree.
    if (batch.step === 'reconcile' && run.duplicates.length > 0) {
      stopped = `${run.duplicates.length} rows have an import_id that exists already, so nothing was created for them: the balances may not agree`;
    }
    if (stopped !== undefined) break;
    // Loading the account was the first step. A value that does not increase is not sent.
    void context.progress(index + 1, batches.length + 1, `${batch.step}: ${batch.writes.length}`);
    try {
      done[batch.step] = (done[batch.step] ?? 0) + (await sendBatch(batch, run));
      sent += 1;
    } catch (error) {
      if (index === 0) throw error;
      // Later steps rely on this one; the caller must learn what was done before.
      stopped = `the step "${batch.step}" failed: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  void context.progress(batches.length + 1, batches.length + 1);
  const left = countLeft(batches.slice(sent));
  const result = { done, left, duplicate_import_ids: run.duplicates, stopped };
  if (stopped !== undefined) context.log.warning('reconciliation stopped', { ...result });
  return result;
}

function toBatches(writes: readonly PlannedWrite[]): readonly Batch[] {
  const steps = [...new Set(writes.map(({ step }) => step))];
  return steps.flatMap((step) => {
    const all = writes.filter((write) => write.step === step);
    return Array.from({ length: Math.ceil(all.length / MAX_ITEMS) }, (_, index) => ({
      step,
      writes: all.slice(index * MAX_ITEMS, (index + 1) * MAX_ITEMS),
    }));
  });
}

function countLeft(batches: readonly Batch[]): Record<string, number> {
  const left: Record<string, number> = {};
  for (const { step, writes } of batches) left[step] = (left[step] ?? 0) + writes.length;
  return left;
}

/** Sends one request, and returns the number of changed transactions. */
async function sendBatch({ step, writes }: Batch, run: Run): Promise<number> {
  if (step === 'create') return createBatch(writes, run);
  const transactions = writes.flatMap((write) => toUpdate(write, run));
  if (transactions.length === 0) return 0;
  const { transaction_ids: ids } = await send(run, 'updateTransactions', transactions);
  return ids.length;
}

async function createBatch(writes: readonly PlannedWrite[], run: Run): Promise<number> {
  const transactions = writes.flatMap((write) => {
    if (write.step !== 'create') return [];
    const { amount_milliunits: amount, ...fields } = write.arguments;
    return [{ ...fields, amount }];
  });
  const response = await send(run, 'createTransaction', transactions);
  for (const { id, import_id: importId } of response.transactions ?? []) {
    if (typeof importId === 'string') run.created.set(importId, id);
  }
  run.duplicates.push(...(response.duplicate_import_ids ?? []));
  return response.transaction_ids.length;
}

/** A transaction that an earlier run created has no id here; it is left as that run left it. */
function toUpdate(write: PlannedWrite, { created }: Run): readonly object[] {
  if (write.step === 'create') return [];
  if (write.step === 'adjust_date') return [{ id: write.transaction_id, date: write.date }];
  const id = 'transaction_id' in write ? write.transaction_id : created.get(write.import_id);
  return id === undefined ? [] : [{ id, cleared: write.cleared }];
}

function send(
  { context, budgetId }: Run,
  operation: string,
  transactions: readonly object[],
): Promise<SaveResponse<Transaction>> {
  return context.writer.send({
    operation,
    budgetId,
    args: { transactions },
    touches: TOUCHED_BY_TRANSACTIONS,
    // Creations have import ids, updates have ids.
    isRepeatable: true,
  });
}
