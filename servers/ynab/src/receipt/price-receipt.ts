import { parseDecimal, sum, toDecimalString } from '../money/money.ts';
import type { DecimalAmount, PricedItem, PricedReceipt, Receipt, ReceiptError } from './receipt.ts';

/** Receipts round: a subtotal or a total may differ from the items by 0.01, in milliunits. */
const TOLERANCE = 10;

/** The receipt in milliunits, or all reasons why its figures are invalid. */
export type PriceReceiptResult =
  | { readonly ok: true; readonly receipt: PricedReceipt }
  | { readonly ok: false; readonly errors: readonly ReceiptError[] };

/** Parses the amounts of a receipt and checks that they agree. */
export function priceReceipt(receipt: Receipt, digits: number): PriceReceiptResult {
  const errors: ReceiptError[] = [];
  const parse = (path: ReceiptError['path'], value: DecimalAmount): number => {
    const parsed = parseDecimal(value, digits);
    if (parsed.ok) return parsed.milliunits;
    errors.push({ path, message: `${parsed.reason}. Use an amount in units of the currency.` });
    return 0;
  };
  const items = receipt.categories.flatMap((category, at) =>
    category.items.map((item, index): PricedItem => {
      const path = ['categories', at, 'items', index];
      const { name, memo, quantity = 1 } = item;
      if (!Number.isSafeInteger(toMillionths(quantity)) || toMillionths(quantity) <= 0)
        errors.push({
          path: [...path, 'quantity'],
          message: `Invalid quantity ${quantity}: use a number above 0.`,
        });
      const amount = parse([...path, 'amount'], item.amount);
      return { name, memo, quantity, amount, categoryId: category.category_id };
    }),
  );
  const tax = parse(['receipt_tax'], receipt.receipt_tax);
  const total = parse(['receipt_total'], receipt.receipt_total);
  const { receipt_subtotal: given } = receipt;
  const subtotal = given === undefined ? undefined : parse(['receipt_subtotal'], given);
  if (errors.length > 0) return { ok: false, errors };

  const found = findDisagreements({ items, tax, total, subtotal, digits });
  return found.length > 0 ? { ok: false, errors: found } : { ok: true, receipt: { items, tax, total } };
}

/** The quantity in whole millionths: as a fraction, 0.29 × 50 would not be 14.50. */
export function toMillionths(quantity: number): number {
  return Math.round(quantity * 1_000_000);
}

interface Figures extends PricedReceipt {
  readonly subtotal: number | undefined;
  readonly digits: number;
}

function findDisagreements({ items, tax, total, subtotal, digits }: Figures): ReceiptError[] {
  if (items.length === 0)
    return [{ path: ['categories'], message: 'There are no items. Give at least one item in a category.' }];
  const errors: ReceiptError[] = [];
  const show = (amount: number): string => toDecimalString(amount, digits);
  const sold = sum(items.map((item) => item.amount));
  if (subtotal !== undefined && Math.abs(subtotal - sold) > TOLERANCE) {
    const message = `The subtotal is ${show(subtotal)}, but the items add up to ${show(sold)}. Correct the subtotal or the items; a difference of 0.01 is accepted.`;
    errors.push({ path: ['receipt_subtotal'], message });
  }
  if (Math.abs(total - sold - tax) > TOLERANCE) {
    const message = `The total is ${show(total)}, but the items (${show(sold)}) and the tax (${show(tax)}) add up to ${show(sold + tax)}. Correct the total, the tax or the items; a difference of 0.01 is accepted.`;
    errors.push({ path: ['receipt_total'], message });
  }
  if (tax > 0 && !items.some((item) => item.amount > 0)) {
    const message = `The tax is ${show(tax)}, but no item has a positive amount. Give the taxed items, or a tax of 0 or below.`;
    errors.push({ path: ['receipt_tax'], message });
  }
  if (tax < 0 && !items.some((item) => item.amount < 0)) {
    const message = `The tax is ${show(tax)}, but no item is a return. Give the returned items with negative amounts, or a tax of 0 or above.`;
    errors.push({ path: ['receipt_tax'], message });
  }
  return errors;
}
