import { normalName } from './paging-names.ts';

/** A parameter of an operation for paging, and its argument. */
export interface PagingParameter {
  readonly argument: string;
  /** Name in the API. */
  readonly name: string;
  /** Type in the schema, such as `integer`. Without it, values get the type of the given argument. */
  readonly type?: string;
}

/** The query parameters of an operation by name; created once per operation. */
export class PagingParameters {
  readonly #exact = new Map<string, PagingParameter>();
  readonly #normal = new Map<string, PagingParameter>();

  /** Whether there are none, so that no other page can be requested. */
  readonly isEmpty: boolean;

  /** Of several parameters with one name, the first counts. */
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

/** The call whose response may be one page of many. */
export interface PaginationInput {
  /** The arguments of this call. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly parameters: PagingParameters;
}

/** The given value of the argument. */
export function findGiven({ arguments: args }: PaginationInput, { argument }: PagingParameter): unknown {
  return Object.hasOwn(args, argument) ? args[argument] : undefined;
}

/** The argument as an integer; undefined if it is missing or something else. */
export function findGivenCount(
  input: PaginationInput,
  parameter: PagingParameter | undefined,
): number | undefined {
  const given = parameter === undefined ? undefined : findGiven(input, parameter);
  return toCount(given);
}

/** A non-negative integer, also as a string of digits. */
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
