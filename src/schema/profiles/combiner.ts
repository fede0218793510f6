import { createValueSet, distinctValues } from '../../base/json/canonical-json.ts';
import { sameJson } from '../../base/json/same-json.ts';
import { compilePattern } from '../expressions/pattern.ts';
import { isNode, listedChildren, namedChildren } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { intersect, ownTypes, typeKeyword } from '../nodes/json-types.ts';
import { KINDS, LIMITS, limitsOf, listOf, readShape, valuesOf, writeShape } from './shape.ts';
import type { Shape } from './shape.ts';

/** Note in the description of a schema that accepts more than the original. */
const NOTE = 'Simplified: the server checks the exact shape.';

/** Whether an alternative drops a key that it does not list, so that another alternative decides about it. */
export type Drops = (name: string) => boolean;

/**
 * Combines several schemas without combining keywords into one. It accepts everything the originals accept; where it accepts more, it adds
 * the note.
 */
export class Combiner {
  readonly #drops: Drops;
  #isExact = true;

  constructor(drops: Drops) {
    this.#drops = drops;
  }

  /** One schema that accepts every value that any of these accepts. */
  unite(schemas: readonly unknown[], drops: Drops = this.#drops): unknown {
    const possible = schemas.filter((schema) => schema !== false).map(toNode);
    const [first, ...others] = possible;
    if (first === undefined) return false;
    const shapes = possible.map(readShape).filter(({ limits }) => Object.keys(limits).length > 0);
    // All are equal, or none of them accepts anything.
    if (others.every((other) => sameJson(other, first)) || shapes.length === 0) return first;
    return this.#noting(possible, () => {
      const words = uniteWords(shapes.map((shape) => shape.words));
      const values = asValues(shapes);
      if (values !== undefined) return writeShape({ limits: limitsOf(values), values, words });
      // An enum can only replace a whole schema: other listed values become their types.
      const free = shapes.map((shape) =>
        shape.values === undefined ? shape.limits : limitsOf(shape.values),
      );
      if (shapes.some((shape) => shape.values?.some((value) => value !== null))) this.#isExact = false;
      const limits: Record<string, SchemaNode> = {};
      for (const kind of KINDS) {
        const said = free.map((each) => each[kind]).filter((each) => each !== undefined);
        if (said.length > 0) limits[kind] = this.#uniteLimits(said, drops);
      }
      return writeShape({ limits, values, words });
    });
  }

  /** One schema that accepts only values that both accept. */
  intersect(a: unknown, b: unknown): unknown {
    if (a === false || b === false) return false;
    const [left, right] = [toNode(a), toNode(b)];
    if (Object.keys(left).length === 0) return right;
    if (Object.keys(right).length === 0) return left;
    return this.#noting([left, right], () => {
      const types = intersect(ownTypes({ type: left['type'] }), ownTypes({ type: right['type'] }));
      const values = commonValues(left, right);
      if (types?.size === 0 || values?.length === 0) {
        this.#isExact = false;
        return left;
      }
      const { const: _const, enum: _enum, ...both } = this.#narrow(left, right);
      const description = textOf(left) || textOf(right);
      return {
        ...both,
        ...(description === '' ? {} : { description }),
        ...typeKeyword(types),
        ...listOf(values),
        ...this.#intersectMembers(left, right),
      };
    });
  }

  /** The combined schema, with the note if it is not exact. */
  #noting(parts: readonly SchemaNode[], make: () => SchemaNode): SchemaNode {
    const before = this.#isExact;
    this.#isExact = !parts.some(hasNote);
    const made = noted(make(), this.#isExact);
    this.#isExact = before;
    return made;
  }

  /** Limits that accept every value that any of these accepts. */
  #uniteLimits(list: readonly SchemaNode[], drops: Drops): SchemaNode {
    const [first = {}, ...others] = list;
    if (others.every((other) => sameJson(other, first))) return first;
    if (list.some((limits) => Object.keys(limits).length === 0)) return {};
    const kept = Object.keys(first).flatMap((keyword): [string, unknown][] => {
      const values = list.map((limits) => limits[keyword]);
      const widest = values.every((value) => sameJson(value, values[0]))
        ? values[0]
        : boundOf(keyword, values, true);
      return widest === undefined ? [] : [[keyword, widest]];
    });
    const { items: _items, prefixItems: _prefix, ...limits } = Object.fromEntries(kept);
    const required = listedChildren(first, 'required').filter((name) =>
      others.every((other) => listedChildren(other, 'required').includes(name)),
    );
    if (required.length > 0) limits['required'] = required;
    if (list.some((one) => 'items' in one || 'prefixItems' in one))
      limits['items'] = this.unite(
        list.flatMap((one) => [...listedChildren(one, 'prefixItems'), one['items'] ?? {}]),
      );
    if (list.some((one) => MEMBERS.some((keyword) => keyword in one)))
      Object.assign(limits, this.#uniteMembers(list, drops));
    // Equal to one of them, so not wider than all of them.
    if (!list.some((one) => sameJson(one, limits))) this.#isExact = false;
    return limits;
  }

  /** A key accepts what any alternative accepts under it. */
  #uniteMembers(alternatives: readonly SchemaNode[], drops: Drops): SchemaNode {
    const properties = namesIn(alternatives).flatMap((name): [string, unknown][] => {
      const said = alternatives.map((limits) => memberOf(limits, name, drops));
      return said.every((member) => member === false) ? [] : [[name, this.unite(said)]];
    });
    const rests = alternatives.map((limits) => {
      const rest = limits['additionalProperties'];
      const patterns = namedChildren(limits, 'patternProperties').map(([, schema]) => schema);
      return rest === undefined || patterns.length === 0 ? rest : this.unite([...patterns, rest]);
    });
    const rest = rests.includes(undefined) ? undefined : this.unite(rests);
    return {
      ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
      ...(rest === undefined ? {} : { additionalProperties: rest }),
    };
  }

  /** The keywords of both, except those of members. If one keyword cannot express both, the first one stays. */
  #narrow(a: SchemaNode, b: SchemaNode): Writable {
    const both: Writable = { ...b, ...a };
    for (const family of FAMILIES) {
      if (![a, b].every((node) => family.some((keyword) => keyword in node))) continue;
      if (family.every((keyword) => sameJson(a[keyword], b[keyword]))) continue;
      const [keyword = ''] = family;
      const bound = boundOf(keyword, [a[keyword], b[keyword]], false);
      if (bound !== undefined) both[keyword] = bound;
      else if (keyword === 'required')
        both[keyword] = [...new Set([a, b].flatMap((node) => listedChildren(node, 'required')))];
      else if (keyword === 'items' && !('prefixItems' in both))
        both[keyword] = this.intersect(a[keyword], b[keyword]);
      else {
        this.#isExact = false;
        for (const each of family) if (!(each in a)) delete both[each];
      }
    }
    return both;
  }

  #intersectMembers(a: SchemaNode, b: SchemaNode): SchemaNode {
    const properties = namesIn([a, b]).flatMap((name): [string, unknown][] => {
      const [left, right] = [a, b].map((limits) => memberOf(limits, name, () => false));
      // If one side is closed to the key, so is the result.
      const isClosed = (left === false && !isNamed(a, name)) || (right === false && !isNamed(b, name));
      return isClosed ? [] : [[name, this.intersect(left, right)]];
    });
    const patterns = new Map<string, unknown>();
    for (const [pattern, schema] of [a, b].flatMap((limits) => namedChildren(limits, 'patternProperties')))
      patterns.set(pattern, this.intersect(patterns.get(pattern), schema));
    const rests = [a, b].map((limits) => limits['additionalProperties']).filter((rest) => rest !== undefined);
    // Keys that one side matches by pattern escape the other side's rule for unlisted keys.
    if (patterns.size > 0 && rests.length > 0) this.#isExact = false;
    return {
      ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
      ...(patterns.size === 0 ? {} : { patternProperties: Object.fromEntries(patterns) }),
      ...(rests.length === 0 ? {} : { additionalProperties: this.intersect(rests[0], rests[1]) }),
    };
  }
}

