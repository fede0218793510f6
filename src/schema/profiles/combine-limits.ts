import { listedChildren } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { intersectAll, intersectMembers, uniteMembers } from '../view/object-members.ts';
import type { Combine } from '../view/object-members.ts';
import { sameJson } from '../../base/json/same-json.ts';
import { pick, WHOLE } from './shape.ts';
import type { Kind } from './shape.ts';

/** Limits of one kind of values; `exact` is false when they take more than they should. */
export interface Combined {
  readonly limits: SchemaNode;
  readonly exact: boolean;
}

/** Lower bounds: the smaller one is wider. */
const LOWER: ReadonlySet<string> = new Set([
  'minLength',
  'minimum',
  'exclusiveMinimum',
  'minItems',
  'minProperties',
]);
/** Upper bounds: the larger one is wider. */
const UPPER: ReadonlySet<string> = new Set([
  'maxLength',
  'maximum',
  'exclusiveMaximum',
  'maxItems',
  'maxProperties',
]);
/** Keywords that are combined together, not one by one. */
const MEMBERS: readonly string[] = ['properties', 'patternProperties', 'additionalProperties'];
const ELEMENTS: readonly string[] = ['items', 'prefixItems'];
const SEARCH: readonly string[] = ['contains', 'minContains', 'maxContains'];
const TOGETHER: ReadonlySet<string> = new Set([...MEMBERS, ...ELEMENTS, ...SEARCH]);

/** The limits that take whatever any of these takes. */
export function uniteLimits(list: readonly SchemaNode[], kind: Kind, combine: Combine): Combined {
  const [first = {}, ...others] = list;
  if (others.every((other) => sameJson(other, first))) return { limits: first, exact: true };
  if (list.some((limits) => Object.keys(limits).length === 0)) return { limits: {}, exact: true };
  const kept = Object.keys(first).filter(
    (keyword) => !TOGETHER.has(keyword) && others.every((other) => keyword in other),
  );
  const widest = kept.map((keyword) => [
    keyword,
    widen(
      keyword,
      list.map((limits) => limits[keyword]),
      combine,
    ),
  ]);
  const limits: SchemaNode = {
    ...(kind === 'object' ? (shared(list, MEMBERS) ?? uniteMembers(list, combine)) : {}),
    ...(kind === 'array'
      ? { ...(shared(list, ELEMENTS) ?? uniteElements(list, combine)), ...shared(list, SEARCH) }
      : {}),
    ...Object.fromEntries(widest.filter(([, value]) => value !== undefined)),
  };
  // What is as wide as one of them is not wider than all of them.
  return { limits, exact: list.some((one) => sameJson(one, limits)) };
}

/** The limits that take only what both take. */
export function intersectLimits(
  [a, b]: readonly [SchemaNode, SchemaNode],
  kind: Kind,
  combine: Combine,
): Combined {
  let exact = true;
  const limits: Record<string, unknown> = {};
  for (const keyword of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (TOGETHER.has(keyword)) continue;
    const narrowed =
      keyword in a && keyword in b
        ? narrow(keyword, [a[keyword], b[keyword]], combine)
        : (a[keyword] ?? b[keyword]);
    if (narrowed === undefined) exact = false;
    limits[keyword] = narrowed ?? a[keyword];
  }
  if (kind === 'object') {
    const { members, exact: isExact } = intersectMembers(a, b, combine);
    Object.assign(limits, members);
    exact &&= isExact;
  }
  if (kind === 'array') {
    const [elements, search] = [intersectElements(a, b, combine), either(a, b, SEARCH)];
    Object.assign(limits, elements.limits, search.limits);
    exact &&= elements.exact && search.exact;
  }
  return { limits, exact };
}

/** The wider of several values of a keyword; undefined when there is none. */
function widen(keyword: string, values: readonly unknown[], combine: Combine): unknown {
  if (keyword === 'required') {
    const common = (values[0] as readonly unknown[]).filter((name) =>
      values.every((names) => (names as readonly unknown[]).includes(name)),
    );
    return common.length === 0 ? undefined : common;
  }
  if (LOWER.has(keyword)) return Math.min(...(values as readonly number[]));
  if (UPPER.has(keyword)) return Math.max(...(values as readonly number[]));
  if (keyword === 'propertyNames') return combine.unite(values);
  return values.every((value) => sameJson(value, values[0])) ? values[0] : undefined;
}

/** The narrower of two values of a keyword; undefined when one keyword cannot say both. */
function narrow(keyword: string, [a, b]: readonly [unknown, unknown], combine: Combine): unknown {
  if (sameJson(a, b)) return a;
  if (keyword === 'required')
    return [...new Set([...(a as readonly unknown[]), ...(b as readonly unknown[])])];
  if (keyword === 'dependentRequired') return undefined;
  if (LOWER.has(keyword)) return Math.max(a as number, b as number);
  if (UPPER.has(keyword)) return Math.min(a as number, b as number);
  if (keyword === 'uniqueItems' || keyword === WHOLE) return true;
  return keyword === 'propertyNames' ? combine.intersect(a, b) : undefined;
}

function uniteElements(list: readonly SchemaNode[], combine: Combine): SchemaNode {
  const elements = list.flatMap((limits) => [
    ...listedChildren(limits, 'prefixItems'),
    limits['items'] ?? {},
  ]);
  // One schema for every place.
  return { items: combine.unite(elements) };
}

function intersectElements(a: SchemaNode, b: SchemaNode, combine: Combine): Combined {
  if ('prefixItems' in a || 'prefixItems' in b) return either(a, b, ELEMENTS);
  const items = [a['items'], b['items']].filter((schema) => schema !== undefined);
  return {
    limits: items.length === 0 ? {} : { items: intersectAll(items, combine) },
    exact: true,
  };
}

/** What all say alike with these keywords; undefined when they differ. */
function shared(list: readonly SchemaNode[], keywords: readonly string[]): SchemaNode | undefined {
  const [first = {}, ...others] = list.map((limits) => pick(limits, keywords));
  return others.every((other) => sameJson(other, first)) ? first : undefined;
}

/** What the first says, or the second where the first says nothing. */
function either(a: SchemaNode, b: SchemaNode, keywords: readonly string[]): Combined {
  const [left, right] = [pick(a, keywords), pick(b, keywords)];
  if (Object.keys(left).length === 0) return { limits: right, exact: true };
  return { limits: left, exact: Object.keys(right).length === 0 || sameJson(left, right) };
}
