import { isNode, listedChildren } from '../../schema/nodes/json-node.ts';
import { memberOf, objectOf } from '../document/parse/read-values.ts';
import { refOf } from '../document/references.ts';
import type { References, Target } from '../document/references.ts';
import type { JsonObject, Located } from '../model/operation.ts';
import { resolveMapped } from './convert-discriminator.ts';
import type { ConverterParts } from './model/conversion.ts';

/** Maximum number of subtypes. */
const MAX_SUBTYPES = 50;

/** Converts a base schema with a discriminator and unlisted subtypes (`allOf`) to a union of them. Undefined for every other schema. */
export function withSubtypes(schema: Located, { references }: ConverterParts): Located | undefined {
  const found = references.follow(schema);
  if ('problem' in found || !isNode(found.value)) return undefined;
  const { value, base } = found;
  if (Object.hasOwn(value, 'oneOf') || Object.hasOwn(value, 'anyOf')) return undefined;
  const discriminator = readDiscriminator(value['discriminator']);
  if (discriminator === undefined) return undefined;
  const subtypes = findSubtypes({ value, base }, discriminator.mapping, references);
  if (subtypes.size === 0 || subtypes.size > MAX_SUBTYPES) return undefined;
  const { discriminator: _own, ...plain } = value;
  // The base itself stays possible, without a value of its own.
  const itself =
    refOf(schema.value) === undefined ? plain : { allOf: [alone({ ...objectOf(schema.value) })] };
  const choices = [...subtypes.values()].map(({ id }) => alone({ $ref: id }));
  const mapping = toIds(discriminator.mapping, base, references);
  const { propertyName } = discriminator;
  return {
    value: { anyOf: [...choices, itself], discriminator: { propertyName, mapping } },
    base: schema.base,
  };
}

/** References to a schema alone, without its subtypes. */
const alones = new WeakSet<object>();

function alone(reference: JsonObject): JsonObject {
  alones.add(reference);
  return reference;
}

/** Whether a reference in a union means the schema alone: its subtypes are alternatives beside it. */
export function isAlone(reference: object): boolean {
  return alones.has(reference);
}

/** References in a mapping are relative to the file of the base, which may be another one. */
function toIds(mapping: JsonObject, base: string, references: References): JsonObject {
  const found = Object.entries(mapping).flatMap(([value, to]): [string, string][] => {
    const target = typeof to === 'string' ? resolveMapped(to, base, references) : undefined;
    return target === undefined ? [] : [[value, target.id]];
  });
  return Object.fromEntries(found);
}

interface Discriminator {
  readonly propertyName: string;
  readonly mapping: JsonObject;
}

/** Before 3.0, it is the name of the property. */
function readDiscriminator(given: unknown): Discriminator | undefined {
  const name = typeof given === 'string' ? given : memberOf(objectOf(given), 'propertyName');
  if (typeof name !== 'string' || name === '') return undefined;
  return { propertyName: name, mapping: objectOf(memberOf(objectOf(given), 'mapping')) };
}

/** Subtypes that the mapping names, and those built on them or on the base. */
function findSubtypes(
  base: Located<object>,
  mapping: JsonObject,
  references: References,
): ReadonlyMap<unknown, Target> {
  const found = new Map<unknown, Target>();
  const add = (target: Target | undefined): void => {
    if (
      target !== undefined &&
      isNode(target.value) &&
      target.value !== base.value &&
      !found.has(target.value)
    )
      found.set(target.value, target);
  };
  for (const to of Object.values(mapping))
    if (typeof to === 'string') add(resolveMapped(to, base.base, references));
  const built = builtOn(references);
  for (const target of built.get(base.value) ?? []) add(target);
  // The map grows during the iteration.
  for (const value of found.keys()) for (const target of built.get(value as object) ?? []) add(target);
  return found;
}

type BuiltOn = ReadonlyMap<object, readonly Target[]>;
const known = new WeakMap<References, BuiltOn>();

/** Named schemas by the schema they have as a part. Computed once per document. */
function builtOn(references: References): BuiltOn {
  const before = known.get(references);
  if (before !== undefined) return before;
  const found = new Map<object, Target[]>();
  for (const schema of references.namedSchemas()) {
    if (!isNode(schema.value)) continue;
    for (const part of listedChildren(schema.value, 'allOf')) {
      const ref = refOf(part);
      const target = ref === undefined ? undefined : references.resolve(ref, schema.base);
      if (target === undefined || 'problem' in target || !isNode(target.value)) continue;
      const others = found.get(target.value);
      if (others === undefined) found.set(target.value, [schema]);
      else others.push(schema);
    }
  }
  known.set(references, found);
  return found;
}
