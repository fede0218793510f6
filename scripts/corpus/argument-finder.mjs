/** Finds the arguments of a tool by the names that parameters and properties have in the document. */

const MAX_LENGTH = 64;
/** Number of characters of a long name before its hash. */
const KEPT = 50;
/** Names of members of every object, which get a trailing `_`. */
const INHERITED = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

export class ArgumentFinder {
  #free;

  /** @param {readonly string[]} names of the arguments of the tool */
  constructor(names) {
    this.#free = new Set(names);
  }

  /** Takes the argument for a name in a location; undefined if there is none. Each argument is taken once. */
  take(name, place) {
    const found = this.#find(name, place);
    if (found !== undefined) this.#free.delete(found);
    return found;
  }

  has(name, place) {
    return this.#find(name, place) !== undefined;
  }

  /** Whether there is an argument for each of the names in a body. */
  hasAll(names) {
    return names.every((name) => this.has(name, 'body'));
  }

  /** Candidates: the name; with its location as a prefix if the name is taken; with a number if both are taken. */
  #find(name, place) {
    const wanted = [toDocumented(name), toDocumented(`${place}_${name}`)];
    const free = [...this.#free];
    return (
      wanted.find((each) => this.#free.has(each)) ??
      free.find((each) => wanted.some((one) => each.startsWith(`${one}_`) && /_\d+$/.test(each))) ??
      free.find((each) =>
        wanted.some((one) => one.length > MAX_LENGTH && each.startsWith(one.slice(0, KEPT))),
      )
    );
  }
}

/**
 * The documented renaming: characters other than letters, digits, `_`, `.` and `-` become `_`, which is trimmed at both ends. An empty name
 * becomes `argument`.
 */
function toDocumented(name) {
  if (!/[A-Za-z0-9]/.test(name)) return 'argument';
  if (!/[^A-Za-z0-9_.-]/.test(name)) return INHERITED.has(name) ? `${name}_` : name;
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return plain
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
    .replaceAll(/_+/g, '_')
    .replaceAll(/^_|_$/g, '');
}
