/** One line of a bank statement. Money that leaves the account is negative, as in the budget. */
export interface BankRow {
  /** The number of the row in the file; the first row, a header and empty rows count, as in a spreadsheet. */
  readonly row: number;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Milliunits. */
  readonly amount: number;
  readonly description: string;
}

/** A row that is not in the result, and the reason. */
export interface RowError {
  readonly row: number;
  readonly field: 'amount' | 'date';
  readonly message: string;
}

/** A decision of the reader that the file does not settle. */
export interface StatementWarning {
  readonly code:
    | 'ambiguous_amounts'
    | 'ambiguous_columns'
    | 'ambiguous_dates'
    | 'debit_and_credit'
    | 'rows_before_header';
  readonly message: string;
  /** The first rows that the warning is about, at most 20. */
  readonly rows: readonly number[];
}

export type Delimiter = ',' | ';' | '\t' | '|';

/** The order of day, month and year in dates with numbers only. */
export type DateOrder = 'DMY' | 'MDY' | 'YMD';

/** Hints about the file; a member that is missing is detected. */
export interface CsvFormat {
  /** Columns: the name in the header, or the index; the first column has the index 0. */
  readonly date_column?: number | string | undefined;
  readonly amount_column?: number | string | undefined;
  readonly debit_column?: number | string | undefined;
  readonly credit_column?: number | string | undefined;
  readonly description_column?: number | string | undefined;
  /** `MDY`, or a pattern such as `DD.MM.YYYY`. */
  readonly date_format?: string | undefined;
  readonly has_header?: boolean | undefined;
  readonly delimiter?: Delimiter | undefined;
}

/** The properties of the file, from hints or detected. A column is its name, or its index if the file has no header. */
export interface DetectedFormat {
  readonly preset: string | null;
  readonly delimiter: string;
  readonly has_header: boolean;
  readonly date_column: number | string;
  readonly amount_columns: readonly (number | string)[];
  readonly debit_column: number | string | null;
  readonly credit_column: number | string | null;
  readonly description_columns: readonly (number | string)[];
  readonly date_format: DateOrder;
  readonly decimal_separator: ',' | '.' | null;
  /** True if columns tell debits from credits, so that the sign of an amount does not depend on the bank. */
  readonly has_explicit_signs: boolean;
}

export interface Statement {
  readonly rows: readonly BankRow[];
  readonly errors: readonly RowError[];
  readonly warnings: readonly StatementWarning[];
  readonly detected: DetectedFormat;
}
