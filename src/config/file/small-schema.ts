import { didYouMean } from '../../errors/nearest-names.ts';
import { createPatternTest } from '../../schema/expressions/pattern.ts';
import { isCode } from './is-code.ts';
import { EnvText } from './env-text.ts';

/** The subset of JSON Schema that configurations use. It is validated without a library. */
export interface SmallSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, SmallSchema>>;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly type?: 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string';
  readonly enum?: readonly (boolean | number | string)[];
  readonly const?: boolean | number | string;
  readonly properties?: Readonly<Record<string, SmallSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SmallSchema;
  readonly items?: SmallSchema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** Alternatives, distinguished by their type or by their required members. */
  readonly oneOf?: readonly SmallSchema[];
}

type Path = readonly (number | string)[];

/** A validation error and its path. */
export interface Mistake {
  readonly path: Path;
  readonly message: string;
}

/** A validated value, with environment variables converted to the expected types, and its mistakes. */
export interface Checked {
  readonly value: unknown;
  readonly mistakes: readonly Mistake[];
}

/** Creates a validator for repeated use. */
export function createSmallCheck(schema: SmallSchema): (value: unknown) => Checked {
  const matches = createPatternTest();
  return (value) => {
    const checker = new Checker(schema, matches);
    return { value: checker.check(schema, value, []), mistakes: checker.mistakes };
  };
}

/** Validates a value and finds all mistakes. */
export function checkSmall(schema: SmallSchema, value: unknown): Checked {
  return createSmallCheck(schema)(value);
}

class Checker {
  readonly mistakes: Mistake[] = [];
  readonly #root: SmallSchema;
  readonly #matches: (pattern: string, text: string) => boolean;

  constructor(root: SmallSchema, matches: (pattern: string, text: string) => boolean) {
    this.#root = root;
    this.#matches = matches;
  }

  check(given: SmallSchema, value: unknown, path: Path): unknown {
    if (value instanceof EnvText && value.isMissing) return undefined;
    const schema = this.#resolve(given);
    if (schema.oneOf !== undefined) return this.#checkOneOf(schema.oneOf, value, path);
    const read = value instanceof EnvText ? this.#readEnv(schema, value, path) : value;
    if (read === UNREADABLE) return undefined;
    if (schema.type !== undefined && !isOfType(schema.type, read)) {
      this.#note(path, `must be ${NOUNS[schema.type]}; received ${nounOf(read)}`);
      return read;
    }
    if (schema.enum !== undefined && !schema.enum.includes(read as string)) {
      const hint =
        typeof read === 'string' && !(value instanceof EnvText)
          ? didYouMean(read, schema.enum.map(String))
          : '';
      this.#note(path, `must be one of: ${schema.enum.join(', ')}.${hint}`);
    }
    if (schema.const !== undefined && schema.const !== read)
      this.#note(path, `must be ${JSON.stringify(schema.const)}`);
    if (typeof read === 'string') this.#checkText(schema, read, path);
    if (typeof read === 'number') this.#checkNumber(schema, read, path);
    if (Array.isArray(read)) return this.#checkList(schema, read, path);
    if (typeof read === 'object' && read !== null) return this.#checkObject(schema, read, path);
    return read;
  }

  #resolve(schema: SmallSchema): SmallSchema {
    const name = schema.$ref?.replace('#/$defs/', '');
    return name === undefined ? schema : (this.#root.$defs?.[name] ?? {});
  }

