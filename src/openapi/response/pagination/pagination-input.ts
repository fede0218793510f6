import { normalName } from './paging-names.ts';

/** A parameter of an operation that could ask for another page, and the argument of the tool that it is filled from. */
export interface PagingParameter {
  readonly argument: string;
  /** As the API calls it. */
  readonly name: string;
  /** As the schema calls it: `integer`. Without it, values are typed like the argument that was given. */
  readonly type?: string;
}

/** The query parameters of an operation, by their names: read once, since they are the same for every call. */
export class PagingParameters {
  readonly #exact = new Map<string, PagingParameter>();
  readonly #normal = new Map<string, PagingParameter>();

  /** Whether there are none: then nothing can ask for another page. */
  readonly isEmpty: boolean;

  /** Of several parameters with the same name, the first counts. */
  constructor(parameters: readonly PagingParameter[]) {
    this.isEmpty = parameters.length === 0;
    for (const parameter of parameters.toReversed()) {
      this.#exact.set(parameter.name, parameter);
      this.#normal.set(normalName(parameter.name), parameter);
    }
  }

  /** The parameter with exactly this name. */
  named(name: string): PagingParameter | undefined {
    return this.#exact.get(name);
  }

  /** The parameter whose name has this form of {@link normalName}. */
  likeNamed(name: string): PagingParameter | undefined {
    return this.#normal.get(name);
  }
}

/** What is known of the call whose answer may be one page of many. */
export interface PaginationInput {
  /** The arguments of this call. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly parameters: PagingParameters;
}

/** The argument of this call, as it was given. */
export function findGiven({ arguments: args }: PaginationInput, { argument }: PagingParameter): unknown {
  return Object.hasOwn(args, argument) ? args[argument] : undefined;
}

/** The argument of this call as a whole number; undefined when it is something else, or was not given. */
export function findGivenCount(
  input: PaginationInput,
  parameter: PagingParameter | undefined,
): number | undefined {
  const given = parameter === undefined ? undefined : findGiven(input, parameter);
  return toCount(given);
}

/** A whole number from 0 on, also as digits. */
export function toCount(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** The first of these names that the operation has a parameter for. Names are in the form of {@link normalName}. */
export function findParameter(
  { parameters }: PaginationInput,
  names: readonly string[],
): PagingParameter | undefined {
  for (const name of names) {
    const found = parameters.likeNamed(name);
    if (found !== undefined) return found;
  }
  return undefined;
}
