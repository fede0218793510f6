import { facts } from '../../markdown/markdown.ts';
import type { Column, MarkdownValue } from '../../markdown/markdown.ts';
import { formatMoney } from '../../money/currency-format.ts';
import type { CurrencyFormat } from '../../money/currency-format.ts';

/** A column of text. */
export function text<TRow>(title: string, value: (row: TRow) => MarkdownValue): Column<TRow> {
  return { title, value };
}

/** A column of amounts, which are milliunits. */
export function money<TRow>(
  title: string,
  currency: CurrencyFormat,
  amount: (row: TRow) => number,
): Column<TRow> {
  return { title, align: 'right', value: (row) => formatMoney(amount(row), currency) };
}

const MILLIUNITS = '_milliunits';

/** The members of a result as a list. An amount and its milliunits share a line; results with amounts need the currency. */
export function memberFacts(members: object, currency?: CurrencyFormat): string {
  const all: Readonly<Record<string, unknown>> = { ...members };
  return facts(
    Object.entries(all)
      .filter(([name]) => !(name.endsWith(MILLIUNITS) && name.slice(0, -MILLIUNITS.length) in all))
      .map(([name, value]) => {
        const milliunits = all[name + MILLIUNITS];
        if (currency !== undefined && typeof milliunits === 'number')
          return [name, `${formatMoney(milliunits, currency)} (${milliunits} milliunits)`];
        return [
          name,
          typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as MarkdownValue),
        ];
      }),
  );
}
