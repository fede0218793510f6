import { isStructure } from '../../../base/is-object.ts';

/** Longer texts are neither stored nor read. */
export const MAX_STORED_CHARS = 16_777_216;

const MAX_DEPTH = 512;

/** Member of objects that stand for values without a JSON form. */
const MARK = '$toolwright';

/** A value that has no exact form in JSON. */
export class UnstorableError extends Error {}

/** Parsed JSON of Redis; undefined for anything that the stores do not write: invalid JSON, too long or too deep, or with a member `__proto__`. */
export function parseStored(text: unknown): unknown {
  if (typeof text !== 'string' || text.length > MAX_STORED_CHARS) return undefined;
  try {
    return unpack(JSON.parse(text), 0, false);
  } catch {
    return undefined;
  }
}

/** A value as JSON. Dates, bigints, `undefined`, `NaN`, infinite numbers and -0 keep their type. Throws an {@link UnstorableError}. */
export function packValue(value: unknown): string {
  return JSON.stringify(pack(value, 0));
}

/** The value of {@link packValue}; undefined for any other text. */
export function unpackValue(text: unknown): unknown {
  if (typeof text !== 'string' || text.length > MAX_STORED_CHARS) return undefined;
  try {
    return unpack(JSON.parse(text), 0, true);
  } catch {
    return undefined;
  }
}

function pack(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new UnstorableError('a cycle, or more than 512 levels');
  if (typeof value === 'number') {
    const isPlain = Number.isFinite(value) && !Object.is(value, -0);
    return isPlain ? value : mark('number', Object.is(value, -0) ? '-0' : String(value));
  }
  if (typeof value === 'bigint') return mark('bigint', String(value));
  if (value === undefined) return mark('undefined', null);
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new UnstorableError(`a ${typeof value}`);
  if (!isStructure(value)) return value;
  if (Array.isArray(value)) return Array.from(value, (element) => pack(element, depth + 1));
  if (value instanceof Date) return mark('date', value.getTime());
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new UnstorableError(`an object of the class ${value.constructor.name}`);
  const packed = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, pack(member, depth + 1)]),
  );
  return Object.hasOwn(value, MARK) ? mark('object', packed) : packed;
}

function mark(kind: string, content: unknown): object {
  return { [MARK]: [kind, content] };
}

/** Traverses parsed JSON. `isPacked`: objects may stand for values without a JSON form. */
function unpack(value: unknown, depth: number, isPacked: boolean): unknown {
  if (!isStructure(value)) return value;
  const marked: unknown = isPacked ? (value as Readonly<Record<string, unknown>>)[MARK] : undefined;
  return Array.isArray(marked)
    ? restore(marked as readonly unknown[], depth)
    : unpackMembers(value, depth, isPacked);
}

function unpackMembers(value: unknown, depth: number, isPacked: boolean): unknown {
  if (depth > 2 * MAX_DEPTH) throw new UnstorableError('too many levels');
  if (!isStructure(value)) throw new UnstorableError('an unknown mark');
  if (Object.hasOwn(value, '__proto__')) throw new UnstorableError('a member __proto__');
  const members = value as Record<string, unknown>;
  for (const key of Object.keys(members)) members[key] = unpack(members[key], depth + 1, isPacked);
  return value;
}

function restore([kind, content]: readonly unknown[], depth: number): unknown {
  if (kind === 'date') return new Date(Number(content ?? Number.NaN));
  if (kind === 'bigint') return BigInt(content as string);
  if (kind === 'number') return Number(content);
  if (kind === 'undefined') return undefined;
  // An object of the application with the member itself.
  if (kind === 'object') return unpackMembers(content, depth + 1, true);
  throw new UnstorableError('an unknown mark');
}
