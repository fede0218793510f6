export interface Row {
  readonly name: string;
  readonly folder: string;
  /** Undefined for the Node that runs this. */
  readonly of?: string;
  /** Result of a row that does not fail. Default: 'passed'. */
  readonly result?: string;
}

export declare const TABLES: Readonly<Record<string, readonly Row[]>>;
/** Name, version, and the Node that it runs under. */
export declare function headOf(row: Row): [string, string, string];
/** The cells of every row of a table on the page. */
export declare function readTable(page: string, table: string): string[][];
/** The page with other rows in one of its tables. */
export declare function writeTable(page: string, table: string, rows: readonly (readonly string[])[]): string;
export declare const FOLDERS: readonly string[];
export declare function inMatrix(...path: readonly string[]): string;
