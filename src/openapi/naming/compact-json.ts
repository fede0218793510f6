import { removeHidden } from './clean-text.ts';

/** Maximum depth of an example. */
const MAX_DEPTH = 32;

/**
 * Serializes a value as compact JSON if it has at most `maxChars` characters. Stops as soon as there are more: a document can hold values
 * that are circular or very large.
 */
export function compactJson(value: unknown, maxChars: number): string | undefined {
  const writer = new BoundedWriter(maxChars);
  return writer.write(value, 0) ? writer.text : undefined;
}

class BoundedWriter {
  readonly #maxChars: number;
  text = '';

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  /** Writes a value; returns false if there is no room for it. */
  write(value: unknown, depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    if (typeof value === 'string') return this.#writeString(value);
    if (typeof value !== 'object' || value === null) return this.#add(scalarJson(value));
    return Array.isArray(value) ? this.#writeArray(value, depth) : this.#writeObject(value, depth);
  }

  #writeArray(values: readonly unknown[], depth: number): boolean {
    let separator = '[';
    for (const value of values) {
      if (!this.#add(separator) || !this.write(value, depth + 1)) return false;
      separator = ',';
    }
    return this.#add(values.length === 0 ? '[]' : ']');
  }

  #writeObject(object: object, depth: number): boolean {
    let separator = '{';
    for (const [key, value] of Object.entries(object)) {
      if (value === undefined) continue;
      if (!this.#add(separator) || !this.#writeString(key)) return false;
      if (!this.#add(':') || !this.write(value, depth + 1)) return false;
      separator = ',';
    }
    return this.#add(separator === '{' ? '{}' : '}');
  }

  #writeString(text: string): boolean {
    return text.length <= this.#maxChars && this.#add(JSON.stringify(removeHidden(text)));
  }

  #add(piece: string): boolean {
    if (this.text.length + piece.length > this.#maxChars) return false;
    this.text += piece;
    return true;
  }
}

function scalarJson(value: unknown): string {
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : 'null';
}
