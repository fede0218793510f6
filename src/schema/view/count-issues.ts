import { fitsScalar, isWithin } from './fits.ts';
import type { FitContext } from './fits.ts';
import { isNode, listedChildren, namedChildren, namedTypes } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { typesOf } from '../nodes/json-types.ts';

/** How references and patterns of a document are followed. */
export type DocumentReader = Pick<FitContext, 'resolve' | 'matches'>;

/** A value inside another, and the way to it. */
export interface Place {
  readonly value: unknown;
  readonly above?: Place;
  readonly key?: string | number;
}

/**
 * Counts the issues of a value by its JSON Schema, up to a limit: a validator makes an object for each of them, and a request of a few
 * kilobytes can have millions. Counts what is known without a validator; of alternatives, the issues of all
 * of them if the value fits none, as validators do. Formats and conditions are taken for satisfied.
 */
export class IssueCounter {
  readonly #document: DocumentReader;
  readonly #limit: number;
  /** What is known of a value by a definition: recursive alternatives come to the same value again and again. */
  readonly #known = new Map<SchemaNode, Map<unknown, number>>();
  /** Arrays and objects that fit no alternative. */
  readonly unfit: Set<unknown> = new Set();
  /** The most issues at one place of alternatives that do not fit, where another one does. */
  dropped = 0;
  /** The place of the issue that reached the limit. */
  stop: Place | undefined;

  constructor(document: DocumentReader, limit: number) {
    this.#document = document;
    this.#limit = limit;
  }

  count(schema: unknown, place: Place): number {
    if (schema === false) return 1;
    if (!isNode(schema)) return 0;
    const { value } = place;
    if (!hasOwnType(schema, value)) return 1;
    let total = typeof value === 'bigint' || fitsScalar(schema, value, this.#document) ? 0 : 1;
    for (const keyword of ['$ref', '$dynamicRef']) {
      const ref = schema[keyword];
      if (typeof ref === 'string') total += this.#countTarget(this.#document.resolve(ref), place);
    }
    if ('allOf' in schema)
      for (const part of listedChildren(schema, 'allOf')) total += this.count(part, place);
    if ('anyOf' in schema) total += this.#countAlternatives(listedChildren(schema, 'anyOf'), place);
    if ('oneOf' in schema) total += this.#countAlternatives(listedChildren(schema, 'oneOf'), place);
    if (Array.isArray(value)) total += this.#countElements(schema, value as readonly unknown[], place);
    else if (isNode(value)) total += this.#countMembers(schema, value, place);
    if (total >= this.#limit) this.stop ??= place;
    return total;
  }

  #countTarget(target: unknown, place: Place): number {
    const { value } = place;
    if (!isNode(target) || typeof value !== 'object') return this.count(target, place);
    let known = this.#known.get(target);
    if (known === undefined) this.#known.set(target, (known = new Map()));
    const found = known.get(value);
    if (found !== undefined) return found;
    known.set(value, 0);
    const total = this.count(target, place);
    known.set(value, total);
    return total;
  }

  #countAlternatives(alternatives: readonly unknown[], place: Place): number {
    const before = this.stop;
    let total = 0;
    for (const alternative of alternatives) {
      const found = this.count(alternative, place);
      if (found === 0) {
        this.stop = before;
        // Where counting stopped there may be any number of them.
        this.dropped = Math.max(this.dropped, total < this.#limit ? total : Number.POSITIVE_INFINITY);
        return 0;
      }
      total += found;
    }
    if (total > 0 && typeof place.value === 'object') this.unfit.add(place.value);
    return total;
  }

  #countElements(schema: SchemaNode, list: readonly unknown[], place: Place): number {
    let total = isWithin(schema, list.length, ['minItems', 'maxItems']) ? 0 : 1;
    const first = listedChildren(schema, 'prefixItems');
    const { items } = schema as { items?: unknown };
    const end = items === undefined ? Math.min(first.length, list.length) : list.length;
    for (let index = 0; index < end && total < this.#limit; index += 1) {
      const element = { value: list[index], above: place, key: index };
      total += this.count(index < first.length ? first[index] : items, element);
      if (total >= this.#limit) this.stop ??= element;
    }
    return total;
  }

  #countMembers(schema: SchemaNode, object: SchemaNode, place: Place): number {
    const { required } = schema as { required?: unknown };
    let total = 0;
    if (Array.isArray(required)) for (const key of required) if (isMissing(object, key)) total += 1;
    const keys = Object.keys(object);
    if (!isWithin(schema, keys.length, ['minProperties', 'maxProperties'])) total += 1;
    if (!MEMBER_KEYWORDS.some((keyword) => keyword in schema)) return total;
    const childrenOf = readChildren(schema, this.#document.matches);
    for (const key of keys) {
      if (total >= this.#limit) break;
      const member = { value: object[key], above: place, key };
      // Not there, for JSON. In an array it would be.
      if (member.value === undefined) continue;
      for (const child of childrenOf(key)) total += this.count(child, member);
      if (total >= this.#limit) this.stop ??= member;
    }
    return total;
  }
}

const MEMBER_KEYWORDS = ['properties', 'patternProperties', 'additionalProperties'] as const;

function readChildren(
  schema: SchemaNode,
  matches: DocumentReader['matches'],
): (key: string) => readonly unknown[] {
  const { properties, additionalProperties } = schema as Record<string, unknown>;
  const patterns = namedChildren(schema, 'patternProperties');
  return (key) => {
    const isNamed = isNode(properties) && Object.hasOwn(properties, key);
    if (patterns.length === 0) return [isNamed ? properties[key] : additionalProperties];
    const found = isNamed ? [properties[key]] : [];
    for (const [pattern, child] of patterns) if (matches(pattern, key)) found.push(child);
    return found.length === 0 ? [additionalProperties] : found;
  };
}

function hasOwnType(schema: SchemaNode, value: unknown): boolean {
  if (!('type' in schema) || typeof value === 'bigint') return true;
  const types = namedTypes(schema);
  return types === undefined || typesOf(value).some((type) => types.includes(type));
}

function isMissing(object: SchemaNode, key: unknown): boolean {
  return typeof key === 'string' && (!Object.hasOwn(object, key) || object[key] === undefined);
}
