import { createValueSet, distinctValues } from '../../base/json/canonical-json.ts';
import { intersectLimits, uniteLimits } from './combine-limits.ts';
import { isNode, listedChildren, mapSubschemas, namedChildren } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import type { Combine, UnlistedKeys } from '../view/object-members.ts';
import { sameJson } from '../../base/json/same-json.ts';
import { isFraction, kindOf, kindsOf, KINDS, noLimits, readShape, WHOLE, writeShape } from './shape.ts';
import type { Shape } from './shape.ts';

export type { UnlistedKeys } from '../view/object-members.ts';

/** Stands in the description of what accepts more than it should. */
const NOTE = 'Simplified: the server checks the exact shape.';

/** A schema, and whether it says all that it should. */
interface Flat {
  readonly schema: unknown;
  readonly exact: boolean;
}

/**
 * The document without combining keywords: alternatives become one schema that takes what any of them takes. It must be free of
 * references.
 */
export function flattenUnions(document: SchemaNode, unlistedKeys: UnlistedKeys): SchemaNode {
  const combine: Combine = {
    unite: (schemas) => withNote(unite(schemas, combine)),
    intersect: (a, b) => withNote(intersect(a, b, combine)),
    unlistedKeys,
  };
  const flat = flatten(document, combine);
  return isNode(flat) ? flat : { type: 'object', description: NOTE };
}

function withNote({ schema, exact }: Flat): unknown {
  if (exact || !isNode(schema)) return schema;
  const { description } = schema as { description?: unknown };
  if (typeof description !== 'string') return { ...schema, description: NOTE };
  return description.includes(NOTE) ? schema : { ...schema, description: `${description} ${NOTE}` };
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
  let flat: Flat = withSearch(rest, own);
  const add = (part: Flat): void => {
    const both = intersect(flat.schema, part.schema, combine);
    flat = { schema: both.schema, exact: both.exact && flat.exact && part.exact };
  };
  const flattened = (list: unknown): unknown[] =>
    (list as readonly unknown[]).map((part) => flatten(part, combine));
  if (Array.isArray(allOf)) for (const part of flattened(allOf)) add({ schema: part, exact: true });
  const beside = (keyword: string): Combine => {
    const { [keyword]: _alternatives, ...others } = schema as Record<string, unknown>;
    return { ...combine, keptKeys: new Set(namesIn([others])) };
  };
  if (Array.isArray(anyOf)) add(unite(flattened(anyOf), beside('anyOf')));
  if (Array.isArray(oneOf)) {
    const alternatives = flattened(oneOf);
    const united = unite(alternatives, beside('oneOf'));
    add({ ...united, exact: united.exact && areDisjoint(alternatives) });
  }
  if (test !== undefined && (yes !== undefined || no !== undefined))
    add({ ...unite(flattened([yes ?? {}, no ?? {}]), { ...combine, unlistedKeys: 'kept' }), exact: false });
  if (not === true || sameJson(not, {})) add({ schema: false, exact: true });
  else if (not !== undefined) add({ schema: {}, exact: not === false });
  if (dependentSchemas !== undefined) add({ schema: {}, exact: false });
  return withNote(withLeftOvers(flat, schema, { others, more }));
}

/** A search that takes more finds more: an upper bound on what it finds would refuse too much. */
function withSearch(before: SchemaNode, after: Record<string, unknown>): Flat {
  if (!('maxContains' in after) || sameJson(before['contains'], after['contains']))
    return { schema: after, exact: true };
  const { maxContains: _most, ...kept } = after;
  return { schema: kept, exact: false };
}

/**
 * `unevaluated…` speaks of what nothing else speaks of. Once all parts are one, that is what `additionalProperties` and `items`
 * say, if the parts only named keys.
 */
