import { isPlainObject } from './block-members.ts';
import { MAX_RESULT_DEPTH } from './serialize.ts';

/** The value has no exact representation. */
class InexactError extends Error {}

/**
 * Serializes a value so that equal texts mean equal values: JSON with sorted keys, and distinct notations for
 * dates, bigints, `undefined`, `NaN` and the like. Undefined if that cannot be guaranteed (class instances,
 * functions, symbols, sparse arrays, cycles, throwing getters) or if the text is longer than `maxChars`.
 */
export function toExactText(value: unknown, maxChars: number): string | undefined {
  const parts: string[] = [];
  let left = maxChars;
  const add = (text: string): void => {
    left -= text.length;
    if (left < 0) throw new InexactError();
    parts.push(text);
  };
  const write = (current: unknown, depth: number): void => {
    // Cycles end here, or when the character limit is used up.
    if (depth > MAX_RESULT_DEPTH) throw new InexactError();
    if (typeof current !== 'object' || current === null) return add(writeScalar(current));
    if (Array.isArray(current)) {
      // Before its keys are listed: each element takes at least a comma.
      if (current.length > left) throw new InexactError();
      assertDense(current);
      add('[');
      for (const element of current as unknown[]) {
        write(element, depth + 1);
        add(',');
      }
      return add(']');
    }
    if (current instanceof Date) return add(writeDate(current));
    assertPlain(current);
    add('{');
    for (const key of Object.keys(current).toSorted()) {
      add(`${JSON.stringify(key)}:`);
      write((current as Record<string, unknown>)[key], depth + 1);
      add(',');
    }
    add('}');
  };
  try {
    write(value, 0);
    return parts.join('');
  } catch {
    return undefined;
  }
}

function writeScalar(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function' || typeof value === 'symbol') throw new InexactError();
  return Object.is(value, -0) ? '-0' : String(value);
}

function writeDate(date: Date): string {
  if (Object.getPrototypeOf(date) !== Date.prototype || Reflect.ownKeys(date).length > 0)
    throw new InexactError();
  return `Date(${date.getTime()})`;
}

function assertDense(list: readonly unknown[]): void {
  // Elements and length only: no holes, and no members that a copy would lose.
  if (Object.getPrototypeOf(list) !== Array.prototype || Reflect.ownKeys(list).length !== list.length + 1)
    throw new InexactError();
}

function assertPlain(value: object): void {
  if (!isPlainObject(value) || Object.getOwnPropertySymbols(value).length > 0) throw new InexactError();
}
