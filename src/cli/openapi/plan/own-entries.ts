import { UsageError } from '../../terminal/command.ts';

/** Notation of an option for one document: `shop=https://…`, or `shop.api_key=…`. */
export interface EntryForm {
  /** The name of the flag, without `--`. */
  readonly flag: string;
  /** Separator between the name of the document and the value. */
  readonly separator: '.' | '=';
}

/**
 * Assigns values to documents. With several documents, each value must name its document, so that no credential is sent to the wrong API.
 */
export function splitEntries(
  entries: readonly string[],
  names: readonly (string | undefined)[],
  { flag, separator }: EntryForm,
): readonly (readonly string[])[] {
  const lists = names.map((): string[] => []);
  for (const entry of entries) {
    const owner = names.findIndex((name) => name !== undefined && entry.startsWith(`${name}${separator}`));
    if (owner !== -1) lists[owner]?.push(entry.slice(`${names[owner] ?? ''}${separator}`.length));
    else if (names.length === 1) lists[0]?.push(entry);
    else
      throw new UsageError(
        `--${flag}: missing document name, because there are several documents. Write --${flag} "${names[0] ?? ''}${separator}\u2026"`,
      );
  }
  return lists;
}
