import { createValueSet, distinctValues } from '../../base/json/canonical-json.ts';
import { intersectLimits, uniteLimits } from './combine-limits.ts';
import { isNode, mapSubschemas, namedChildren, SAME_VALUE, subschemas } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import type { Combine, UnlistedKeys } from '../view/object-members.ts';
import { sameJson } from '../../base/json/same-json.ts';
import { isFraction, kindOf, kindsOf, KINDS, noLimits, readShape, WHOLE, writeShape } from './shape.ts';
import type { Shape } from './shape.ts';

export type { UnlistedKeys } from '../view/object-members.ts';

/** Stands in the description of what accepts more than it should. */
const NOTE = 'Simplified: the server checks the exact shape.';

/**
 * The document without combining keywords: alternatives become one schema that takes what any of them takes. It must be free of
 * references.
 */
export function flattenUnions(document: SchemaNode, unlistedKeys: UnlistedKeys): SchemaNode {
  const combine: Combine = {
    unite: (schemas) => unite(schemas, combine),
    intersect: (a, b) => intersect(a, b, combine),
    unlistedKeys,
  };
  const flat = flatten(document, combine);
  return isNode(flat) ? flat : { type: 'object', description: NOTE };
}

/** The schema; with the note where it is not exact. */
function noted<TSchema>(schema: TSchema, isExact: boolean): TSchema {
  if (isExact || !isNode(schema) || hasNote(schema)) return schema;
  const { description } = schema as { description?: unknown };
  return { ...schema, description: typeof description === 'string' ? `${description} ${NOTE}` : NOTE };
}

function hasNote({ description }: SchemaNode): boolean {
  return typeof description === 'string' && description.includes(NOTE);
}

function flatten(schema: unknown, combine: Combine): unknown {
  if (!isNode(schema)) return schema;
  const {
    anyOf,
    oneOf,
    allOf,
    if: test,
    then: yes,
    else: no,
    not,
    dependentSchemas,
    ...rest
  } = schema as Record<string, unknown>;
  const {
    unevaluatedProperties: others,
    unevaluatedItems: more,
    ...own
  } = mapSubschemas(rest, (child) => flatten(child, combine));
  let flat: unknown = withSearch(rest, own);
  const add = (part: unknown): void => {
    flat = intersect(flat, part, combine);
  };
  const flattened = (list: unknown): unknown[] =>
    (list as readonly unknown[]).map((part) => flatten(part, combine));
  if (Array.isArray(allOf)) for (const part of flattened(allOf)) add(part);
  const beside = (keyword: string): Combine => {
    const { [keyword]: _alternatives, ...others } = schema as Record<string, unknown>;
    return { ...combine, keptKeys: new Set(namesIn([others])) };
  };
  if (Array.isArray(anyOf)) add(unite(flattened(anyOf), beside('anyOf')));
  if (Array.isArray(oneOf)) {
    const alternatives = flattened(oneOf);
    add(noted(unite(alternatives, beside('oneOf')), areDisjoint(alternatives)));
  }
  if (test !== undefined && (yes !== undefined || no !== undefined))
    add(noted(unite(flattened([yes ?? {}, no ?? {}]), { ...combine, unlistedKeys: 'kept' }), false));
  if (not === true || sameJson(not, {})) add(false);
  const isExact = (not === undefined || not === false) && dependentSchemas === undefined;
  return withLeftOvers(noted(flat, isExact), schema, { others, more });
}

/** A search that takes more finds more: an upper bound on what it finds would refuse too much. */
function withSearch(before: SchemaNode, after: Record<string, unknown>): SchemaNode {
  if (!('maxContains' in after) || sameJson(before['contains'], after['contains'])) return after;
  const { maxContains: _most, ...kept } = after;
  return noted(kept, false);
}

/**
 * `unevaluated…` speaks of what nothing else speaks of. Once all parts are one, that is what `additionalProperties` and `items`
 * say, if the parts only named keys.
 */
