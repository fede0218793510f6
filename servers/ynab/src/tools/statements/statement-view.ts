import type { LedgerTransaction } from '../../matching/ledger-transaction.ts';
import { table } from '../../markdown/markdown.ts';
import type { CurrencyFormat } from '../../money/currency-format.ts';
import type { BankRow } from '../../statement/statement.ts';
import { bothForms } from '../define/amounts.ts';
import { money, text } from '../define/columns.ts';
import { present } from '../define/present.ts';

/** A row of the statement with its amount in both forms. */
export function describeRow({ row, date, amount, description }: BankRow, currency: CurrencyFormat): object {
  return { row, date, ...bothForms('amount', amount, currency), description };
}

/** A transaction of the account, with only the fields that identify it. */
export function describeLedger(transaction: LedgerTransaction, currency: CurrencyFormat): object {
  const { id, date, amount, payee_name, memo, cleared } = transaction;
  return { id, date, ...bothForms('amount', amount, currency), ...present({ payee_name, memo }), cleared };
}

export function toRowTable(rows: readonly BankRow[], currency: CurrencyFormat): string {
  return table<BankRow>(
    [
      { title: 'Row', align: 'right', value: ({ row }) => row },
      text('Date', ({ date }) => date),
      money('Amount', currency, ({ amount }) => amount),
      text('Description', ({ description }) => description),
    ],
    rows,
  );
}

export function toLedgerTable(transactions: readonly LedgerTransaction[], currency: CurrencyFormat): string {
  return table<LedgerTransaction>(
    [
      text('Date', ({ date }) => date),
      money('Amount', currency, ({ amount }) => amount),
      text('Payee', ({ payee_name: payee }) => payee),
      text('Status', ({ cleared }) => cleared),
      text('Id', ({ id }) => id),
    ],
    transactions,
  );
}
