import { readFile, stat } from 'node:fs/promises';
import { ToolError, ValidationError } from 'toolwright';
import { containPath } from 'toolwright/files';
import * as z from 'zod';
import { readStatement } from '../../statement/read-statement.ts';
import type { Statement } from '../../statement/statement.ts';

const column = z.union([z.string().min(1), z.int().min(0)]).optional();

/** The arguments of a bank statement. */
export const STATEMENT = {
  csv_data: z.string().min(1).optional().describe('The statement as CSV. Or csv_file_path.'),
  csv_file_path: z.string().min(1).optional().describe('A file in the import folder.'),
};

export const CSV_FORMAT = z
  .object({
    date_column: column,
    amount_column: column,
    debit_column: column,
    credit_column: column,
    description_column: column,
    date_format: z.string().optional().describe('Such as MDY or DD.MM.YYYY.'),
    has_header: z.boolean().optional(),
    delimiter: z.enum([',', ';', '\t', '|']).optional(),
  })
  .optional()
  .describe('Columns by name or index (from 0). Detected unless given.');

interface GivenStatement {
  readonly csv_data?: string | undefined;
  readonly csv_file_path?: string | undefined;
  readonly csv_format?: z.infer<typeof CSV_FORMAT>;
}

const MAX_BYTES = 10 * 1024 * 1024;
/** Matching runs without interruption, so its time is bounded by the number of rows: years of a busy account. */
const MAX_ROWS = 20_000;
const SPLIT = { suggestions: ['Split the statement by date.'] };

/** Reads the statement of a call. Rows that cannot be read are part of the result; a file without any is an error. */
export async function loadStatement(
  { csv_data: data, csv_file_path: path, csv_format: format }: GivenStatement,
  { importPath, decimalDigits }: { readonly importPath: string | undefined; readonly decimalDigits: number },
): Promise<Statement> {
  if ((data === undefined) === (path === undefined)) {
    throw new ValidationError([
      { path: ['csv_data'], message: 'pass exactly one of csv_data and csv_file_path' },
    ]);
  }
  const read = readStatement(data ?? (await readImport(path ?? '', importPath)), { format, decimalDigits });
  if (read.ok && read.statement.rows.length > MAX_ROWS) {
    const { length } = read.statement.rows;
    throw new ToolError(`The statement has ${length} rows; the limit is ${MAX_ROWS}.`, SPLIT);
  }
  if (read.ok) return read.statement;
  throw new ToolError(`The statement cannot be read: ${read.reason}`, {
    suggestions: ['Check the CSV, or describe its columns with csv_format.'],
  });
}

async function readImport(path: string, importPath: string | undefined): Promise<string> {
  if (importPath === undefined) {
    throw new ToolError('CSV files cannot be read: no import folder is set.', {
      suggestions: ['Pass the statement as csv_data, or set YNAB_IMPORT_PATH and restart the server.'],
    });
  }
  const file = await containPath(importPath, path, { field: 'csv_file_path' });
  const found = await stat(file).catch(() => undefined);
  const size = found?.size ?? 0;
  if (size > MAX_BYTES)
    throw new ToolError(`The file "${path}" has ${size} bytes; the limit is ${MAX_BYTES}.`, SPLIT);
  // Reading a pipe would wait for its writer.
  const bytes = found?.isFile() === true ? await readFile(file).catch(() => undefined) : undefined;
  if (bytes !== undefined) return decode(bytes);
  throw new ToolError(`The import folder has no file "${path}" that can be read.`, {
    suggestions: ['Put the file into the folder of YNAB_IMPORT_PATH, or pass the statement as csv_data.'],
  });
}

/** Banks write UTF-8 or Windows-1252; text in the latter is almost never valid UTF-8. "Unicode text" of Excel is UTF-16 with a byte order mark. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
