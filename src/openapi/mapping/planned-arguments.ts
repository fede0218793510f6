import { hasHidden } from '../naming/clean-text.ts';
import { safeArgumentName } from '../naming/safe-argument-name.ts';
import type { Located, ParameterLocation } from '../model/operation.ts';

/** One argument of a tool, and where it comes from in the document. */
export interface Argument {
  readonly name: string;
  readonly location: ParameterLocation | 'body';
  /** Its name in the document; undefined for a whole body. */
  readonly property: string | undefined;
  readonly schema: Located | undefined;
  /** Bytes, or a list of files. */
  readonly file: 'list' | boolean;
  readonly description: string | undefined;
  /** No call without it. */
  readonly required: boolean;
  /** Needed as soon as there is a body at all. */
  readonly isNeeded: boolean;
  readonly deprecated: boolean;
  readonly example: unknown;
}

/** Parameters and properties that several operations have, and the argument that each of them was last. */
const lastOnes = new WeakMap<object, Argument>();

/**
 * The argument that the same parameter or property was before, if it is just the same again. Whatever is then made of an argument has to
 * be made only once.
 */
export function sharedArgument(source: object, argument: Argument): Argument {
  const last = lastOnes.get(source);
  const isSame =
    last !== undefined &&
    last.name === argument.name &&
    last.location === argument.location &&
    last.property === argument.property &&
    last.required === argument.required &&
    last.isNeeded === argument.isNeeded &&
    last.file === argument.file &&
    last.schema?.base === argument.schema?.base;
  if (isSame) return last;
  lastOnes.set(source, argument);
  return argument;
}

/** How names of arguments are made. */
export interface ArgumentNameOptions {
  /** `safe`: of characters that every model vendor takes. */
  readonly mode: 'exact' | 'safe';
  /** Names of arguments that every tool has. */
  readonly reserved: readonly string[];
}

/** Gives out names of arguments, each once. */
export class ArgumentNames {
  readonly #taken: Set<string>;
  readonly #mode: 'exact' | 'safe';
  readonly #counts = new Map<string, number>();

  constructor({ mode, reserved }: ArgumentNameOptions) {
    this.#mode = mode;
    this.#taken = new Set(reserved);
  }

  /** The wanted name if it is free, else the other one, else that with a number. */
  take(wanted: string, other: string): string {
    // Hidden arguments need no name, in any mode.
    const isSafe = this.#mode === 'safe' || hasHidden(wanted);
    const first = isSafe ? safeArgumentName(wanted, NONE) : wanted;
    const name = this.#taken.has(first) ? this.#takeOther(other) : first;
    this.#taken.add(name);
    return name;
  }

  #takeOther(other: string): string {
    if (this.#mode === 'safe' || hasHidden(other)) return safeArgumentName(other, this.#taken);
    let name = other;
    while (this.#taken.has(name)) {
      const count = (this.#counts.get(other) ?? 1) + 1;
      this.#counts.set(other, count);
      name = `${other}_${count}`;
    }
    return name;
  }
}

const NONE: ReadonlySet<string> = new Set();
