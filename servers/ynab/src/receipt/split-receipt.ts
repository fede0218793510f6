import { sum, toDecimalString } from '../money/money.ts';
import { distribute } from './distribute.ts';
import { priceReceipt, toMillionths } from './price-receipt.ts';
import type { PricedItem, PricedReceipt, Receipt, ReceiptError } from './receipt.ts';

/** A part of the split transaction: milliunits, outflows negative. */
export interface ReceiptLine {
  readonly amount: number;
  readonly category_id: string;
  readonly memo: string;
}

/** The parts of the split transaction, which add up to minus the total; or the invalid arguments. */
export type ReceiptSplit =
  | {
      readonly ok: true;
      readonly subtransactions: readonly ReceiptLine[];
      /** Milliunits between the total and its items with tax, at most 0.01; part of the largest line of items. */
      readonly rounding: number;
    }
  | { readonly ok: false; readonly errors: readonly ReceiptError[] };

/** An item with a unit price above this one has a line of its own; in milliunits. */
const LARGE_UNIT_PRICE = 50_000n;
/** From this number of other items on, the items of a category share lines. */
const GROUPED_FROM = 5;
const ITEMS_PER_LINE = 5;
const MEMO_LENGTH = 150;

/** Splits a receipt into the lines of one transaction: large items and returns, then the other items, then the tax. */
export function splitReceipt(receipt: Receipt, digits: number): ReceiptSplit {
  const priced = priceReceipt(receipt, digits);
  if (!priced.ok) return priced;
  const { items, tax, total } = priced.receipt;
  const others = items.filter((item) => !isSpecial(item));
  const rounding = total - tax - sum(items.map((item) => item.amount));
  const lines = [
    ...items.filter(isSpecial).map(toLine),
    ...(others.length < GROUPED_FROM ? others.map(toLine) : toGroupLines(others, digits)),
  ];
  const subtransactions = [...addToLargest(lines, -rounding), ...toTaxLines(priced.receipt, digits)];
  return { ok: true, subtransactions, rounding };
}

function isSpecial({ amount, quantity }: PricedItem): boolean {
  return amount < 0 || BigInt(amount) * 1_000_000n > LARGE_UNIT_PRICE * BigInt(toMillionths(quantity));
}

function toLine({ name, memo, quantity, amount, categoryId }: PricedItem): ReceiptLine {
  const count = quantity === 1 ? '' : ` ×${quantity}`;
  const note = memo === undefined || memo === '' ? '' : ` (${memo})`;
  return createLine(amount, categoryId, name + count + note);
}

function toGroupLines(items: readonly PricedItem[], digits: number): ReceiptLine[] {
  return [...byCategory(items)].flatMap(([categoryId, all]) =>
    Array.from({ length: Math.ceil(all.length / ITEMS_PER_LINE) }, (_, index) => {
      const some = all.slice(index * ITEMS_PER_LINE, (index + 1) * ITEMS_PER_LINE);
      const memo = some.map(({ name, amount }) => `${name} ${toDecimalString(amount, digits)}`).join(', ');
      return createLine(sum(some.map((item) => item.amount)), categoryId, memo);
    }),
  );
}

/** Tax is paid on what was bought; a refund of tax belongs to the largest return. */
function toTaxLines({ items, tax }: PricedReceipt, digits: number): ReceiptLine[] {
  if (tax < 0) {
    const [largest] = items.toSorted((one, other) => one.amount - other.amount);
    return largest === undefined ? [] : [createLine(tax, largest.categoryId, 'Tax')];
  }
  if (tax === 0) return [];
  const categories = [...byCategory(items.filter((item) => item.amount > 0))];
  const weights = categories.map(([, bought]) => sum(bought.map((item) => item.amount)));
  const shares = distribute(tax, weights, 10 ** (3 - Math.min(digits, 3)));
  return categories
    .map(([categoryId], index) => createLine(shares[index] ?? 0, categoryId, 'Tax'))
    .filter((line) => line.amount !== 0);
}

function byCategory(items: readonly PricedItem[]): Map<string, PricedItem[]> {
  const categories = new Map<string, PricedItem[]>();
  for (const item of items) {
    const found = categories.get(item.categoryId);
    if (found === undefined) categories.set(item.categoryId, [item]);
    else found.push(item);
  }
  return categories;
}

/** The API rejects a split whose parts do not add up to its amount; a cent shows least on the largest line. */
function addToLargest(lines: readonly ReceiptLine[], amount: number): ReceiptLine[] {
  const [at] = [...lines.keys()].toSorted((one, other) => magnitude(lines[other]) - magnitude(lines[one]));
  return lines.map((line, index) => (index === at ? { ...line, amount: line.amount + amount } : line));
}

function magnitude(line: ReceiptLine | undefined): number {
  return Math.abs(line?.amount ?? 0);
}

function createLine(price: number, categoryId: string, memo: string): ReceiptLine {
  // `0 - 0` is 0, `-0` would be serialized as 0 but compare as another value.
  return { amount: 0 - price, category_id: categoryId, memo: cut(memo) };
}

/** The text without the rest above the limit, in UTF-16 code units, never with half a character. */
function cut(text: string): string {
  if (text.length <= MEMO_LENGTH) return text;
  return `${text.slice(0, MEMO_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