function withLeftOvers(
  schema: unknown,
  source: SchemaNode,
  { others, more }: Readonly<Record<string, unknown>>,
): unknown {
  if (!isNode(schema)) return schema;
  let kept = schema;
  if (others !== undefined && source['additionalProperties'] === undefined) {
    if (parts(source).every(onlyNamesKeys) && namesIn(parts(source)).every((name) => isNamed(schema, name)))
      kept = { ...kept, additionalProperties: others };
    else kept = noted(kept, false);
  }
  if (more !== undefined && source['items'] === undefined) {
    if (parts(source).length === 0 && !('contains' in source)) kept = { ...kept, items: more };
    else kept = noted(kept, false);
  }
  return kept;
}

/** The schemas that describe the same value as the node, but for `not`, which names no keys. */
function parts(node: SchemaNode): SchemaNode[] {
  const { not: _not, ...rest } = node as Record<string, unknown>;
  return subschemas(rest, SAME_VALUE)
    .map(({ schema }) => schema)
    .filter(isNode);
}

const KEY_KEYWORDS: ReadonlySet<string> = new Set([
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'if',
  'dependentSchemas',
]);

function namesIn(nodes: readonly SchemaNode[]): string[] {
  return nodes.flatMap((node) => [
    ...namedChildren(node, 'properties').map(([name]) => name),
    ...namesIn(parts(node)),
  ]);
}

function isNamed({ properties }: SchemaNode, name: string): boolean {
  return isNode(properties) && Object.hasOwn(properties, name);
}

function onlyNamesKeys(part: SchemaNode): boolean {
  return !Object.keys(part).some((keyword) => KEY_KEYWORDS.has(keyword)) && parts(part).every(onlyNamesKeys);
}

/** One schema that takes what any of these takes. */
function unite(schemas: readonly unknown[], combine: Combine): unknown {
  const possible = schemas
    .filter((schema) => schema !== false)
    .map((schema) => (isNode(schema) ? schema : {}));
  const [first, ...others] = possible;
  if (first === undefined) return false;
  const shapes = possible.map(readShape).filter(({ kinds }) => kinds.length > 0);
  // They are one, or none of them takes anything.
  if (others.every((other) => sameJson(other, first)) || shapes.length === 0) return first;
  const words = uniteWords(shapes.map((shape) => shape.words));
  let exact = !possible.some(hasNote);
  const listed = asValues(shapes);
  if (listed !== undefined) {
    const values = distinctValues(listed);
    exact &&= shapes.every(isUnlimited);
    return write({ kinds: kindsOf(values), values, limits: noLimits(), words }, exact);
  }
  const { free, exact: areFreed } = withoutValues(shapes);
  const kinds = KINDS.filter((kind) => free.some((shape) => shape.kinds.includes(kind)));
  const limits = noLimits();
  exact &&= areFreed;
  for (const kind of kinds) {
    const united = uniteLimits(
      free.filter((shape) => shape.kinds.includes(kind)).map((shape) => shape.limits[kind]),
      kind,
      combine,
    );
    limits[kind] = united.limits;
    exact &&= united.exact;
  }
  return write({ kinds, values: undefined, limits, words }, exact);
}

function write(shape: Shape, isExact: boolean): SchemaNode {
  const { node, exact } = writeShape(shape);
  return noted(node, exact && isExact);
}

function isUnlimited({ kinds, limits }: Shape): boolean {
  return kinds.every((kind) => Object.keys(limits[kind]).every((keyword) => keyword === WHOLE));
}

/** All values of shapes that take only a few; undefined when one takes more than can be listed. */
function asValues(shapes: readonly Shape[]): unknown[] | undefined {
  const lists = shapes.map(({ kinds, values }) => {
    if (values !== undefined) return values;
    if (!kinds.every((kind) => kind === 'null' || kind === 'boolean')) return undefined;
    return kinds.flatMap((kind): unknown[] => (kind === 'null' ? [null] : [true, false]));
  });
  if (lists.includes(undefined) || shapes.every(({ values }) => values === undefined)) return undefined;
  return lists.flatMap((list) => list ?? []);
}

