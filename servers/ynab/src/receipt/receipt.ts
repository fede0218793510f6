/** An amount in currency units, as an argument has it. */
export type DecimalAmount = number | string;

/** One line of a receipt. `amount` is the price of the whole line, whatever the quantity; a return or a discount is negative. */
export interface ReceiptItem {
  readonly name: string;
  readonly amount: DecimalAmount;
  readonly quantity?: number | undefined;
  readonly memo?: string | undefined;
}

/** The items of a receipt that belong to one category. */
export interface ReceiptCategory {
  readonly category_id: string;
  readonly items: readonly ReceiptItem[];
}

/** The figures of a receipt, with the names of the arguments of `create_receipt_split_transaction`. */
export interface Receipt {
  readonly receipt_subtotal?: DecimalAmount | undefined;
  readonly receipt_tax: DecimalAmount;
  readonly receipt_total: DecimalAmount;
  readonly categories: readonly ReceiptCategory[];
}

/** An invalid argument: its path, and a message that says what is wrong and what to do. */
export interface ReceiptError {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** An item with its amount in milliunits. */
export interface PricedItem {
  readonly name: string;
  readonly memo: string | undefined;
  readonly quantity: number;
  readonly amount: number;
  readonly categoryId: string;
}

/** A receipt in milliunits. Its figures agree. */
export interface PricedReceipt {
  readonly items: readonly PricedItem[];
  readonly tax: number;
  readonly total: number;
}
