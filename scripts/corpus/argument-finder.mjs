/** Finds the arguments of a tool by the names that parameters and properties have in the document. */

const MAX_LENGTH = 64;
/** So much of a name that is too long stands before its hash. */
const KEPT = 50;
/** Names that mean something on every object get a `_` at the end. */
const INHERITED = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

export class ArgumentFinder {
  #free;

  /** @param {readonly string[]} names of the arguments of the tool */
  constructor(names) {
    this.#free = new Set(names);
  }

  /** The argument for a name in a place, which then is nobody else's; undefined if there is none. */
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

  /** Its own name; with its place in front if another one has that name; with a number if both are taken. */
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
 * The renaming that the documentation describes: what is no letter, digit, `_`, `.` or `-` becomes `_`, and none stands at the ends. Where
 * nothing is left, it is `argument`.
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