type Writable = Record<string, unknown>;

const MEMBERS: readonly string[] = ['properties', 'patternProperties', 'additionalProperties'];
const ELEMENTS: readonly string[] = ['items', 'prefixItems'];
const SEARCH: readonly string[] = ['contains', 'minContains', 'maxContains'];
/** Keywords that belong together, except those of members. */
const FAMILIES: readonly (readonly string[])[] = [
  ELEMENTS,
  SEARCH,
  ...[...LIMITS]
    .filter((keyword) => ![...MEMBERS, ...ELEMENTS, ...SEARCH].includes(keyword))
    .map((each) => [each]),
];

/** The schema, with the note if it is not exact. */
export function noted<TSchema>(schema: TSchema, isExact: boolean): TSchema {
  if (isExact || !isNode(schema) || hasNote(schema)) return schema;
  return { ...schema, description: `${textOf(schema)} ${NOTE}`.trim() };
}

/** Whether no value can match two of them. */
export function areDisjoint(alternatives: readonly unknown[]): boolean {
  const shapes = alternatives.filter((schema) => schema !== false).map((schema) => readShape(toNode(schema)));
  const kinds = shapes.flatMap(({ limits }) => Object.keys(limits));
  const values = shapes.flatMap((shape) => shape.values ?? []);
  const areListed = shapes.every((shape) => shape.values !== undefined);
  return (
    new Set(kinds).size === kinds.length || (areListed && distinctValues(values).length === values.length)
  );
}

