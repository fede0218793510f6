import { ToolError } from '../../errors/errors.ts';

/** The arguments of a call. */
export type Arguments = Readonly<Record<string, unknown>>;

/** An argument; undefined where it was not given. */
export function readArgument(input: Arguments, name: string): unknown {
  return Object.hasOwn(input, name) ? input[name] : undefined;
}

/** A list or an object: what a style says how to write. */
export function isCompound(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** What RFC 6570 calls undefined: nothing is written for it. */
export function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** The members of an object that have a value. */
export function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => !isNothing(member));
}

/** The items of a list that have a value. */
export function itemsOf(value: readonly unknown[]): unknown[] {
  return value.filter((item) => !isNothing(item));
}

/** Strings as they are, everything else as JSON writes it; no style says how a list in a list is written. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : toJson(value);
}

/** A list with the lists in it as texts; as it is where nothing says how they are joined. */
export function joinInner(value: unknown, delimiters: readonly string[] | undefined): unknown {
  if (delimiters === undefined || !Array.isArray(value)) return value;
  return value.map((item: unknown) => (Array.isArray(item) ? joinList(item, delimiters) : item));
}

function joinList(list: readonly unknown[], [delimiter = ',', ...deeper]: readonly string[]): string {
  return itemsOf(list)
    .map((item) => (Array.isArray(item) ? joinList(item, deeper) : toText(item)))
    .join(delimiter);
}

/** A value as JSON. */
export function toJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  try {
    // Functions and the like have no JSON.
    return JSON.stringify(value) ?? 'null';
  } catch (cause) {
    throw new ToolError('An argument cannot be written as JSON: it is nested too deeply, or holds itself.', {
      cause,
    });
  }
}

/** An argument that has to be there, and is not. */
export function missingArgument(argument: string, why: string): ToolError {
  return new ToolError(`The argument "${argument}" is missing: ${why}.`);
}
