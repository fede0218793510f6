import { isPlainObject } from './block-members.ts';
import { MAX_RESULT_DEPTH } from './serialize.ts';

/** A value that this notation cannot say exactly. */
class InexactError extends Error {}

/**
 * One text for one value: JSON with sorted keys, and with notations of its own for dates, bigints, `undefined`, `NaN` and the like,
 * none of which JSON could be mistaken for. Equal texts mean equal values. Undefined when that cannot be promised (instances of
 * classes, functions, symbols, holes in lists, cycles, a getter that throws) or the text would be longer than `maxChars`.
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
    // Cycles end here, or where nothing is left.
    if (depth > MAX_RESULT_DEPTH) throw new InexactError();
    if (typeof current !== 'object' || current === null) return add(writeScalar(current));
    if (Array.isArray(current)) {
      // Before its keys are listed: each element takes a comma at least.
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
  // Its elements and its length: no holes, and no members that a copy would lose.
  if (Object.getPrototypeOf(list) !== Array.prototype || Reflect.ownKeys(list).length !== list.length + 1)
    throw new InexactError();
}

function assertPlain(value: object): void {
  if (!isPlainObject(value) || Object.getOwnPropertySymbols(value).length > 0) throw new InexactError();
}
