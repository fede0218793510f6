import { isNode, listedChildren, namedChildren } from '../../schema/json-node.ts';
import type { SchemaNode } from '../../schema/json-node.ts';
import { memberOf, objectOf } from '../document/read-values.ts';
import { refOf } from '../document/references.ts';
import type { Located } from '../operation.ts';
import { findLeaving, goesOtherWay } from './one-way.ts';
import type { Conversion, ConverterParts, SchemaConverter } from './schema-converter.ts';

/** `allOf`, `anyOf`, `oneOf`, `not` and conditions. */
export function convertUnions(schema: SchemaNode, converter: SchemaConverter, at: Conversion): SchemaNode {
  const convert = (value: unknown): unknown => converter.convertNode(value, at);
  const all = convertAllOf(schema, converter, at);
  const { not, if: condition, then, else: otherwise } = schema;
  return {
    ...all,
    ...convertAlternatives(schema, 'anyOf', { converter, at }),
    ...convertAlternatives(schema, 'oneOf', { converter, at }),
    ...(isSchema(not) ? { not: convert(not) } : {}),
    ...(isSchema(condition) ? convertCondition([condition, then, otherwise], convert) : {}),
  };
}

/** By entries: an object that is written with a `then` looks like a promise. */
function convertCondition(parts: readonly unknown[], convert: (value: unknown) => unknown): SchemaNode {
  const keywords = ['if', 'then', 'else'].map((keyword, index): [string, unknown] => [keyword, parts[index]]);
  const said = keywords.filter(([, value]) => isSchema(value));
  return Object.fromEntries(said.map(([keyword, value]) => [keyword, convert(value)]));
}

function isSchema(value: unknown): boolean {
  return isNode(value) || typeof value === 'boolean';
}

/** What one part loses, no other part may ask for. A single part is no union: it stands where the union stood. */
function convertAllOf(schema: SchemaNode, converter: SchemaConverter, at: Conversion): SchemaNode {
  const parts = listedChildren(schema, 'allOf').filter(isSchema);
  const [only] = parts;
  if (only === undefined) return {};
  const leaving = parts.flatMap((value) => [...findLeaving({ value, base: at.base }, converter.parts)]);
  const own = namedChildren(schema, 'properties').length > 0;
  const dropped = leaving.length === 0 ? at.dropped : new Set([...at.dropped, ...leaving]);
  const converted = parts.map((value) => converter.convertNode(value, { ...at, dropped }));
  const single = parts.length === 1 && !own ? converted[0] : undefined;
  if (isNode(single) && !clashes(single, schema)) return unless(single, schema);
  return { allOf: converted };
}

/** Whether both say something that would have to be joined. What only describes is the outer one's. */
function clashes(part: SchemaNode, schema: SchemaNode): boolean {
  return Object.keys(part).some((keyword) => Object.hasOwn(schema, keyword) && !DESCRIBING.has(keyword));
}

const DESCRIBING: ReadonlySet<string> = new Set([
  'description',
  'title',
  'default',
  'deprecated',
  'examples',
  'type',
]);

function unless(part: SchemaNode, schema: SchemaNode): SchemaNode {
  return Object.fromEntries(Object.entries(part).filter(([keyword]) => !Object.hasOwn(schema, keyword)));
}

interface AlternativeParts {
  readonly converter: SchemaConverter;
  readonly at: Conversion;
}

function convertAlternatives(
  schema: SchemaNode,
  keyword: 'anyOf' | 'oneOf',
  { converter, at }: AlternativeParts,
): SchemaNode {
  const branches = listedChildren(schema, keyword).filter(isSchema);
  if (branches.length === 0) return {};
  const marks = readDiscriminator(schema, { converter, at });
  const converted = branches.map((branch) => {
    const node = converter.convertNode(branch, at);
    const values = marks?.valuesOf(branch) ?? [];
    return marks === undefined || values.length === 0 || !isNode(node)
      ? node
      : mark(node, marks.property, values);
  });
  return { [keyword]: converted };
}

/** Says in JSON Schema what a discriminator says: which value of the property belongs to which alternative. */
function mark(node: SchemaNode, property: string, values: readonly string[]): SchemaNode {
  const [only] = values;
  const value = values.length === 1 ? { const: only } : { enum: values };
  const told = { type: 'object', properties: Object.fromEntries([[property, value]]), required: [property] };
  if (!Object.hasOwn(node, '$ref')) return { allOf: [node, told] };
  return { ...node, ...told };
}

interface Discriminator {
  readonly property: string;
  readonly valuesOf: (branch: unknown) => readonly string[];
}

/** A schema must not become stricter than the document: values that an alternative itself does not take are not asked for. */
function readDiscriminator(
  schema: SchemaNode,
  { converter, at }: AlternativeParts,
): Discriminator | undefined {
  const discriminator = objectOf(schema['discriminator']);
  const property = memberOf(discriminator, 'propertyName');
  if (typeof property !== 'string' || property === '') return undefined;
  const mapping = Object.entries(objectOf(memberOf(discriminator, 'mapping')));
  return {
    property,
    valuesOf: (branch) => {
      const ref = refOf(branch);
      if (ref === undefined) return [];
      const name = ref.slice(ref.lastIndexOf('/') + 1);
      const mapped = mapping.filter(([, to]) => to === ref || to === name).map(([value]) => value);
      const values = mapped.length > 0 ? mapped : [name];
      const takes = valuesTaken({ value: branch, base: at.base }, property, converter.parts);
      return takes === 'any' || values.every((value) => takes.has(value)) ? values : [];
    },
  };
}

/** The values that a schema lists for a property; `any` where it lists none. */
function valuesTaken(schema: Located, property: string, parts: ConverterParts): ReadonlySet<unknown> | 'any' {
  const found = parts.references.follow(schema);
  if ('problem' in found || !isNode(found.value)) return NOTHING;
  const { base, value } = found;
  const own = memberOf(objectOf(value['properties']), property);
  const described = own === undefined ? undefined : parts.references.follow({ value: own, base });
  if (described !== undefined && !('problem' in described) && isNode(described.value)) {
    if (goesOtherWay(described, parts)) return NOTHING;
    const { enum: values, const: constant } = described.value as { enum?: unknown; const?: unknown };
    if (Array.isArray(values) && values.length > 0) return new Set(values);
    return constant === undefined ? 'any' : new Set([constant]);
  }
  const [first = 'any'] = listedChildren(value, 'allOf')
    .filter((part) => refOf(part) !== refOf(schema.value))
    .map((part) => objectOf(memberOf(objectOf(part), 'properties')))
    .filter((properties) => Object.hasOwn(properties, property))
    .map((properties) => {
      const { enum: values, const: constant } = objectOf(properties[property]) as {
        enum?: unknown;
        const?: unknown;
      };
      return Array.isArray(values)
        ? new Set<unknown>(values)
        : constant === undefined
          ? 'any'
          : new Set([constant]);
    });
  return first;
}

const NOTHING: ReadonlySet<unknown> = new Set();
