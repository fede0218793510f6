import { toDayNumber } from '../statement/calendar-date.ts';
import type { BankRow } from '../statement/statement.ts';
import { sortRows } from './canonical-order.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';

/** Whether the amounts of the statement have the signs of the budget, where money that leaves the account is negative. */
export type SignConvention = 'as_is' | 'auto' | 'invert';

/** Types of accounts whose balance is a debt. Their banks often write purchases without a minus. */
const LIABILITIES: ReadonlySet<string> = new Set([
  'creditCard',
  'lineOfCredit',
  'otherLiability',
  'mortgage',
  'autoLoan',
  'studentLoan',
  'personalLoan',
  'medicalDebt',
  'otherDebt',
]);

const SAMPLE = 50;
const MAX_DAYS = 7;
/** 0.10 in milliunits. */
const MAX_DIFFERENCE = 100;

export interface SignQuestion {
  readonly convention: SignConvention;
  readonly rows: readonly BankRow[];
  readonly transactions: readonly LedgerTransaction[];
  readonly accountType: string;
  /** True if columns of the file tell debits from credits; then the type of the account says nothing about the signs. */
  readonly hasExplicitSigns?: boolean | undefined;
}

export interface SignDecision {
  readonly is_inverted: boolean;
  readonly decided_by: 'account_type' | 'comparison' | 'request';
  /** Rows with a near transaction, and those of them whose transaction has the other sign. */
  readonly compared: number;
  readonly opposite: number;
}

/** Decides whether the signs of the statement are inverted. */
export function decideSign(question: SignQuestion): SignDecision {
  const { convention, rows, transactions, accountType, hasExplicitSigns = false } = question;
  if (convention !== 'auto')
    return { is_inverted: convention === 'invert', decided_by: 'request', compared: 0, opposite: 0 };
  const known = transactions.map(({ amount, date }) => ({ amount, day: toDayNumber(date) }));
  const votes = listSample(sortRows(rows)).flatMap((row) => voteOf(row, known));
  const opposite = votes.filter((isOpposite) => isOpposite).length;
  if (votes.length === 0) {
    const is_inverted = !hasExplicitSigns && LIABILITIES.has(accountType);
    return { is_inverted, decided_by: 'account_type', compared: 0, opposite: 0 };
  }
  return {
    is_inverted: opposite * 2 > votes.length,
    decided_by: 'comparison',
    compared: votes.length,
    opposite,
  };
}

/** The rows with the signs of the budget. */
export function applySign(rows: readonly BankRow[], { is_inverted }: SignDecision): readonly BankRow[] {
  if (!is_inverted) return rows;
  return rows.map((row) => ({ ...row, amount: row.amount === 0 ? 0 : -row.amount }));
}

/** Rows spread evenly over the statement. */
function listSample(rows: readonly BankRow[]): readonly BankRow[] {
  if (rows.length <= SAMPLE) return rows;
  return Array.from(
    { length: SAMPLE },
    (_, index) => rows[Math.floor((index * rows.length) / SAMPLE)],
  ).filter((row) => row !== undefined);
}

interface Known {
  readonly amount: number;
  readonly day: number;
}

/** True if the nearest transaction has the other sign; no vote if there is none, or one of each sign. */
function voteOf(row: BankRow, known: readonly Known[]): readonly boolean[] {
  const day = toDayNumber(row.date);
  let least = Infinity;
  let signs = new Set<number>();
  for (const { amount, day: other } of known) {
    const difference = Math.abs(Math.abs(amount) - Math.abs(row.amount));
    const days = Math.abs(other - day);
    if (difference > MAX_DIFFERENCE || days > MAX_DAYS || amount === 0 || row.amount === 0) continue;
    // The difference decides, then the days.
    const distance = difference * (MAX_DAYS + 1) + days;
    if (distance < least) signs = new Set();
    if (distance <= least) signs.add(Math.sign(amount));
    least = Math.min(least, distance);
  }
  return signs.size === 1 ? [!signs.has(Math.sign(row.amount))] : [];
}
