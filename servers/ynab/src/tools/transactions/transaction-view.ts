import type { Subtransaction, Transaction } from '../../api/entities.ts';
import { heading, table } from '../../markdown/markdown.ts';
import { formatMoney } from '../../money/currency-format.ts';
import type { CurrencyFormat } from '../../money/currency-format.ts';
import { bothForms } from '../define/amounts.ts';
import { present } from '../define/present.ts';
import { memberFacts, money, text } from '../define/columns.ts';

/** A transaction as tools return it: names beside ids, amounts in both forms, no empty members. */
export function describeTransaction(transaction: Transaction, currency: CurrencyFormat) {
  const { id, date, cleared, approved, account_id, account_name } = transaction;
  return {
    id,
    date,
    ...bothForms('amount', transaction.amount, currency),
    account_id,
    account_name,
    cleared,
    approved,
    ...describeTarget(transaction),
    ...present({ flag_color: transaction.flag_color, import_id: transaction.import_id }),
    ...describeParts(transaction.subtransactions, currency),
  };
}

/** The parts of a split, as a member of its description; nothing if there are none. */
export function describeParts(
  all: readonly Subtransaction[],
  currency: CurrencyFormat,
): { readonly subtransactions?: readonly object[] } {
  const parts = all.filter(({ deleted }) => !deleted);
  if (parts.length === 0) return {};
  return {
    subtransactions: parts.map((part) => ({
      id: part.id,
      ...bothForms('amount', part.amount, currency),
      ...describeTarget(part),
    })),
  };
}

/** A transaction in Markdown: its members, and the parts of a split as a table. */
export function showWithParts(
  title: string,
  { subtransactions: _parts, ...members }: { readonly subtransactions?: unknown },
  { subtransactions, currency }: WithParts,
): string {
  const parts = subtransactions.filter(({ deleted }) => !deleted);
  const sections = parts.length === 0 ? [] : [heading(2, 'Parts'), toPartTable(parts, currency)];
  return [heading(1, title), memberFacts(members, currency), ...sections].join('\n\n');
}

interface WithParts {
  readonly subtransactions: readonly Subtransaction[];
  readonly currency: CurrencyFormat;
}

function toPartTable(parts: readonly Subtransaction[], currency: CurrencyFormat): string {
  return table<Subtransaction>(
    [
      money('Amount', currency, ({ amount }) => amount),
      text('Category', ({ category_name: category }) => category),
      text('Payee', ({ payee_name: payee }) => payee),
      text('Memo', ({ memo }) => memo),
    ],
    parts,
  );
}

type Target = Partial<
  Pick<
    Subtransaction,
    'payee_id' | 'payee_name' | 'category_id' | 'category_name' | 'memo' | 'transfer_account_id'
  >
>;

export function describeTarget(target: Target): object {
  const { payee_id, payee_name, category_id, category_name, memo, transfer_account_id } = target;
  return present({ payee_id, payee_name, category_id, category_name, memo, transfer_account_id });
}

export function toTransactionTable(transactions: readonly Transaction[], currency: CurrencyFormat): string {
  return table<Transaction>(
    [
      text('Date', ({ date }) => date),
      text('Payee', ({ payee_name: payee }) => payee),
      text('Category', ({ category_name: category }) => category),
      money('Amount', currency, ({ amount }) => amount),
      text('Status', ({ approved, cleared }) => (approved ? cleared : `${cleared}, unapproved`)),
      text('Account', ({ account_name: account }) => account),
      text('Memo', ({ memo }) => memo),
      text('Id', ({ id }) => id),
    ],
    transactions,
  );
}

/** A transaction in one sentence, for previews. */
export function nameTransaction(transaction: Transaction, currency: CurrencyFormat): string {
  const { date, amount, payee_name: payee, account_name: account } = transaction;
  return `${formatMoney(amount, currency)} on ${date}${payee ? ` at ${payee}` : ''} in ${account}`;
}
