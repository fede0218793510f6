import { fitsScalar, isWithin, readChildren } from './fits.ts';
import { isNode, listedChildren, namedChildren, namedTypes } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { typesOf } from '../nodes/json-types.ts';
import { isDigits, isWideFormat } from '../nodes/wide-integers.ts';
import type { NestedValue } from './nested-value.ts';
import type { PatternTest } from '../expressions/pattern.ts';
import { targetsOf } from '../nodes/resolve-ref.ts';
import type { RefResolver } from '../nodes/resolve-ref.ts';

/** The functions of a document that an {@link IssueCounter} uses. */
export interface CountedDocument {
  readonly resolve: RefResolver;
  readonly matches: PatternTest;
  /** Whether strings of digits are integers if the format is a 64-bit integer. */
  readonly takesDigits: boolean;
  /** Whether an object has a key that is forbidden by a node or by the nodes beside it. */
  hasForbiddenKey(node: SchemaNode, object: SchemaNode): boolean;
}

/** Options of an {@link IssueCounter}. */
export interface CountOptions {
  /** Counting stops here. With 1, it only determines whether a value matches. */
  readonly limit: number;
  /** Whether forbidden keys are ignored. Default: `false`. */
  readonly ignoresKeys?: boolean;
}

/**
 * Counts the issues of one value by its JSON Schema, up to a limit. It is not a validator and gives no reasons: keywords that it does not
 * check (formats, `not`, `contains`, `uniqueItems`, "exactly one" of `oneOf`) count as satisfied, so that it never excludes the alternative
 * that the real validator will accept. If a value matches no alternative, the issues of all of them count, as in validators.
 */
export class IssueCounter {
  readonly #document: CountedDocument;
  readonly #limit: number;
  readonly #ignoresKeys: boolean;
  /** In a recursive union every level checks all levels below it: without this cache, counting takes 2 ** depth steps. */
  readonly #known = new WeakMap<object, Map<SchemaNode, number>>();
  /** Arrays and objects that match no alternative. */
  readonly unfit: Set<unknown> = new Set();
  /** The highest number of issues at one place of alternatives that do not match while another one does. */
  dropped = 0;
  /** The value whose issue reached the limit. */
  stop: NestedValue | undefined;

  constructor(document: CountedDocument, { limit, ignoresKeys = false }: CountOptions) {
    this.#document = document;
    this.#limit = limit;
    this.#ignoresKeys = ignoresKeys;
  }

  count(schema: unknown, nested: NestedValue): number {
    if (schema === false) return 1;
    if (!isNode(schema)) return 0;
    const { value } = nested;
    if (typeof value !== 'object' || value === null) return this.#countNode(schema, nested);
    let known = this.#known.get(value);
    if (known === undefined) this.#known.set(value, (known = new Map()));
    const found = known.get(schema);
    if (found !== undefined) return found;
    // The output of a tool may be circular.
    known.set(schema, 0);
    const total = this.#countNode(schema, nested);
    known.set(schema, total);
    return total;
  }