/** The widest or narrowest value of a keyword that is a bound; undefined for other keywords. */
function boundOf(keyword: string, values: readonly unknown[], isWidest: boolean): number | undefined {
  const isLower = /min/i.test(keyword);
  if ((!isLower && !/max/i.test(keyword)) || values.includes(undefined)) return undefined;
  const pick = isLower === isWidest ? Math.min : Math.max;
  return pick(...(values as readonly number[]));
}

function toNode(schema: unknown): SchemaNode {
  return isNode(schema) ? schema : {};
}

function commonValues(a: SchemaNode, b: SchemaNode): readonly unknown[] | undefined {
  const [left, right] = [valuesOf(a), valuesOf(b)];
  return left === undefined || right === undefined ? (left ?? right) : left.filter(createValueSet(right));
}

function hasNote({ description }: SchemaNode): boolean {
  return typeof description === 'string' && description.includes(NOTE);
}

/** The description without the note. */
function textOf({ description }: SchemaNode): string {
  return typeof description === 'string' ? description.replace(NOTE, '').trim() : '';
}

/** Joins the descriptions; keeps other annotations only if all are equal. */
function uniteWords([first = {}, ...others]: readonly SchemaNode[]): SchemaNode {
  const alike = Object.entries(first).filter(([word, value]) =>
    others.every((other) => sameJson(other[word], value)),
  );
  const texts = [...new Set([first, ...others].map(textOf))].filter((text) => text !== '');
  return { ...Object.fromEntries(alike), ...(texts.length === 0 ? {} : { description: texts.join(' | ') }) };
}

/** All values of shapes that list their values; undefined if one does not. */
function asValues(shapes: readonly Shape[]): unknown[] | undefined {
  const lists = shapes.map(({ limits, values }) => {
    if (values !== undefined) return values;
    return Object.keys(limits).every((kind) => kind === 'null') ? [null] : undefined;
  });
  if (lists.includes(undefined) || shapes.every(({ values }) => values === undefined)) return undefined;
  return distinctValues(lists.flatMap((list) => list ?? []));
}

/** The schema of the member under a key; `false` if it is not allowed. Patterns apply in addition. */
function memberOf(limits: SchemaNode, name: string, drops: Drops): unknown {
  const { properties, additionalProperties: rest } = limits as Writable;
  if (isNode(properties) && Object.hasOwn(properties, name)) return properties[name];
  const patterns = namedChildren(limits, 'patternProperties');
  if (patterns.some(([pattern]) => compilePattern(pattern).test(name))) return {};
  if (rest !== undefined) return rest;
  return isNode(properties) && drops(name) ? false : {};
}

function namesIn(list: readonly SchemaNode[]): string[] {
  return [...new Set(list.flatMap((limits) => namedChildren(limits, 'properties').map(([name]) => name)))];
}

function isNamed({ properties }: SchemaNode, name: string): boolean {
  return isNode(properties) && Object.hasOwn(properties, name);
}
