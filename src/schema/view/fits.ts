import { createValueSet } from '../../base/json/canonical-json.ts';
import { isNode, listedChildren, namedChildren } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { ownTypes, typesOf } from '../nodes/json-types.ts';
import { sameJson } from '../../base/json/same-json.ts';
import { isDigits, isWideFormat } from '../nodes/wide-integers.ts';

/** What {@link fits} asks of the document it works on. */
export interface FitContext {
  readonly resolve: (ref: string) => unknown;
  readonly matches: (pattern: string, text: string) => boolean;
  /** Whether the object has a key that is forbidden here. */
  readonly hasForbiddenKey: (node: SchemaNode, value: SchemaNode) => boolean;
  /** Whether strings of digits are integers where the format is one of 64 bits. */
  readonly takesDigits: boolean;
}

/** Whether keys that the schema forbids count. */
export type FitKeys = 'strict' | 'ignored';

/** The question, and the end of its memory: values may change between two calls, never during one. */
export interface Fits {
  fits(schema: unknown, value: unknown, keys: FitKeys): boolean;
  forget(): void;
}

/**
 * Whether a value can belong to a schema: the question behind the choice between alternatives. This is no validator and
 * gives no reasons; what it does not know (formats, `not`, `contains`, `uniqueItems`, "exactly one" of `oneOf`) it takes for
 * satisfied, so that it never excludes the alternative that the real validator will accept.
 */
export function createFits(context: FitContext): Fits {
  // In a recursive union every level asks the same of all levels below it; without this the answers cost 2 ** depth.
  let answers: Record<FitKeys, WeakMap<object, Map<SchemaNode, boolean>>> = createAnswers();

  const fits = (schema: unknown, value: unknown, keys: FitKeys): boolean => {
    if (schema === false) return false;
    if (!isNode(schema)) return true;
    if (typeof value !== 'object' || value === null) return decide(schema, value, keys);
    const known = answers[keys].get(value) ?? new Map<SchemaNode, boolean>();
    answers[keys].set(value, known);
    const remembered = known.get(schema);
    if (remembered !== undefined) return remembered;
    const decided = decide(schema, value, keys);
    known.set(schema, decided);
    return decided;
  };

  const decide = (schema: SchemaNode, value: unknown, keys: FitKeys): boolean => {
    return (
      (fitsOwnType(schema, value) || (context.takesDigits && areDigitsFor(schema, value))) &&
      fitsScalar(schema, value, context) &&
      fitsParts(schema, context.resolve, (part) => fits(part, value, keys)) &&
      (!isNode(value) || fitsObject(schema, value, keys)) &&
      (!Array.isArray(value) || fitsArray(schema, value as readonly unknown[], keys))
    );
  };

  const fitsObject = (schema: SchemaNode, value: SchemaNode, keys: FitKeys): boolean => {
    const has = (key: unknown): boolean => Object.hasOwn(value, String(key));
    const names = Object.keys(value);
    if (!listedChildren(schema, 'required').every(has)) return false;
    if (!isWithin(schema, names.length, ['minProperties', 'maxProperties'])) return false;
    for (const [key, needed] of namedChildren(schema, 'dependentRequired')) {
      if (has(key) && Array.isArray(needed) && !needed.every(has)) return false;
    }
    for (const [key, child] of namedChildren(schema, 'dependentSchemas')) {
      if (has(key) && !fits(child, value, keys)) return false;
    }
    const isClosed = schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false;
    if (isClosed && keys === 'strict' && context.hasForbiddenKey(schema, value)) return false;
    return names.every(
      (key) =>
        fits(schema['propertyNames'], key, keys) &&
        childrenOf(schema, key, context.matches).every((child) => fits(child, value[key], keys)),
    );
  };

  const fitsArray = (schema: SchemaNode, value: readonly unknown[], keys: FitKeys): boolean => {
    if (!isWithin(schema, value.length, ['minItems', 'maxItems'])) return false;
    const first = listedChildren(schema, 'prefixItems');
    return value.every((element, index) =>
      fits(index < first.length ? first[index] : schema['items'], element, keys),
    );
  };

  return {
    fits,
    forget: () => {
      answers = createAnswers();
    },
  };
}