  #countNode(schema: SchemaNode, nested: NestedValue): number {
    const { value } = nested;
    if (!this.#hasOwnType(schema, value)) return 1;
    let total = fitsScalar(schema, value, this.#document.matches) ? 0 : 1;
    if (total < this.#limit) total += this.#countParts(schema, nested);
    if (total < this.#limit && typeof value === 'object' && value !== null)
      total += Array.isArray(value)
        ? this.#countElements(schema, value as readonly unknown[], nested)
        : this.#countMembers(schema, value as SchemaNode, nested);
    if (total >= this.#limit) this.stop ??= nested;
    return total;
  }

  #countParts(schema: SchemaNode, nested: NestedValue): number {
    let total = 0;
    if ('$ref' in schema || '$dynamicRef' in schema)
      for (const target of targetsOf(schema, this.#document.resolve)) total += this.count(target, nested);
    if ('allOf' in schema)
      for (const part of listedChildren(schema, 'allOf'))
        if (total < this.#limit) total += this.count(part, nested);
    if ('anyOf' in schema) total += this.#countAlternatives(listedChildren(schema, 'anyOf'), nested);
    if ('oneOf' in schema) total += this.#countAlternatives(listedChildren(schema, 'oneOf'), nested);
    if (!('if' in schema) || total >= this.#limit) return total;
    const before = this.stop;
    const holds = this.count(schema['if'], nested) === 0;
    this.stop = before;
    return total + this.count(schema[holds ? 'then' : 'else'], nested);
  }

  #countAlternatives(alternatives: readonly unknown[], nested: NestedValue): number {
    const before = this.stop;
    let total = 0;
    for (const alternative of alternatives) {
      const found = this.count(alternative, nested);
      if (found === 0) {
        this.stop = before;
        // If counting stopped, their number is unknown.
        this.dropped = Math.max(this.dropped, total < this.#limit ? total : Number.POSITIVE_INFINITY);
        return 0;
      }
      total += found;
    }
    if (total > 0 && typeof nested.value === 'object') this.unfit.add(nested.value);
    return total;
  }

  #countElements(schema: SchemaNode, list: readonly unknown[], nested: NestedValue): number {
    let total = isWithin(schema, list.length, ['minItems', 'maxItems']) ? 0 : 1;
    const first = listedChildren(schema, 'prefixItems');
    const { items } = schema as { items?: unknown };
    const end = items === undefined ? Math.min(first.length, list.length) : list.length;
    for (let index = 0; index < end && total < this.#limit; index += 1) {
      const element = { value: list[index], above: nested, key: index };
      total += this.count(index < first.length ? first[index] : items, element);
      if (total >= this.#limit) this.stop ??= element;
    }
    return total;
  }

  #countMembers(schema: SchemaNode, object: SchemaNode, nested: NestedValue): number {
    const keys = Object.keys(object);
    let total = this.#countMissing(schema, object, nested);
    if (!isWithin(schema, keys.length, ['minProperties', 'maxProperties'])) total += 1;
    const isClosed = schema['unevaluatedProperties'] === false && !this.#ignoresKeys;
    if (isClosed && this.#document.hasForbiddenKey(schema, object)) total += 1;
    if (!MEMBER_KEYWORDS.some((keyword) => keyword in schema)) return total;
    const { propertyNames } = schema as { propertyNames?: unknown };
    const childrenOf = readChildren(schema, this.#document.matches);
    for (const key of keys) {
      if (total >= this.#limit) break;
      const member = { value: object[key], above: nested, key };
      if (propertyNames !== undefined) total += this.count(propertyNames, { ...member, value: key });
      // JSON omits undefined members; in an array it would be null.
      if (member.value === undefined) continue;
      for (const child of childrenOf(key))
        if (child !== false || !this.#ignoresKeys) total += this.count(child, member);
      if (total >= this.#limit) this.stop ??= member;
    }
    return total;
  }

  #countMissing(schema: SchemaNode, object: SchemaNode, nested: NestedValue): number {
    let total = 0;
    for (const key of listedChildren(schema, 'required')) if (isMissing(object, key)) total += 1;
    for (const [key, needed] of namedChildren(schema, 'dependentRequired'))
      if (!isMissing(object, key) && Array.isArray(needed))
        for (const name of needed) if (isMissing(object, name)) total += 1;
    for (const [key, child] of namedChildren(schema, 'dependentSchemas'))
      if (!isMissing(object, key)) total += this.count(child, nested);
    return total;
  }

  #hasOwnType(schema: SchemaNode, value: unknown): boolean {
    const { type } = schema as { type?: unknown };
    if (type === undefined) return true;
    // Fast path for most scalars.
    if (type === typeof value && type !== 'object') return true;
    const types = namedTypes(schema);
    if (types === undefined || typesOf(value).some((type) => types.includes(type))) return true;
    const isWide = isWideFormat(schema['format']) && types.some((type) => INTEGERS.has(type));
    return this.#document.takesDigits && isWide && isDigits(value);
  }
}

const MEMBER_KEYWORDS = ['properties', 'patternProperties', 'additionalProperties', 'propertyNames'] as const;
const INTEGERS: ReadonlySet<string> = new Set(['integer', 'number']);

function isMissing(object: SchemaNode, key: unknown): boolean {
  return !Object.hasOwn(object, String(key)) || object[String(key)] === undefined;
}
