import type { ChosenBudget } from '../../data/budget-reader.ts';
import { bullets, facts, heading, table } from '../../markdown/markdown.ts';
import { MAX_ENTRIES, shortSection } from '../../markdown/short-section.ts';
import { formatMoney } from '../../money/currency-format.ts';
import type { CurrencyFormat } from '../../money/currency-format.ts';
import type { Balance, Match, ReconciliationAnalysis, Suggestion } from '../../reconcile/analysis.ts';
import type { ReconciliationPlan } from '../../reconcile/plan-reconciliation.ts';
import type { Statement } from '../../statement/statement.ts';
import { bothForms } from '../define/amounts.ts';
import { money, text } from '../define/columns.ts';
import type { ReconciliationRun } from './run-reconciliation.ts';
import { describeLedger, describeRow, toLedgerTable, toRowTable } from './statement-view.ts';

export interface ReconciliationResult {
  readonly budget: ChosenBudget;
  readonly accountName: string;
  readonly analysis: ReconciliationAnalysis;
  readonly plan: ReconciliationPlan;
  readonly statement: Statement;
  readonly maxSuggestions: number;
  /** Undefined after a dry run. */
  readonly run: ReconciliationRun | undefined;
  /** The reason why a run changed nothing. */
  readonly note: string | undefined;
  /** The analysis of the account after the run; undefined if it could not be read. */
  readonly after: ReconciliationAnalysis | undefined;
}

/** The structure of the result. */
export function describeReconciliation(result: ReconciliationResult): object {
  const { budget, analysis, plan, statement, maxSuggestions, run, after } = result;
  const { currency } = budget;
  const {
    summary,
    balance,
    matches,
    suggestions,
    unmatched_bank: onlyBank,
    unmatched_ynab: onlyYnab,
  } = analysis;
  return {
    summary,
    balance: describeBalance(balance, currency),
    matches: matches.slice(0, MAX_ENTRIES).map((match) => describeMatch(match, currency)),
    suggestions: suggestions
      .slice(0, maxSuggestions)
      .map((suggestion) => describeSuggestion(suggestion, currency)),
    unmatched_bank: onlyBank
      .slice(0, MAX_ENTRIES)
      .map(({ bank, import_id: id }) => ({ ...describeRow(bank, currency), import_id: id })),
    unmatched_ynab: onlyYnab.slice(0, MAX_ENTRIES).map((each) => describeLedger(each, currency)),
    insights: analysis.insights.slice(0, MAX_ENTRIES),
    recommendations: analysis.recommendations
      .slice(0, maxSuggestions)
      .map((each) => ({ ...each, arguments: { budget_id: budget.id, ...each.arguments } })),
    next_steps: (after ?? analysis).next_steps,
    csv: {
      detected: statement.detected,
      warnings: statement.warnings,
      errors: statement.errors.slice(0, MAX_ENTRIES),
    },
    plan: {
      writes: countSteps(plan),
      ...bothForms('projected_cleared', plan.projected.cleared, currency),
      ...bothForms('projected_difference', plan.projected.difference, currency),
      skipped: plan.skipped,
      ...(run === undefined ? { would_send: plan.writes.slice(0, MAX_ENTRIES) } : {}),
    },
    ...(run === undefined
      ? { dry_run: true }
      : {
          dry_run: false,
          executed: run,
          ...(after === undefined ? {} : { balance_after: describeBalance(after.balance, currency) }),
        }),
  };
}

function describeBalance(
  { bank, cleared, difference, direction }: Balance,
  currency: CurrencyFormat,
): object {
  return {
    ...bothForms('bank', bank, currency),
    ...bothForms('cleared', cleared, currency),
    ...bothForms('difference', difference, currency),
    direction,
  };
}

/** The result in words. */
export function narrateReconciliation(result: ReconciliationResult): string {
  const { budget, accountName, analysis, statement, run, after = analysis } = result;
  const { currency } = budget;
  const { summary, insights } = analysis;
  const warnings = [...statement.warnings, ...insights].map(({ message }) => message);
  return [
    heading(1, `Reconciliation of ${accountName}`),
    facts([
      [
        'Statement',
        `${summary.statement_start ?? '?'} to ${summary.statement_end ?? '?'}, ${summary.bank_rows} rows`,
      ],
      ['Matched', summary.matched],
      ['Suggested', summary.suggested],
      ['Only in the statement', summary.unmatched_bank],
      ['Only in YNAB', summary.unmatched_ynab],
      ['Balance of the statement', formatMoney(after.balance.bank, currency)],
      ['Cleared balance', formatMoney(after.balance.cleared, currency)],
      ['Difference', formatMoney(after.balance.difference, currency)],
    ]),
    ...list(run === undefined ? 'Planned changes' : 'Changes', describeWork(result)),
    ...(run === undefined ? list('Warnings', warnings) : []),
    ...narrateOpen(after, result),
    ...list('Next steps', after.next_steps),
  ].join('\n\n');
}

