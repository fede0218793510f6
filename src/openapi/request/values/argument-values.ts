import { ValidationError } from '../../../errors/errors.ts';

/** The arguments of a call. */
export type Arguments = Readonly<Record<string, unknown>>;

/** An argument; undefined if it is missing. */
export function readArgument(input: Arguments, name: string): unknown {
  return Object.hasOwn(input, name) ? input[name] : undefined;
}

/** Whether a value is an array or an object, which are serialized by style. */
export function isCompound(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is undefined in the sense of RFC 6570: nothing is written for it. */
export function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** The members of an object that have a value. */
export function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => !isNothing(member));
}

/** The items of an array that have a value. */
export function itemsOf(value: readonly unknown[]): unknown[] {
  return value.filter((item) => !isNothing(item));
}

/** Strings unchanged, everything else as JSON; no style defines nested arrays. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : toJson(value);
}

/** Joins nested arrays to strings; unchanged without delimiters for them. */
export function joinInner(value: unknown, delimiters: readonly string[] | undefined): unknown {
  if (delimiters === undefined || !Array.isArray(value)) return value;
  return value.map((item: unknown) => (Array.isArray(item) ? joinList(item, delimiters) : item));
}

function joinList(list: readonly unknown[], [delimiter = ',', ...deeper]: readonly string[]): string {
  return itemsOf(list)
    .map((item) => (Array.isArray(item) ? joinList(item, deeper) : toText(item)))
    .join(delimiter);
}

/** Serializes a value as JSON. Bigints are written as integers with all their digits. */
export function toJson(value: unknown): string {
  try {
    // Functions and symbols have no JSON.
    return (hasBigInt(value) ? writeExact(value) : JSON.stringify(value)) ?? 'null';
  } catch (cause) {
    const why = 'An argument cannot be serialized as JSON: it is nested too deeply, or circular.';
    throw Object.assign(refuseArguments(why), { cause });
  }
}

function hasBigInt(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some(hasBigInt);
}

/** Like `JSON.stringify`, which throws on bigints. */
function writeExact(value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => writeExact(item) ?? 'null').join(',')}]`;
  if (!isCompound(value)) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([key, member]) => {
    const written = writeExact(member);
    return written === undefined ? [] : [`${JSON.stringify(key)}:${written}`];
  });
  return `{${members.join(',')}}`;
}

/** Error for a missing required argument. */
export function missingArgument(argument: string, why: string): ValidationError {
  return refuseArgument(argument, `is missing: ${why}`);
}

/** Error for an argument that cannot be sent. `why` follows its name. */
export function refuseArgument(argument: string, why: string): ValidationError {
  return new ValidationError([{ path: [argument], message: why }], `The argument "${argument}" ${why}.`);
}

/** Error for arguments that cannot be sent together. */
export function refuseArguments(message: string): ValidationError {
  return new ValidationError([{ path: [], message }], message);
}
