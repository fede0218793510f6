import { UsageError } from '../../terminal/command.ts';

/** What belongs to which document: `shop=https://…`, or `shop.api_key=…`. */
export interface EntryForm {
  /** `--base-url`, or the variable that stands for it. */
  readonly flag: string;
  /** Between the name of the document and the entry. */
  readonly separator: '.' | '=';
}

/**
 * The entries of each document. With one document all are its own; with several each has to say whose it is, so that no key goes to an
 * API that it was not meant for.
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
        `--${flag}: there are several documents. Say which of them it is for: --${flag} "${names[0] ?? ''}${separator}\u2026"`,
      );
  }
  return lists;
}
