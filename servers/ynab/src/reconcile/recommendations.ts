import type { LedgerTransaction } from '../matching/ledger-transaction.ts';
import { createPayeeSimilarity } from '../matching/payee-similarity.ts';
import { formatMoney } from '../money/currency-format.ts';
import { toDayNumber } from '../statement/calendar-date.ts';
import type {
  CreateArguments,
  Recommendation,
  ReconciliationFacts,
  ReconciliationInput,
  Suggestion,
  UnmatchedRow,
} from './analysis.ts';

/** Payees of duplicates are at least this similar. */
const DUPLICATE_SIMILARITY = 80;

/** Calls that would bring the account in line with the statement, each to be decided by a person. */
export function listRecommendations(
  facts: ReconciliationFacts,
  input: ReconciliationInput,
): readonly Recommendation[] {
  const describe = ({ date, amount }: { readonly date: string; readonly amount: number }): string =>
    `${date}, ${formatMoney(amount, input.currency)}`;
  const duplicates = findDuplicates(facts, input.toleranceDays);
  return [
    ...facts.matches
      .filter(({ transaction }) => transaction.cleared === 'uncleared')
      .map(({ bank, transaction }) => ({
        type: 'update_cleared' as const,
        priority: 'high' as const,
        message: `Row ${bank.row} (${describe(bank)}) confirms this transaction: mark it as cleared.`,
        tool: 'update_transaction' as const,
        arguments: { transaction_id: transaction.id, cleared: 'cleared' as const },
      })),
    ...facts.unmatched_bank.map((unmatched) => ({
      type: 'create_transaction' as const,
      priority: 'medium' as const,
      message: `Row ${unmatched.bank.row} (${describe(unmatched.bank)}) has no transaction: create it.`,
      tool: 'create_transaction' as const,
      arguments: toCreateArguments(facts.summary.account_id, unmatched),
    })),
    ...facts.suggestions.map((suggestion) => reviewOf(suggestion, describe)),
    ...duplicates.map((transaction) => ({
      type: 'review_duplicate' as const,
      priority: 'medium' as const,
      message: `This transaction (${describe(transaction)}) repeats one that the statement has once: delete it if it is a duplicate.`,
      tool: 'get_transaction' as const,
      arguments: { transaction_id: transaction.id },
    })),
    ...facts.unmatched_ynab
      .filter((each) => each.cleared === 'cleared' && !duplicates.includes(each))
      .map((transaction) => ({
        type: 'manual_review' as const,
        priority: 'low' as const,
        message: `This cleared transaction (${describe(transaction)}) is not in the statement: mark it as uncleared if the bank does not have it.`,
        tool: 'update_transaction' as const,
        arguments: { transaction_id: transaction.id, cleared: 'uncleared' as const },
      })),
  ];
}

/** The arguments that create the transaction of a row. */
export function toCreateArguments(accountId: string, { bank, import_id }: UnmatchedRow): CreateArguments {
  return {
    account_id: accountId,
    amount_milliunits: bank.amount,
    date: bank.date,
    ...(bank.description === '' ? {} : { payee_name: bank.description }),
    cleared: 'cleared',
    import_id,
  };
}

function reviewOf(
  suggestion: Suggestion,
  describe: (each: { readonly date: string; readonly amount: number }) => string,
): Recommendation {
  const { bank } = suggestion;
  const row = `Row ${bank.row} (${describe(bank)})`;
  if (suggestion.kind === 'transaction')
    return {
      type: 'manual_review',
      priority: 'medium',
      message: `${row} may be this transaction of ${suggestion.transaction.date}: mark it as cleared if it is.`,
      tool: 'update_transaction',
      arguments: { transaction_id: suggestion.transaction.id, cleared: 'cleared' },
    };
  const transactions = suggestion.combinations[0]?.transactions ?? [];
  return {
    type: 'manual_review',
    priority: 'low',
    message: `${row} is the sum of these ${transactions.length} transactions: mark them as cleared if they belong together.`,
    tool: 'update_transactions',
    arguments: { transactions: transactions.map(({ id }) => ({ id, cleared: 'cleared' })) },
  };
}

/** Transactions without a row that have the amount and the payee of a matched one, on a near day. */
function findDuplicates(
  { matches, unmatched_ynab }: ReconciliationFacts,
  toleranceDays: number,
): readonly LedgerTransaction[] {
  const similarity = createPayeeSimilarity();
  const byAmount = new Map<number, LedgerTransaction[]>();
  for (const { transaction } of matches)
    byAmount.set(transaction.amount, [...(byAmount.get(transaction.amount) ?? []), transaction]);
  return unmatched_ynab.filter((each) =>
    byAmount
      .get(each.amount)
      ?.some(
        (transaction) =>
          Math.abs(toDayNumber(transaction.date) - toDayNumber(each.date)) <= toleranceDays &&
          similarity(transaction.payee_name ?? '', each) >= DUPLICATE_SIMILARITY,
      ),
  );
}