function fitsParts(
  schema: SchemaNode,
  resolve: FitContext['resolve'],
  fitsPart: (part: unknown) => boolean,
): boolean {
  for (const keyword of ['$ref', '$dynamicRef']) {
    const ref = schema[keyword];
    if (typeof ref === 'string' && !fitsPart(resolve(ref))) return false;
  }
  if (!listedChildren(schema, 'allOf').every(fitsPart)) return false;
  for (const keyword of ['anyOf', 'oneOf']) {
    const alternatives = listedChildren(schema, keyword);
    if (alternatives.length > 0 && !alternatives.some(fitsPart)) return false;
  }
  return !('if' in schema) || fitsPart(schema[fitsPart(schema['if']) ? 'then' : 'else']);
}

function createAnswers(): Record<FitKeys, WeakMap<object, Map<SchemaNode, boolean>>> {
  return { strict: new WeakMap(), ignored: new WeakMap() };
}

/** The schemas that one node has for one key; `additionalProperties` only where nothing else is meant. */
export function childrenOf(
  node: SchemaNode,
  key: string,
  matches: FitContext['matches'],
): readonly unknown[] {
  const { properties } = node as { properties?: unknown };
  const children: unknown[] = [];
  if (isNode(properties) && Object.hasOwn(properties, key)) children.push(properties[key]);
  for (const [pattern, child] of namedChildren(node, 'patternProperties')) {
    if (matches(pattern, key)) children.push(child);
  }
  if (children.length === 0 && isNode(node['additionalProperties']))
    children.push(node['additionalProperties']);
  return children;
}

function fitsOwnType(schema: SchemaNode, value: unknown): boolean {
  const accepted = ownTypes(schema);
  return accepted === undefined || typesOf(value).some((type) => accepted.has(type));
}

function areDigitsFor(schema: SchemaNode, value: unknown): boolean {
  return isWideFormat(schema['format']) && isDigits(value) && ownTypes(schema)?.has('integer') === true;
}

/** Of lists that many values are compared with. They are frozen. */
const valueSets = new WeakMap<readonly unknown[], (value: unknown) => boolean>();

function isListed(values: readonly unknown[], value: unknown): boolean {
  let isIn = valueSets.get(values);
  if (isIn === undefined) valueSets.set(values, (isIn = createValueSet(values)));
  return isIn(value);
}

/** Whether a value fits what a node says about values that are neither arrays nor objects, its type aside. */
export function fitsScalar(
  schema: SchemaNode,
  value: unknown,
  context: Pick<FitContext, 'matches'>,
): boolean {
  if ('const' in schema && !sameJson(schema['const'], value)) return false;
  const listed = schema['enum'];
  if (Array.isArray(listed) && !isListed(listed, value)) return false;
  if (typeof value === 'number') return fitsNumber(schema, value);
  if (typeof value !== 'string') return true;
  const { pattern } = schema as { pattern?: unknown };
  if (typeof pattern === 'string' && !context.matches(pattern, value)) return false;
  if (!('minLength' in schema) && !('maxLength' in schema)) return true;
  // JSON Schema counts characters, JavaScript counts halves of them.
  return isWithin(schema, Array.from(value).length, ['minLength', 'maxLength']);
}

function fitsNumber(schema: SchemaNode, value: number): boolean {
  const { exclusiveMinimum, exclusiveMaximum, multipleOf } = schema as Record<string, unknown>;
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return false;
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return false;
  if (typeof multipleOf === 'number' && !Number.isInteger(value / multipleOf)) return false;
  return isWithin(schema, value, ['minimum', 'maximum']);
}

/** Whether a size is within the bounds that two keywords set. */
export function isWithin(schema: SchemaNode, size: number, keywords: readonly [string, string]): boolean {
  const [least, most] = [schema[keywords[0]], schema[keywords[1]]];
  return (typeof least !== 'number' || size >= least) && (typeof most !== 'number' || size <= most);
}
