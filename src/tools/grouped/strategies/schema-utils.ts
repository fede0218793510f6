import { childrenOf } from '../../../schema/view/fits.ts';
import { isNode, listedChildren } from '../../../schema/nodes/json-node.ts';
import type { SchemaNode } from '../../../schema/nodes/json-node.ts';
import { fieldNames } from '../../../schema/view/root-keys.ts';
import { sameJson } from '../../../base/json/same-json.ts';
import { SchemaView } from '../../../schema/view/schema-view.ts';
import type { InternalAction } from '../action/internal-action.ts';

/** One field of an action. */
export interface ActionField {
  /** Schemas of the value: one, or one for each alternative of a union. */
  readonly variants: readonly SchemaNode[];
  /** Whether every valid call has the field. */
  readonly required: boolean;
}

/** Returns the names of the fields that every valid call of an action has, in the order of its schema. */
export function getRequiredFields(action: InternalAction): string[] {
  return [...getFields(action)].filter(([, field]) => field.required).map(([name]) => name);
}

/**
 * Returns every field at the root of an action's schema, including those in alternatives, conditions and
 * definitions; and those of `others` that it accepts as additional or pattern properties.
 */
export function getFields(
  { inputSchema }: InternalAction,
  others: Iterable<string> = [],
): ReadonlyMap<string, ActionField> {
  const view = new SchemaView(inputSchema);
  const required = requiredNames(view, inputSchema);
  const fields = new Map<string, ActionField>();
  const taken = takesUnnamed(view) ? others : [];
  const isConditional = view
    .nodesOfValue(inputSchema)
    .some((node) => 'if' in node || 'dependentSchemas' in node);
  for (const name of new Set([...fieldNames(inputSchema), ...required, ...taken])) {
    const variants = isConditional
      ? findAlways(view, inputSchema, name)
      : findVariants(view, inputSchema, name);
    if (variants !== undefined || required.has(name))
      fields.set(name, { variants: variants ?? [ANYTHING], required: required.has(name) });
  }
  return fields;
}

const ANYTHING: SchemaNode = {};

/** Whether keys that the schema does not list are accepted. */
function takesUnnamed(view: SchemaView): boolean {
  const nodes = view.nodesOfValue(view.root);
  const isOpen = (rest: unknown): boolean => rest !== undefined && rest !== false;
  return (
    !nodes.some((node) => isNode(node['properties'])) ||
    nodes.some(
      (node) =>
        isOpen(node['additionalProperties']) ||
        isOpen(node['unevaluatedProperties']) ||
        isNode(node['patternProperties']),
    )
  );
}

/** Keys that are always required: by subschemas that always apply, or by every alternative of a choice. */
function requiredNames(view: SchemaView, node: SchemaNode): ReadonlySet<string> {
  const { nodes, choices } = view.facetsOf(node);
  const names = new Set(nodes.flatMap((part) => listedChildren(part, 'required').map(String)));
  for (const choice of choices) {
    const [first, ...others] = choice.map((alternative) => requiredNames(view, alternative));
    for (const name of first ?? []) if (others.every((other) => other.has(name))) names.add(name);
  }
  return names;
}

/**
 * Schemas that a field may satisfy; undefined if the field is not accepted here. An alternative that lists keys
 * without this one is ignored: the server drops the key there.
 */
function findVariants(view: SchemaView, node: SchemaNode, name: string): readonly SchemaNode[] | undefined {
  const { nodes, choices } = view.facetsOf(node);
  if (nodes.some((part) => part['additionalProperties'] === false && !names(view, part, name)))
    return undefined;
  const own = nodes.flatMap((part) => childrenOf(part, name, view.matches));
  if (own.includes(false)) return undefined;
  const fromChoices = choices.map((choice) =>
    choice.map((alternative) => findVariants(view, alternative, name)),
  );
  const speakers =
    own.length +
    (own.length === 0 && welcomesOthers(nodes) ? 1 : 0) +
    fromChoices.filter((each) => each.some((found) => found !== undefined)).length;
  const united = fromChoices.map((each) =>
    // If another subschema accepts the key as well, an alternative that does not list it does not drop it.
    speakers > 1 && each.includes(undefined) && each.some((found) => found !== undefined)
      ? [ANYTHING]
      : unite(each),
  );
  const said = [...own.map((child) => [isNode(child) ? child : ANYTHING]), ...united].filter(
    (variants) => variants !== undefined,
  );
  if (said.length > 0) return intersect(said);
  return takesAnything(nodes) ? [ANYTHING] : undefined;
}

function names(view: SchemaView, part: SchemaNode, name: string): boolean {
  const { additionalProperties: _rest, ...named } = part as Record<string, unknown>;
  return childrenOf(named, name, view.matches).length > 0;
}

/**
 * With conditions (`if`, `dependentSchemas`), only the schemas that always apply are certain: which branch applies,
 * and whether it accepts the key, depends on other arguments.
 */
function findAlways(view: SchemaView, node: SchemaNode, name: string): readonly SchemaNode[] {
  const own = view
    .facetsOf(node)
    .nodes.flatMap((part) => childrenOf(part, name, view.matches))
    .filter(isNode);
  return own.length === 0 ? [ANYTHING] : intersect(own.map((child) => [child]));
}

/** Whether undescribed keys are accepted: no keys are listed, or additional properties are allowed. */
function takesAnything(nodes: readonly SchemaNode[]): boolean {
  return welcomesOthers(nodes) || !nodes.some((part) => isNode(part['properties']));
}

function welcomesOthers(nodes: readonly SchemaNode[]): boolean {
  return nodes.some(
    ({ additionalProperties: more, unevaluatedProperties: rest }) =>
      more === true || isNode(more) || rest === true || isNode(rest),
  );
}

/** Union of the variants; undefined if none accepts the field. */
function unite(variants: readonly (readonly SchemaNode[] | undefined)[]): readonly SchemaNode[] | undefined {
  const all = variants.flatMap((list) => list ?? []);
  if (all.length === 0) return undefined;
  return all.some((schema) => sameJson(schema, ANYTHING)) ? [ANYTHING] : distinct(all);
}

/** Intersection of the variants. */
function intersect(said: readonly (readonly SchemaNode[])[]): readonly SchemaNode[] {
  const [first, ...others] = said.filter(
    (variants) => !variants.some((schema) => sameJson(schema, ANYTHING)),
  );
  if (first === undefined) return [ANYTHING];
  const different = others.filter((other) => !sameJson(other, first));
  if (different.length === 0) return first;
  const parts = [first, ...different].map((list) => (list.length === 1 ? list[0] : { anyOf: list }));
  return [{ allOf: distinct(parts as readonly SchemaNode[]) }];
}

function distinct(schemas: readonly SchemaNode[]): SchemaNode[] {
  return schemas.filter((schema, index) => schemas.findIndex((other) => sameJson(other, schema)) === index);
}
