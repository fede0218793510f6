import { sortRows, sortTransactions } from '../matching/canonical-order.ts';
import { indexParts, listCombinations } from '../matching/combinations.ts';
import type { LedgerTransaction } from '../matching/ledger-transaction.ts';
import { matchRows } from '../matching/match-rows.ts';
import type { Candidate, MatchedRows } from '../matching/match-rows.ts';
import { applySign, decideSign } from '../matching/sign-convention.ts';
import { sum } from '../money/money.ts';
import type { BankRow } from '../statement/statement.ts';
import type {
  Balance,
  Match,
  ReconciliationAnalysis,
  ReconciliationFacts,
  ReconciliationInput,
  Suggestion,
} from './analysis.ts';
import { listImportIds } from './import-id.ts';
import { listInsights } from './insights.ts';
import { listNextSteps } from './next-steps.ts';
import { listRecommendations } from './recommendations.ts';

const MAX_ALTERNATIVES = 3;

/** Compares a bank statement with the transactions of an account. It changes nothing. */
export function analyzeReconciliation(input: ReconciliationInput): ReconciliationAnalysis {
  const transactions = input.transactions.filter(
    ({ account_id, deleted }) => account_id === input.account.id && deleted !== true,
  );
  const facts = findFacts(input, transactions);
  return {
    ...facts,
    insights: listInsights(facts, { ...input, transactions }),
    recommendations: listRecommendations(facts, input),
    next_steps: listNextSteps(facts, input.currency),
  };
}

function findFacts(
  input: ReconciliationInput,
  transactions: readonly LedgerTransaction[],
): ReconciliationFacts {
  const sorted = sortRows(input.rows);
  const end = input.statementEndDate ?? sorted.at(-1)?.date;
  const inPeriod = sorted.filter(({ date }) => end === undefined || date <= end);
  const sign = decideSign({
    convention: input.sign,
    rows: inPeriod,
    transactions,
    accountType: input.account.type,
    hasExplicitSigns: input.hasExplicitSigns,
  });
  const rows = applySign(inPeriod, sign);
  const matched = matchRows(rows, transactions, input);
  const matches = matched.automatic.map(toMatch);
  const used = new Set([...matched.automatic, ...matched.suggested].map(({ transaction: { id } }) => id));
  const unused = sortTransactions(transactions.filter(({ id }) => !used.has(id)));
  const { suggestions, unmatched } = suggest(rows, matched, { unused, toleranceDays: input.toleranceDays });
  const taken = new Set([...matched.automatic, ...matched.suggested].map(({ row }) => row.row));
  const importIds = listImportIds(input.account.id, rows, taken);
  const start = rows[0]?.date;
  const unmatchedYnab = unused.filter(
    ({ date }) => start !== undefined && end !== undefined && start <= date && date <= end,
  );
  return {
    summary: {
      account_id: input.account.id,
      statement_start: start ?? null,
      statement_end: end ?? null,
      bank_rows: rows.length,
      rows_after_end: sorted.length - rows.length,
      matched: matches.length,
      suggested: suggestions.length,
      unmatched_bank: unmatched.length,
      unmatched_ynab: unmatchedYnab.length,
      csv_errors: input.csvErrors.length,
      sign,
    },
    balance: findBalance(input, transactions, { end, matches }),
    matches,
    suggestions,
    unmatched_bank: unmatched.map((bank) => ({ bank, import_id: importIds.get(bank.row) ?? '' })),
    unmatched_ynab: unmatchedYnab,
  };
}

/** The cleared balance at the end of the statement: cleared transactions of later days do not count, unless a row of the statement has them. */
function findBalance(
  { account, statementBalance }: ReconciliationInput,
  transactions: readonly LedgerTransaction[],
  { end, matches }: { readonly end: string | undefined; readonly matches: readonly Match[] },
): Balance {
  const matched = new Set(matches.map(({ transaction: { id } }) => id));
  const later = transactions.filter(
    ({ id, date, cleared }) => end !== undefined && date > end && cleared !== 'uncleared' && !matched.has(id),
  );
  const cleared = account.cleared_balance - sum(later.map(({ amount }) => amount));
  const difference = statementBalance - cleared;
  const unequal = difference > 0 ? 'bank_higher' : 'ynab_higher';
  return {
    bank: statementBalance,
    cleared,
    difference,
    direction: difference === 0 ? 'balanced' : unequal,
  };
}

interface Pool {
  /** Transactions that no row has. */
  readonly unused: readonly LedgerTransaction[];
  readonly toleranceDays: number;
}

function suggest(
  rows: readonly BankRow[],
  { automatic, suggested, candidates }: MatchedRows,
  { unused, toleranceDays }: Pool,
): { readonly suggestions: readonly Suggestion[]; readonly unmatched: readonly BankRow[] } {
  const matchedRows = new Set(automatic.map(({ row }) => row.row));
  const suggestedOf = new Map(suggested.map((candidate) => [candidate.row.row, candidate]));
  const unusedIds = new Set(unused.map(({ id }) => id));
  // A reconciled transaction belongs to an earlier statement.
  const parts = indexParts(unused.filter(({ cleared }) => cleared !== 'reconciled'));
  const suggestions: Suggestion[] = [];
  const unmatched: BankRow[] = [];
  for (const bank of rows) {
    if (matchedRows.has(bank.row)) continue;
    const candidate = suggestedOf.get(bank.row);
    if (candidate !== undefined) {
      const others = (candidates.get(bank.row) ?? []).filter(({ transaction }) =>
        unusedIds.has(transaction.id),
      );
      const alternatives = others.slice(0, MAX_ALTERNATIVES).map(toMatch);
      suggestions.push({ kind: 'transaction', ...toMatch(candidate), alternatives });
      continue;
    }
    const combinations = listCombinations(bank, parts, toleranceDays);
    if (combinations.length === 0) unmatched.push(bank);
    else
      suggestions.push({
        kind: 'combination',
        bank,
        combinations: combinations.map((each) => ({
          transactions: each.transactions,
          days_apart: each.days,
        })),
      });
  }
  return { suggestions, unmatched };
}

function toMatch({ row, transaction, score, days, payee }: Candidate): Match {
  return { bank: row, transaction, score, days_apart: days, payee_similarity: payee };
}
