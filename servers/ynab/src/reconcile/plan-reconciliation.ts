import type { LedgerTransaction } from '../matching/ledger-transaction.ts';
import { sum } from '../money/money.ts';
import type { BankRow } from '../statement/statement.ts';
import type { CreateArguments, Match, ReconciliationFacts, UnmatchedRow } from './analysis.ts';
import { toCreateArguments } from './recommendations.ts';

/** The four kinds of changes that a caller may allow. */
export interface ReconciliationSwitches {
  readonly auto_create_transactions: boolean;
  readonly auto_update_cleared_status: boolean;
  readonly auto_unclear_missing: boolean;
  readonly auto_adjust_dates: boolean;
}

export interface PlanOptions extends ReconciliationSwitches {
  /** `YYYY-MM-DD` */
  readonly today: string;
}

/** One change of a transaction. A transaction that is created in the run is known by its import id. */
export type PlannedWrite =
  | { readonly step: 'create'; readonly row: number; readonly arguments: CreateArguments }
  | { readonly step: 'clear'; readonly transaction_id: string; readonly cleared: 'cleared' }
  | { readonly step: 'unclear'; readonly transaction_id: string; readonly cleared: 'uncleared' }
  | {
      readonly step: 'adjust_date';
      readonly transaction_id: string;
      readonly date: string;
      readonly previous_date: string;
    }
  | { readonly step: 'reconcile'; readonly transaction_id: string; readonly cleared: 'reconciled' }
  | { readonly step: 'reconcile'; readonly import_id: string; readonly cleared: 'reconciled' };

export interface ReconciliationPlan {
  /** In the order in which they must run. */
  readonly writes: readonly PlannedWrite[];
  /** The balance at the end of the statement if all writes succeed, in milliunits. */
  readonly projected: { readonly cleared: number; readonly difference: number };
  /** Steps that were asked for and are not in the plan. */
  readonly skipped: readonly {
    readonly step: PlannedWrite['step'];
    readonly count: number;
    readonly reason: string;
  }[];
}

const FUTURE = 'Their dates are in the future, which YNAB does not accept. A later run changes them.';

interface Changes {
  readonly creates: readonly UnmatchedRow[];
  readonly clears: readonly LedgerTransaction[];
  readonly unclears: readonly LedgerTransaction[];
  readonly dates: readonly Match[];
}

/** Turns an analysis into writes. Suggestions are never part of it. */
export function planReconciliation(facts: ReconciliationFacts, options: PlanOptions): ReconciliationPlan {
  const { summary, balance } = facts;
  const missing = options.auto_unclear_missing ? listMissing(facts) : [];
  const absent = options.auto_create_transactions ? facts.unmatched_bank : [];
  const others = options.auto_adjust_dates ? listOtherDates(facts) : [];
  const differing = others.filter(({ transaction }) => !isSplit(transaction));
  // One future date makes the API reject the whole request.
  const isPast = ({ bank }: { readonly bank: BankRow }): boolean => bank.date <= options.today;
  const changes: Changes = {
    creates: absent.filter(isPast),
    clears: options.auto_update_cleared_status ? listUncleared(facts) : [],
    // A row that could not be read may be the one of a transaction that seems to be missing.
    unclears: summary.csv_errors > 0 ? [] : missing,
    dates: differing.filter(isPast),
  };
  const cleared = balance.cleared + changeOf(changes);
  const difference = balance.bank - cleared;
  const reconciles = toReconciles(changes);
  const skipped = [
    { step: 'create' as const, count: absent.length - changes.creates.length, reason: FUTURE },
    { step: 'adjust_date' as const, count: differing.length - changes.dates.length, reason: FUTURE },
    {
      step: 'adjust_date' as const,
      count: others.length - differing.length,
      reason: 'YNAB does not change the dates of splits.',
    },
    {
      step: 'unclear' as const,
      count: missing.length - changes.unclears.length,
      reason: 'Rows of the statement could not be read, so a transaction may only seem to be missing.',
    },
    {
      step: 'reconcile' as const,
      count: difference === 0 ? 0 : reconciles.length,
      reason: 'The cleared balance would not equal the balance of the statement.',
    },
  ];
  return {
    writes: [...toWrites(changes, summary.account_id), ...(difference === 0 ? reconciles : [])],
    projected: { cleared, difference },
    skipped: skipped.filter(({ count }) => count > 0),
  };
}

function toWrites({ creates, clears, unclears, dates }: Changes, accountId: string): PlannedWrite[] {
  return [
    ...creates.map((unmatched): PlannedWrite => ({
      step: 'create',
      row: unmatched.bank.row,
      arguments: toCreateArguments(accountId, unmatched),
    })),
    ...clears.map(({ id }): PlannedWrite => ({ step: 'clear', transaction_id: id, cleared: 'cleared' })),
    ...unclears.map(({ id }): PlannedWrite => ({
      step: 'unclear',
      transaction_id: id,
      cleared: 'uncleared',
    })),
    ...dates.map(({ bank, transaction }): PlannedWrite => ({
      step: 'adjust_date',
      transaction_id: transaction.id,
      date: bank.date,
      previous_date: transaction.date,
    })),
  ];
}

/** Only transactions that become cleared in this run; the others were left by an earlier one for a reason. */
function toReconciles({ creates, clears }: Changes): PlannedWrite[] {
  const cleared = 'reconciled';
  return [
    ...creates.map(({ import_id }): PlannedWrite => ({ step: 'reconcile', import_id, cleared })),
    ...clears.map(({ id }): PlannedWrite => ({ step: 'reconcile', transaction_id: id, cleared })),
  ];
}

/** The change of the cleared balance. */
function changeOf({ creates, clears, unclears }: Changes): number {
  const total = (list: readonly { readonly amount: number }[]): number =>
    sum(list.map(({ amount }) => amount));
  return total(creates.map(({ bank }) => bank)) + total(clears) - total(unclears);
}

function listUncleared({ matches }: ReconciliationFacts): readonly LedgerTransaction[] {
  return matches.map(({ transaction }) => transaction).filter(({ cleared }) => cleared === 'uncleared');
}

function listOtherDates({ matches }: ReconciliationFacts): readonly Match[] {
  return matches.filter(
    ({ transaction, days_apart }) => days_apart > 0 && transaction.cleared !== 'reconciled',
  );
}

function isSplit({ subtransactions = [] }: LedgerTransaction): boolean {
  return subtransactions.some(({ deleted }) => !deleted);
}

/** Cleared transactions that the statement does not have, except those that a suggestion offers. */
function listMissing({ unmatched_ynab, suggestions }: ReconciliationFacts): readonly LedgerTransaction[] {
  const offered = new Set(
    suggestions.flatMap((suggestion) =>
      suggestion.kind === 'combination'
        ? suggestion.combinations.flatMap(({ transactions }) => transactions.map(({ id }) => id))
        : suggestion.alternatives.map(({ transaction }) => transaction.id),
    ),
  );
  return unmatched_ynab.filter(({ id, cleared }) => cleared === 'cleared' && !offered.has(id));
}
