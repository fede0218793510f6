import { isNode, listedChildren, namedChildren, namedTypes } from '../../schema/nodes/json-node.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import type { Located } from '../model/operation.ts';
import { goesOtherWay } from '../schemas/one-way.ts';
import type { ConverterParts } from '../schemas/model/conversion.ts';
import { schemaRefOf } from '../schemas/model/schema-ref.ts';

/** A property of a body that can be an argument of its own. */
export interface BodyProperty {
  readonly name: string;
  readonly schema: Located;
  readonly required: boolean;
}

/** Keywords of an object that constrain more than single properties. */
const MORE = [
  'anyOf',
  'oneOf',
  'not',
  'if',
  'patternProperties',
  'propertyNames',
  'dependentSchemas',
] as const;
/** Maximum number of `allOf` parts. */
const MAX_PARTS = 200;

/**
 * The properties of a plain object schema, each of which can be an argument. Undefined for other schemas, which
 * become one argument. `allOf` parts that are plain objects are merged. With `inParts` (multipart bodies), only the
 * properties count, because only separate arguments can be files.
 */
export function findBodyProperties(
  schema: Located,
  parts: ConverterParts,
  inParts = false,
): readonly BodyProperty[] | undefined {
  const collector = new PropertyCollector(parts, inParts);
  return collector.collect(schema) ? collector.finish(schema.base) : undefined;
}

class PropertyCollector {
  readonly #parts: ConverterParts;
  readonly #inParts: boolean;
  readonly #found = new Map<string, Located>();
  readonly #required = new Set<string>();
  /** Properties that only some alternatives require. */
  readonly #named = new Set<string>();
  readonly #leaving = new Set<string>();
  /** Each part counts once, however often it is referenced. */
  readonly #seen: Set<object>;
  #isClosed = false;

  constructor(parts: ConverterParts, inParts: boolean, seen = new Set<object>()) {
    this.#parts = parts;
    this.#inParts = inParts;
    this.#seen = seen;
  }

  /** Returns false if it is not a plain object. */
  collect({ value, base: around }: Located): boolean {
    if (!isNode(value) || this.#seen.size > MAX_PARTS) return false;
    if (this.#seen.has(value)) return true;
    this.#seen.add(value);
    const { references, version } = this.#parts;
    const base = references.baseWithin(value, around);
    const ref = schemaRefOf(value);
    if (ref !== undefined) {
      const target = references.resolve(ref, base);
      if ('problem' in target || !this.collect(target)) return false;
      if (version !== '3.1' && version !== '3.2') return true;
    }
    if (!this.#isList(value)) return false;
    for (const part of listedChildren(value, 'allOf'))
      if (!this.collect({ value: part, base }) && !this.#inParts) return false;
    this.#add(value, base);
    if (this.#inParts) this.#addChoices(value, base);
    return true;
  }

  finish(base: string): readonly BodyProperty[] | undefined {
    // Required but not described: it must still be possible to send it.
    for (const name of [...this.#required, ...this.#named])
      if (!this.#found.has(name) && !this.#leaving.has(name)) this.#found.set(name, { value: {}, base });
    // An object without any constraints accepts anything.
    if (this.#found.size === 0 && this.#leaving.size === 0 && !this.#isClosed) return undefined;
    return [...this.#found]
      .filter(([name]) => !this.#leaving.has(name))
      .map(([name, schema]) => ({ name, schema, required: this.#required.has(name) }));
  }

  #isList(value: SchemaNode): boolean {
    const types = namedTypes(value)?.map((type) => type.toLowerCase());
    if (this.#inParts) return types === undefined || types.includes('object');
    if (MORE.some((keyword) => Object.hasOwn(value, keyword))) return false;
    const { additionalProperties: others, nullable } = value;
    if (others === true || isNode(others) || nullable === true) return false;
    return types === undefined || (types.length === 1 && types[0] === 'object');
  }

  #add(value: SchemaNode, base: string): void {
    for (const [name, property] of namedChildren(value, 'properties')) {
      if (goesOtherWay({ value: property, base }, this.#parts)) this.#leaving.add(name);
      else this.#found.set(name, join(this.#found.get(name), { value: property, base }));
    }
    for (const name of listedChildren(value, 'required'))
      if (typeof name === 'string') this.#required.add(name);
    if (value['additionalProperties'] === false) this.#isClosed = true;
  }

  /** Properties of single alternatives are optional. */
  #addChoices(value: SchemaNode, base: string): void {
    for (const choice of [...listedChildren(value, 'anyOf'), ...listedChildren(value, 'oneOf')]) {
      const collector = new PropertyCollector(this.#parts, true, this.#seen);
      if (!collector.collect({ value: choice, base })) continue;
      for (const [name, schema] of collector.#found) {
        if (!collector.#leaving.has(name)) this.#found.set(name, either(this.#found.get(name), schema));
      }
      for (const name of [...collector.#required, ...collector.#named]) this.#named.add(name);
    }
  }
}

/** Combines two parts that describe the same property. */
function join(one: Located | undefined, other: Located): Located {
  if (one === undefined || one.base !== other.base || one.value === other.value) return other;
  return { value: { allOf: [one.value, other.value] }, base: other.base };
}

/** Combines alternatives that describe the same property. */
function either(one: Located | undefined, other: Located): Located {
  if (one === undefined || one.base !== other.base || one.value === other.value) return one ?? other;
  const known =
    isNode(one.value) && Array.isArray(one.value['anyOf']) ? (one.value['anyOf'] as unknown[]) : [one.value];
  return { value: { anyOf: [...known, other.value] }, base: one.base };
}
