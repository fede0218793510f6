import { isDate } from '../dates/dates.ts';
import { badRequest } from '../http/api-error.ts';

/** Returns the value if it is valid; throws a 400 whose detail names the path otherwise. */
export type Parser<T> = (value: unknown, path: string) => T;

/** The value that a parser returns. */
export type Parsed<P> = P extends Parser<infer T> ? T : never;

/** A sum of 9,000 such amounts is still exact. */
const LARGEST_AMOUNT = 1_000_000_000_000;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The member may be missing. */
export function optional<T>(parser: Parser<T>): Parser<T | undefined> {
  return (value, path) => (value === undefined ? undefined : parser(value, path));
}

/** The member may be missing or null. */
export function nullable<T>(parser: Parser<T>): Parser<T | null | undefined> {
  return (value, path) => (value === undefined || value === null ? value : parser(value, path));
}

/** A string with at least `min` and at most `max` characters; characters outside the BMP count once. */
export function string({ min = 0, max = 10_000 }: { min?: number; max?: number } = {}): Parser<string> {
  return (value, path) => {
    if (typeof value !== 'string') throw badRequest(`${path} must be a string`);
    const length = Array.from(value).length;
    if (min > 0 && value.trim() === '') throw badRequest(`${path} must not be empty`);
    if (length > max) throw badRequest(`${path} is too long (maximum is ${max} characters)`);
    return value;
  };
}

export const uuid: Parser<string> = (value, path) => {
  if (typeof value !== 'string' || !UUID.test(value)) throw badRequest(`${path} must be a UUID`);
  return value.toLowerCase();
};

export const boolean: Parser<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw badRequest(`${path} must be true or false`);
  return value;
};

/** An amount in milliunits. */
export const amount: Parser<number> = (value, path) => {
  if (typeof value !== 'number' || !Number.isInteger(value))
    throw badRequest(`${path} must be an integer of milliunits`);
  if (Math.abs(value) > LARGEST_AMOUNT)
    throw badRequest(`${path} must be between -${LARGEST_AMOUNT} and ${LARGEST_AMOUNT}`);
  // A negative zero would be stored as a floating-point number.
  return value + 0;
};

export const date: Parser<string> = (value, path) => {
  if (typeof value !== 'string' || !isDate(value))
    throw badRequest(`${path} must be a date in ISO format such as 2016-12-30`);
  return value;
};

export function oneOf<const T extends string>(values: readonly T[]): Parser<T> {
  return (value, path) => {
    const found = values.find((entry) => entry === value);
    if (found === undefined) throw badRequest(`${path} must be one of: ${values.join(', ')}`);
    return found;
  };
}

export function arrayOf<T>(parser: Parser<T>): Parser<T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw badRequest(`${path} must be an array`);
    return value.map((entry: unknown, index) => parser(entry, `${path}[${index}]`));
  };
}

/** An object with these members. Unknown members are ignored, as in the API. */
export function object<const P extends Readonly<Record<string, Parser<unknown>>>>(
  members: P,
): Parser<{ readonly [K in keyof P]: Parsed<P[K]> }> {
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw badRequest(path === '' ? 'The request body must be a JSON object' : `${path} must be an object`);
    const given = new Map<string, unknown>(Object.entries(value));
    const parsed = Object.entries(members).map(([name, parse]): [string, unknown] => {
      const place = path === '' ? name : `${path}.${name}`;
      const entry = given.get(name);
      try {
        return [name, parse(entry, place)];
      } catch (error) {
        throw entry === undefined ? badRequest(`${place} is required`) : error;
      }
    });
    // Each member was parsed by its own parser above.
    return Object.fromEntries(parsed) as { [K in keyof P]: Parsed<P[K]> };
  };
}

/** The only member of a request body, such as `transaction`. */
export function parseWrapped<T>(body: unknown, name: string, parser: Parser<T>): T {
  const { [name]: value } = object({ [name]: parser })(body, '');
  // The computed member has the type of its only parser.
  return value as T;
}