function withLeftOvers(
  { schema, exact }: Flat,
  source: SchemaNode,
  { others, more }: Readonly<Record<string, unknown>>,
): Flat {
  if (!isNode(schema)) return { schema, exact };
  let kept: SchemaNode = schema;
  let isExact = exact;
  if (others !== undefined && source['additionalProperties'] === undefined) {
    if (parts(source).every(onlyNamesKeys) && namesIn(parts(source)).every((name) => isNamed(kept, name)))
      kept = { ...kept, additionalProperties: others };
    else isExact = false;
  }
  if (more !== undefined && source['items'] === undefined) {
    if (parts(source).length === 0 && !('contains' in source)) kept = { ...kept, items: more };
    else isExact = false;
  }
  return { schema: kept, exact: isExact };
}

/** The schemas that speak of the same value as the node. */
function parts(node: SchemaNode): SchemaNode[] {
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => listedChildren(node, keyword));
  const singles = ['if', 'then', 'else'].map((keyword) => node[keyword]);
  const dependent = namedChildren(node, 'dependentSchemas').map(([, child]) => child);
  return [...lists, ...singles, ...dependent].filter(isNode);
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
function unite(schemas: readonly unknown[], combine: Combine): Flat {
  const possible = schemas
    .filter((schema) => schema !== false)
    .map((schema) => (isNode(schema) ? schema : {}));
  const [first, ...others] = possible;
  if (first === undefined) return { schema: false, exact: true };
  if (others.every((other) => sameJson(other, first))) return { schema: first, exact: true };
  const shapes = possible.map(readShape).filter(({ kinds }) => kinds.length > 0);
  // None of them takes anything.
  if (shapes.length === 0) return { schema: first, exact: true };
  const words = uniteWords(shapes.map((shape) => shape.words));
  const hasNote = possible.some(
    ({ description }) => typeof description === 'string' && description.includes(NOTE),
  );
  const listed = asValues(shapes);
  if (listed !== undefined) {
    const values = distinctValues(listed);
    return write(
      { kinds: kindsOf(values), values, limits: noLimits(), words },
      !hasNote && shapes.every(isUnlimited),
    );
  }
  const { free, exact: areFreed } = withoutValues(shapes);
  const kinds = KINDS.filter((kind) => free.some((shape) => shape.kinds.includes(kind)));
  const limits = noLimits();
  let exact = areFreed && !hasNote;
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

function write(shape: Shape, isExact: boolean): Flat {
  const { node, exact } = writeShape(shape);
  return { schema: node, exact: exact && isExact };
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
function intersect(a: unknown, b: unknown, combine: Combine): Flat {
  if (a === false || b === false) return { schema: false, exact: true };
  if (!isNode(a) || Object.keys(a).length === 0) return { schema: isNode(b) ? b : {}, exact: true };
  if (!isNode(b) || Object.keys(b).length === 0) return { schema: a, exact: true };
  const [left, right] = [readShape(a), readShape(b)];
  const kinds = left.kinds.filter((kind) => right.kinds.includes(kind));
  const values = commonValues(left, right);
  const words = joinNotes(left.words, right.words);
  if (kinds.length === 0 || values?.length === 0) return { schema: { ...a, ...words }, exact: false };
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

/** The words of the first stand; a note of the second is not lost. */
function joinNotes(a: SchemaNode, b: SchemaNode): SchemaNode {
  const words = { ...b, ...a };
  const hasNote = [a, b].some(
    ({ description }) => typeof description === 'string' && description.includes(NOTE),
  );
  return hasNote ? (withNote({ schema: words, exact: false }) as SchemaNode) : words;
}

/** Descriptions one after the other; other words only where all say the same. */
function uniteWords(list: readonly SchemaNode[]): SchemaNode {
  const [first = {}, ...others] = list;
  const alike = Object.entries(first).filter(([word, value]) =>
    others.every((other) => sameJson(other[word], value)),
  );
  const descriptions = list.map(({ description }) => description).filter((text) => typeof text === 'string');
  const texts = [...new Set(descriptions.map((text) => text.replace(NOTE, '').trim()))].filter(
    (text) => text !== '',
  );
  return { ...Object.fromEntries(alike), ...(texts.length === 0 ? {} : { description: texts.join(' | ') }) };
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
