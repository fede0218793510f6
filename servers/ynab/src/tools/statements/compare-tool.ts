import { ValidationError } from 'toolwright';
import * as z from 'zod';
import { compareTransactions } from '../../compare/compare-transactions.ts';
import type { ComparedPair, Comparison } from '../../compare/compare-transactions.ts';
import { addDays } from '../../data/dates.ts';
import { bullets, facts, heading } from '../../markdown/markdown.ts';
import { MAX_ENTRIES, shortSection } from '../../markdown/short-section.ts';
import type { CurrencyFormat } from '../../money/currency-format.ts';
import type { Statement } from '../../statement/statement.ts';
import { isoDate } from '../define/arguments.ts';
import { bothForms, readAmount } from '../define/amounts.ts';
import { defineBudgetRead } from '../define/define-read.ts';
import type { BudgetTool, Shown as ReadResult } from '../define/define-read.ts';
import { describeLedger, describeRow, toLedgerTable, toRowTable } from './statement-view.ts';
import { CSV_FORMAT, loadStatement, STATEMENT } from './statement-argument.ts';

export function createCompareTool(importPath: string | undefined): BudgetTool {
  return defineBudgetRead({
    name: 'compare_transactions',
    title: 'Compare a bank statement',
    description:
      'Compares a bank statement (CSV) with an account: matched, missing in YNAB, missing in the bank. Changes nothing.',
    arguments: {
      account_id: z.string().min(1),
      ...STATEMENT,
      amount_tolerance: z.number().min(0).max(1000).default(0.01).describe('In currency units.'),
      date_tolerance_days: z.int().min(0).max(7).default(5),
      statement_start_date: isoDate.optional(),
      statement_date: isoDate.optional().describe('End of the statement. Default: the last row.'),
      enable_chronology_bonus: z
        .boolean()
        .default(false)
        .describe('Prefer the order of dates among equal amounts.'),
      csv_format: CSV_FORMAT,
    },
    read: async ({ input, context, budget }) => {
      const { currency } = budget;
      assertPeriod(input);
      const account = await context.budgets.account(budget.id, input.account_id);
      const statement = await loadStatement(input, { importPath, decimalDigits: currency.decimal_digits });
      const dates = statement.rows.map(({ date }) => date).toSorted();
      const since = addDays(
        input.statement_start_date ?? dates[0] ?? context.today,
        -input.date_tolerance_days,
      );
      const { items } = await context.budgets.transactions(budget.id, since);
      const comparison = compareTransactions({
        rows: statement.rows,
        transactions: items.filter(({ account_id: id }) => id === account.id),
        amountTolerance: readAmount(
          { decimal: input.amount_tolerance, milliunits: undefined },
          { ...currency, decimal_digits: 3 },
        ),
        dateToleranceDays: input.date_tolerance_days,
        startDate: input.statement_start_date,
        endDate: input.statement_date,
        hasChronologyBonus: input.enable_chronology_bonus,
        sign: 'auto',
        accountType: account.type,
        hasExplicitSigns: statement.detected.has_explicit_signs,
      });
      return show(comparison, { accountName: account.name, statement, currency });
    },
  });
}

function assertPeriod({
  statement_start_date: start,
  statement_date: end,
}: {
  readonly statement_start_date?: string | undefined;
  readonly statement_date?: string | undefined;
}): void {
  if (start === undefined || end === undefined || start <= end) return;
  throw new ValidationError([
    { path: ['statement_date'], message: `must not be before statement_start_date (${start})` },
  ]);
}

/** Errors are often alike: the first ones tell what is wrong with the file. */
const MAX_LISTED_ERRORS = 20;

interface Shown {
  readonly accountName: string;
  readonly statement: Statement;
  readonly currency: CurrencyFormat;
}

function show(comparison: Comparison, { accountName, statement, currency }: Shown): ReadResult {
  const { summary, matched, missing_in_ynab: onlyBank, missing_in_bank: onlyYnab } = comparison;
  const { errors, warnings, detected } = statement;
  return {
    data: {
      summary,
      matched: matched.slice(0, MAX_ENTRIES).map((pair) => describePair(pair, currency)),
      missing_in_ynab: onlyBank.slice(0, MAX_ENTRIES).map((row) => describeRow(row, currency)),
      missing_in_bank: onlyYnab.slice(0, MAX_ENTRIES).map((each) => describeLedger(each, currency)),
      csv: { detected, warnings, errors: errors.slice(0, MAX_ENTRIES), errors_count: errors.length },
    },
    markdown: () =>
      [
        heading(1, `Comparison of ${accountName}`),
        facts([
          ['Period', summary.start_date === null ? null : `${summary.start_date} to ${summary.end_date}`],
          ['Rows', summary.bank_rows],
          ['Matched', summary.matched],
          ['Missing in YNAB', summary.missing_in_ynab],
          ['Missing in the bank', summary.missing_in_bank],
          ['Rows that could not be read', errors.length],
        ]),
        ...shortSection('Warnings', { items: warnings, max: MAX_ENTRIES }, (shown) =>
          bullets(shown.map(({ message }) => message)),
        ),
        ...shortSection('Rows that could not be read', { items: errors, max: MAX_LISTED_ERRORS }, (shown) =>
          bullets(shown.map(({ row, message }) => `Row ${row}: ${message}`)),
        ),
        ...shortSection('Missing in YNAB', { items: onlyBank, max: MAX_ENTRIES }, (rows) =>
          toRowTable(rows, currency),
        ),
        ...shortSection('Missing in the bank', { items: onlyYnab, max: MAX_ENTRIES }, (transactions) =>
          toLedgerTable(transactions, currency),
        ),
      ].join('\n\n'),
  };
}

function describePair(
  { bank, transaction, score, amount_difference: difference, ...rest }: ComparedPair,
  currency: CurrencyFormat,
): object {
  return {
    bank: describeRow(bank, currency),
    transaction: describeLedger(transaction, currency),
    score,
    ...bothForms('amount_difference', difference, currency),
    ...rest,
  };
}
