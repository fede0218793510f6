import { hasHidden } from '../naming/clean-text.ts';
import { safeArgumentName } from '../naming/safe-argument-name.ts';
import type { Located, ParameterLocation } from '../model/operation.ts';

/** One argument of a tool, and its origin in the document. */
export interface Argument {
  readonly name: string;
  readonly location: ParameterLocation | 'body';
  /** Its name in the document; undefined for a whole body. */
  readonly property: string | undefined;
  readonly schema: Located | undefined;
  /** Whether it is a file, or an array of files. */
  readonly file: 'list' | boolean;
  readonly description: string | undefined;
  /** Whether every call needs it. */
  readonly required: boolean;
  /** Whether it is required if a body is sent. */
  readonly isNeeded: boolean;
  readonly deprecated: boolean;
  readonly example: unknown;
}

/** The last argument created for each parameter or property that operations share. */
const lastOnes = new WeakMap<object, Argument>();

/**
 * Returns the previous argument of the same parameter or property if it is equal, so that everything derived from
 * it is computed once.
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

/** Options of {@link ArgumentNames}. */
export interface ArgumentNameOptions {
  /** `safe`: only characters that every model vendor accepts. */
  readonly mode: 'exact' | 'safe';
  /** Names of arguments that every tool has. */
  readonly reserved: readonly string[];
}

/** Assigns unique names to arguments. */
export class ArgumentNames {
  readonly #taken: Set<string>;
  readonly #mode: 'exact' | 'safe';
  readonly #counts = new Map<string, number>();

  constructor({ mode, reserved }: ArgumentNameOptions) {
    this.#mode = mode;
    this.#taken = new Set(reserved);
  }

  /** Returns the wanted name if it is free, else the other one, else that with a number. */
  take(wanted: string, other: string): string {
    // Names with hidden characters are made safe in any mode.
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
