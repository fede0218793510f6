import type { Located, ParameterPlace } from '../operation.ts';

/** One argument of a tool, and where it comes from in the document. */
export interface Argument {
  readonly name: string;
  readonly place: ParameterPlace | 'body';
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

/** Gives out names of arguments, each once. */
export class ArgumentNames {
  readonly #taken = new Set<string>();
  readonly #toSafe: (name: string) => string;

  constructor(toSafe: (name: string) => string) {
    this.#toSafe = toSafe;
  }

  /** The wanted name if it is free, else the other one, else that with a number. */
  take(wanted: string, other: string): string {
    const choices = [this.#toSafe(wanted), this.#toSafe(other)];
    let name = choices.find((choice) => !this.#taken.has(choice));
    for (let count = 2; name === undefined; count += 1) {
      const numbered = `${choices[1] ?? ''}_${count}`;
      if (!this.#taken.has(numbered)) name = numbered;
    }
    this.#taken.add(name);
    return name;
  }

  has(name: string): boolean {
    return this.#taken.has(name);
  }
}
