/**
 * Reasons not to serialize a value as JSON: too large, nested too deeply, cyclic, or containing bytes, which JSON would write as an object
 * with a member per byte.
 */
export type JsonRefusal = 'large' | 'deep' | 'cycle' | 'bytes';

/** Bounds for serialized JSON. */
export interface JsonBounds {
  readonly maxBytes: number;
  readonly maxDepth: number;
  /** Indentation per level. Default: 0. */
  readonly spaces?: number;
  /** Whether to count for tabular formats, which write the keys of an array once and quote nothing. Default: `false`. */
  readonly isTabular?: boolean;
}

/**
 * Traverses a value like `JSON.stringify`, counts its size, and stops as soon as it exceeds `maxBytes`. Arrays with shared parts, sparse
 * arrays or typed arrays could otherwise take seconds to serialize before their size is known. Escapes are not counted, so the text may be
 * up to six times longer; a value rejected as large is never smaller.
 *
 * Rethrows errors of getters and `toJSON`. Both are called again when the value is serialized.
 */
export function findJsonRefusal(value: unknown, bounds: JsonBounds): JsonRefusal | undefined {
  // Fast path for scalars.
  if (typeof value !== 'object' || value === null)
    return sizeOfScalar(value) > bounds.maxBytes ? 'large' : undefined;
  const walk = new JsonWalk(bounds);
  // defence: count-of-what-is-written
  walk.visit(value, '');
  return walk.refusal;
}

class JsonWalk {
  refusal: JsonRefusal | undefined;
  readonly #bounds: JsonBounds;
  readonly #spaces: number;
  /** Objects that contain the current one. */
  readonly #path: object[] = [];
  #left: number;
  /** Below this remainder, numbers are counted exactly, which takes as long as serializing them. */
  readonly #exactFrom: number;
  /** Number of skipped members, which cost time as well. */
  #leftOut = 0;

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
    this.#spaces = bounds.spaces ?? 0;
    this.#left = bounds.maxBytes;
    this.#exactFrom = bounds.maxBytes * 0.9;
  }

  /** Counts a value; false to stop. */
  visit(value: unknown, key: number | string): boolean {
    if (typeof value === 'number') return this.#take(sizeOfNumber(value, this.#left < this.#exactFrom));
    if (typeof value !== 'object' || value === null) return this.#takeScalar(value);
    const { toJSON } = value as { readonly toJSON?: unknown };
    if (isBytes(value)) return this.#refuse('bytes');
    if (typeof toJSON !== 'function') return this.#enter(value, key);
    const said = (toJSON as (this: unknown, key: string) => unknown).call(value, String(key));
    if (typeof said !== 'object' || said === null) return this.#takeScalar(said);
    return isBytes(said) ? this.#refuse('bytes') : this.#enter(said, key);
  }

  #enter(value: object, key: number | string): boolean {
    // oxlint-disable-next-line no-instanceof-builtins -- a text in an object has a member for every character
    if (value instanceof String) return this.#take(value.length + 2);
    if (this.#path.length >= this.#bounds.maxDepth) return this.#refuse('deep');
    this.#path.push(value);
    const goesOn = Array.isArray(value) ? this.#visitList(value) : this.#visitMembers(value, key);
    this.#path.pop();
    return goesOn;
  }

  #visitList(list: readonly unknown[]): boolean {
    const { length } = list;
    // Brackets and commas first: the elements of a sparse array are mostly empty.
    if (!this.#take(1 + Math.max(1, length) + length * this.#indent())) return false;
    for (let index = 0; index < length; index += 1) if (!this.visit(list[index], index)) return false;
    return true;
  }

  #visitMembers(value: object, at: number | string): boolean {
    const indent = this.#indent();
    const isNamed = this.#bounds.isTabular !== true || typeof at === 'string' || at === 0;
    if (!this.#take(2)) return false;
    for (const key of Object.keys(value)) {
      const member = (value as Readonly<Record<string, unknown>>)[key];
      if (member === undefined || typeof member === 'function' || typeof member === 'symbol') {
        this.#leftOut += 1;
        if (this.#leftOut > this.#bounds.maxBytes) return this.#refuse('large');
      } else if (!this.#take((isNamed ? key.length + 3 : 0) + indent) || !this.visit(member, key))
        return false;
    }
    return true;
  }

  #takeScalar(value: unknown): boolean {
    const size = sizeOfScalar(value);
    if (this.#bounds.isTabular !== true) return this.#take(size);
    return this.#take(typeof value === 'string' ? value.length : 1);
  }

  /** Size of the line break and indentation before a member. */
  #indent(): number {
    return this.#spaces === 0 ? 0 : 1 + this.#spaces * this.#path.length;
  }

  #take(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0 || this.#refuse('large');
  }

  #refuse(refusal: JsonRefusal): false {
    // A cyclic value is large and deep only because of the cycle.
    const isCycle = refusal !== 'bytes' && new Set(this.#path).size < this.#path.length;
    this.refusal = isCycle ? 'cycle' : refusal;
    return false;
  }
}

/** Whether a value is a typed array, a Node buffer or an ArrayBuffer. */
export function isBytes(value: object): boolean {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

/** Minimum size in bytes. Values without a JSON form count as `null`. */
function sizeOfScalar(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  return typeof value === 'bigint' || typeof value === 'number' ? 1 : 4;
}

function sizeOfNumber(value: number, isExact: boolean): number {
  if (Number.isInteger(value)) return value > -100_000 && value < 100_000 ? 1 : 5;
  return isExact && Number.isFinite(value) ? String(value).length : 3;
}