/** The rows and transactions that a person has to decide on. */
function narrateOpen(
  { suggestions, unmatched_bank: onlyBank, unmatched_ynab: onlyYnab }: ReconciliationAnalysis,
  { budget: { currency }, maxSuggestions }: ReconciliationResult,
): readonly string[] {
  const rows = onlyBank.map(({ bank }) => bank);
  const max = maxSuggestions;
  return [
    ...shortSection('Only in the statement', { items: rows, max }, (shown) => toRowTable(shown, currency)),
    ...shortSection('Only in YNAB', { items: onlyYnab, max }, (shown) => toLedgerTable(shown, currency)),
    ...shortSection('Suggestions', { items: suggestions, max }, (shown) =>
      toSuggestionTable(shown, currency),
    ),
  ];
}

function describeWork({ plan, run, after, note }: ReconciliationResult): readonly string[] {
  const skipped = plan.skipped.map(({ step, count, reason }) => `${step}: ${count} skipped. ${reason}`);
  if (note !== undefined) return [note];
  if (run === undefined) return [...countLines(countSteps(plan), ''), ...skipped];
  return [
    ...countLines(run.done, ' done'),
    ...countLines(run.left, ' not done'),
    ...skipped,
    ...(run.stopped === undefined ? [] : [`Stopped: ${run.stopped}`]),
    ...(after === undefined ? [NOT_READ] : []),
  ];
}

const NOT_READ =
  'The account could not be read after the changes: the balances and rows here are those before them. Call again with dry_run true.';

function countLines(counts: Readonly<Record<string, number>>, suffix: string): readonly string[] {
  return Object.entries(counts).map(([step, count]) => `${step}: ${count}${suffix}`);
}

/** The numbers of planned changes by step. */
export function countSteps({ writes }: ReconciliationPlan): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { step } of writes) counts[step] = (counts[step] ?? 0) + 1;
  return counts;
}

/** The planned changes of transactions, a line for each. A step that only marks these transactions as reconciled has none. */
export function listWrites({
  plan,
  analysis,
  budget: { currency },
}: Pick<ReconciliationResult, 'plan' | 'analysis' | 'budget'>): readonly string[] {
  const all = [...analysis.matches.map(({ transaction }) => transaction), ...analysis.unmatched_ynab];
  const known = new Map(all.map((transaction) => [transaction.id, transaction]));
  const name = (id: string): string => {
    const { date = '', amount = 0, payee_name: payee } = known.get(id) ?? {};
    return `${date} ${formatMoney(amount, currency)} ${payee ?? ''}`;
  };
  return plan.writes.flatMap((write) => {
    if (write.step === 'reconcile') return [];
    if (write.step === 'adjust_date') return [`adjust_date ${name(write.transaction_id)} to ${write.date}`];
    if (write.step !== 'create') return [`${write.step} ${name(write.transaction_id)}`];
    const { date, amount_milliunits: amount, payee_name: payee } = write.arguments;
    return [`create ${date} ${formatMoney(amount, currency)} ${payee ?? ''}`];
  });
}

function list(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [heading(2, title), bullets(lines)];
}

function toSuggestionTable(suggestions: readonly Suggestion[], currency: CurrencyFormat): string {
  return table<Suggestion>(
    [
      { title: 'Row', align: 'right', value: ({ bank }) => bank.row },
      text('Date', ({ bank }) => bank.date),
      money('Amount', currency, ({ bank }) => bank.amount),
      text('Description', ({ bank }) => bank.description),
      text('May be', (suggestion) =>
        suggestion.kind === 'transaction'
          ? `${suggestion.transaction.date} ${suggestion.transaction.payee_name ?? ''}`
          : `${suggestion.combinations[0]?.transactions.length ?? 0} transactions together`,
      ),
    ],
    suggestions,
  );
}

function describeMatch(
  { bank, transaction, score, days_apart: days }: Match,
  currency: CurrencyFormat,
): object {
  return {
    row: bank.row,
    date: bank.date,
    ...bothForms('amount', bank.amount, currency),
    description: bank.description,
    transaction_id: transaction.id,
    payee_name: transaction.payee_name ?? '',
    cleared: transaction.cleared,
    score,
    days_apart: days,
  };
}

function describeSuggestion(suggestion: Suggestion, currency: CurrencyFormat): object {
  const { kind, bank } = suggestion;
  if (kind === 'transaction') {
    const alternatives = suggestion.alternatives.map((match) => describeMatch(match, currency));
    return { kind, ...describeMatch(suggestion, currency), alternatives };
  }
  return {
    kind,
    ...describeRow(bank, currency),
    combinations: suggestion.combinations.map(({ transactions, days_apart: days }) => ({
      transactions: transactions.map((each) => describeLedger(each, currency)),
      days_apart: days,
    })),
  };
}
