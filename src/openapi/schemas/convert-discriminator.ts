import { isNode } from '../../schema/nodes/json-node.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import { flagOf, memberOf, objectOf } from '../document/parse/read-values.ts';
import { refOf } from '../document/references.ts';
import type { References } from '../document/references.ts';
import type { Located } from '../model/operation.ts';
import { hasHidden } from '../naming/clean-text.ts';
import { goesOtherWay, partsOf } from './one-way.ts';
import type { ConverterParts } from './model/conversion.ts';

/** The discriminator of a union. */
export interface Discriminator {
  readonly property: string;
  /** The values of the property that select an alternative; empty if unknown. */
  readonly valuesOf: (branch: unknown) => readonly string[];
}

/** Expresses a discriminator in JSON Schema: the values of the property that belong to an alternative. */
export function markChoice(node: unknown, property: string, values: readonly string[]): unknown {
  const [only] = values;
  const value = values.length === 1 ? { const: only } : { enum: values };
  const told = { type: 'object', properties: Object.fromEntries([[property, value]]), required: [property] };
  const isFree =
    isNode(node) && '$ref' in node && Object.keys(told).every((key) => !Object.hasOwn(node, key));
  return isFree ? { ...node, ...told } : { allOf: [node, told] };
}

/** A schema must not become stricter than the document: values that an alternative itself does not accept are ignored. */
export function readDiscriminator(
  schema: SchemaNode,
  parts: ConverterParts,
  base: string,
): Discriminator | undefined {
  const discriminator = objectOf(schema['discriminator']);
  const property = memberOf(discriminator, 'propertyName');
  if (typeof property !== 'string' || property === '' || hasHidden(property)) return undefined;
  const mapped = new Map<string, string[]>();
  for (const [value, to] of Object.entries(objectOf(memberOf(discriminator, 'mapping')))) {
    const id = typeof to === 'string' ? resolveMapped(to, base, parts.references)?.id : undefined;
    if (id !== undefined) mapped.set(id, [...(mapped.get(id) ?? []), value]);
  }
  return {
    property,
    valuesOf: (branch) => {
      const ref = refOf(branch);
      const target = ref === undefined ? undefined : parts.references.resolve(ref, base);
      if (ref === undefined || target === undefined || 'problem' in target || isNullable(branch)) return [];
      const values = mapped.get(target.id) ?? [lastStepOf(ref)];
      const takes = valuesTaken({ value: branch, base }, property, parts);
      const isTold = values.every((value) => (takes === 'any' || takes.has(value)) && !hasHidden(value));
      return isTold ? values : [];
    },
  };
}

/** Null has no property for a discriminator. */
function isNullable(branch: unknown): boolean {
  return isNode(branch) && (flagOf(branch['nullable']) || flagOf(branch['x-nullable']));
}

/** Resolves a value of a mapping: a reference, or the name of a schema. */
export function resolveMapped(
  to: string,
  base: string,
  references: References,
): ReturnType<References['namedSchemas']>[number] | undefined {
  const found = references.resolve(to, base);
  if (!('problem' in found)) return found;
  const named = references.resolve(`#/components/schemas/${to}`, base);
  return 'problem' in named ? undefined : named;
}

function lastStepOf(ref: string): string {
  const last = ref.slice(ref.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** The values that a schema lists for a property; `any` if it lists none. */
function valuesTaken(schema: Located, property: string, parts: ConverterParts): ReadonlySet<unknown> | 'any' {
  const lists: ReadonlySet<unknown>[] = [];
  for (const { value, base } of partsOf(schema, parts)) {
    const own = memberOf(objectOf(value['properties']), property);
    if (own === undefined) continue;
    if (goesOtherWay({ value: own, base }, parts)) return NOTHING;
    for (const { value: described } of partsOf({ value: own, base }, parts)) {
      const { enum: values, const: constant } = described as { enum?: unknown; const?: unknown };
      if (constant !== undefined) lists.push(new Set([constant]));
      else if (Array.isArray(values) && values.length > 0) lists.push(new Set<unknown>(values));
    }
  }
  const [first, ...others] = lists;
  if (first === undefined) return 'any';
  return new Set([...first].filter((value) => others.every((list) => list.has(value))));
}

const NOTHING: ReadonlySet<unknown> = new Set();