/** Shapes that list no values. A list can only stand for a whole schema, so listed values become their kinds. */
function withoutValues(shapes: readonly Shape[]): {
  readonly free: readonly Shape[];
  readonly exact: boolean;
} {
  const open = shapes.filter(({ values }) => values === undefined);
  let exact = true;
  const free = shapes.flatMap((shape): Shape[] => {
    const { values } = shape;
    if (values === undefined) return [shape];
    const rest = values.filter((value) => !open.some((other) => surelyTakes(other, value)));
    if (rest.some((value) => !isWholeKind(value, rest))) exact = false;
    const limits = noLimits();
    if (!rest.some(isFraction)) limits.number = { [WHOLE]: true };
    return rest.length === 0 ? [] : [{ kinds: kindsOf(rest), values: undefined, limits, words: shape.words }];
  });
  return { free, exact };
}

function surelyTakes({ kinds, limits }: Shape, value: unknown): boolean {
  const kind = kindOf(value);
  return kinds.includes(kind) && Object.keys(limits[kind]).length === 0;
}

/** Whether the values include every value of this one's kind. */
function isWholeKind(value: unknown, values: readonly unknown[]): boolean {
  return value === null || (typeof value === 'boolean' && values.includes(!value));
}

/** One schema that takes only what both take. */
function intersect(a: unknown, b: unknown, combine: Combine): unknown {
  if (a === false || b === false) return false;
  if (!isNode(a) || Object.keys(a).length === 0) return isNode(b) ? b : {};
  if (!isNode(b) || Object.keys(b).length === 0) return a;
  const [left, right] = [readShape(a), readShape(b)];
  const kinds = left.kinds.filter((kind) => right.kinds.includes(kind));
  const values = commonValues(left, right);
  // The words of the first stand; a note of the second is not lost.
  const description = textOf(left.words) || textOf(right.words);
  const both = { ...right.words, ...left.words, ...(description === '' ? {} : { description }) };
  const words = noted(both, !hasNote(a) && !hasNote(b));
  if (kinds.length === 0 || values?.length === 0) return noted({ ...a, ...words }, false);
  const limits = noLimits();
  let exact = true;
  for (const kind of kinds) {
    const narrowed = intersectLimits([left.limits[kind], right.limits[kind]], kind, combine);
    limits[kind] = narrowed.limits;
    exact &&= narrowed.exact;
  }
  return write({ kinds: values === undefined ? kinds : kindsOf(values), values, limits, words }, exact);
}

function commonValues(a: Shape, b: Shape): readonly unknown[] | undefined {
  if (a.values === undefined || b.values === undefined) {
    const [listed, other] = a.values === undefined ? [b, a] : [a, b];
    return listed.values?.filter((value) => other.kinds.includes(kindOf(value)));
  }
  const isIn = createValueSet(b.values);
  return a.values.filter(isIn);
}

/** Descriptions one after the other; other words only where all say the same. */
function uniteWords(list: readonly SchemaNode[]): SchemaNode {
  const [first = {}, ...others] = list;
  const alike = Object.entries(first).filter(([word, value]) =>
    others.every((other) => sameJson(other[word], value)),
  );
  const texts = [...new Set(list.map(textOf))].filter((text) => text !== '');
  return { ...Object.fromEntries(alike), ...(texts.length === 0 ? {} : { description: texts.join(' | ') }) };
}

/** The description without the note. */
function textOf({ description }: SchemaNode): string {
  return typeof description === 'string' ? description.replace(NOTE, '').trim() : '';
}

/** Whether no value can belong to two of them. */
function areDisjoint(alternatives: readonly unknown[]): boolean {
  const shapes = alternatives
    .filter((schema) => schema !== false)
    .map((schema) => readShape(isNode(schema) ? schema : {}));
  return shapes.every((shape, index) =>
    shapes.slice(index + 1).every((other) => {
      const values = commonValues(shape, other);
      return values === undefined
        ? !shape.kinds.some((kind) => other.kinds.includes(kind))
        : values.length === 0;
    }),
  );
}