  /** Converts the value of a variable to a type. Messages never contain the value. */
  #readEnv({ type }: SmallSchema, { text, source }: EnvText, path: Path): unknown {
    const read = readAs(type, text);
    if (read === UNREADABLE)
      this.#note(path, `must be ${NOUNS[type ?? 'string']}; the value of ${source} is not`);
    return read;
  }

  /** An invalid regular expression is ignored here: it is rejected when its tool is registered. */
  #contradicts(pattern: string, text: string): boolean {
    try {
      return !this.#matches(pattern, text);
    } catch {
      return false;
    }
  }

  #checkText({ minLength, maxLength, pattern }: SmallSchema, text: string, path: Path): void {
    if (minLength !== undefined && !isAsLongAs(text, minLength))
      this.#note(path, minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`);
    if (maxLength !== undefined && isAsLongAs(text, maxLength + 1))
      this.#note(path, `must have at most ${maxLength} characters`);
    if (pattern !== undefined && this.#contradicts(pattern, text)) this.#note(path, `must match ${pattern}`);
  }

  #checkNumber({ minimum, maximum }: SmallSchema, value: number, path: Path): void {
    if (minimum !== undefined && value < minimum) this.#note(path, `must be at least ${minimum}`);
    if (maximum !== undefined && value > maximum) this.#note(path, `must be at most ${maximum}`);
  }

  #checkList({ items, minItems }: SmallSchema, list: readonly unknown[], path: Path): unknown[] {
    if (minItems !== undefined && list.length < minItems)
      this.#note(path, `must have at least ${minItems} entries`);
    return list.map((entry, index) =>
      items === undefined ? entry : this.check(items, entry, [...path, index]),
    );
  }

  #checkObject(schema: SmallSchema, value: object, path: Path): object {
    const { properties = {}, required = [], additionalProperties: others = true } = schema;
    for (const name of required) {
      if (!Object.hasOwn(value, name)) this.#note(path, `must have "${name}"`);
    }
    const entries = Object.entries(value).map(([name, member]) => {
      const at = [...path, name];
      if (Object.hasOwn(properties, name)) return [name, this.check(properties[name] ?? {}, member, at)];
      if (typeof others === 'object') return [name, this.check(others, member, at)];
      if (!others) {
        const known = Object.keys(properties);
        this.#note(at, `is unknown.${didYouMean(name, known)} Expected one of: ${known.join(', ')}`);
      }
      return [name, member];
    });
    return Object.fromEntries(entries) as object;
  }

  #checkOneOf(branches: readonly SmallSchema[], value: unknown, path: Path): unknown {
    const resolved = branches.map((branch) => this.#resolve(branch));
    const choices = resolved.map((branch) => branch.title ?? NOUNS[branch.type ?? 'object']);
    const last = choices.at(-1) ?? '';
    const wanted = `must be ${choices.length === 1 ? last : `${choices.slice(0, -1).join(', ')} or ${last}`}`;
    if (value instanceof EnvText) {
      const { text, source } = value;
      const readable = resolved.find(({ type }) => readAs(type, text) !== UNREADABLE);
      if (readable !== undefined) return this.check(readable, value, path);
      this.#note(path, `${wanted}; the value of ${source} is not`);
      return undefined;
    }
    if (isCode(value)) return value;
    const best = pickBranch(
      resolved.filter(({ type }) => type === undefined || isOfType(type, value)),
      value,
    );
    if (best !== undefined) return this.check(best, value, path);
    this.#note(path, wanted);
    return value;
  }

  #note(path: Path, message: string): void {
    this.mistakes.push({ path, message });
  }
}

const UNREADABLE = Symbol('unreadable');

/** Converts the string of a variable to a number or a boolean where the schema expects one. */
function readAs(type: SmallSchema['type'], text: string): unknown {
  if (type === undefined || type === 'string') return text;
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return isOfType(type, number) ? number : UNREADABLE;
}

/** JSON Schema counts code points; JavaScript counts UTF-16 units. */
function isAsLongAs(text: string, length: number): boolean {
  return text.length >= length && (text.length >= 2 * length || Array.from(text).length >= length);
}

/** The alternative whose required members are all present, and of several the one with the most; otherwise the nearest. */
function pickBranch(branches: readonly SmallSchema[], value: unknown): SmallSchema | undefined {
  if (branches.length < 2 || typeof value !== 'object' || value === null) return branches[0];
  const scored = branches
    .map((branch) => ({ branch, score: scoreOf(branch, value as Readonly<Record<string, unknown>>) }))
    .toSorted((one, other) => other.score - one.score);
  const [first, second] = scored;
  return first !== undefined && first.score > (second?.score ?? 0) ? first.branch : undefined;
}

/** Share of the required members that are present, from 0 to 1; above 1 if all are. */
function scoreOf(
  { required = [], properties = {} }: SmallSchema,
  value: Readonly<Record<string, unknown>>,
): number {
  const fits = (name: string): boolean => {
    const { const: constant } = properties[name] ?? {};
    return Object.hasOwn(value, name) && (constant === undefined || constant === value[name]);
  };
  const met = required.filter(fits).length;
  return met < required.length ? met / required.length : met + 1;
}

const NOUNS = {
  array: 'an array',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a string',
} as const;

function isOfType(type: NonNullable<SmallSchema['type']>, value: unknown): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'string':
      return typeof value === 'string';
    default:
      return type satisfies never;
  }
}

function nounOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return 'a string';
  return typeof value === 'number' || typeof value === 'boolean'
    ? `the ${typeof value} ${value}`
    : 'an object';
}
