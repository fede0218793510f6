import { isNode, listedChildren, namedChildren } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';
import { SchemaView } from './schema-view.ts';

/**
 * The schema with `additionalProperties: false` wherever it lists properties and leaves other keys open by silence, at
 * every depth. This is what `unknownArguments: 'reject'` advertises.
 *
 * Parts that share one value (`allOf` members, definitions, alternatives beside own properties) cannot be closed one by
 * one: each would refuse the others' keys. There `unevaluatedProperties: false` stands once, where the parts meet.
 */
export function closeObjects(root: SchemaNode): SchemaNode {
  const view = new SchemaView(root);

  const close = (schema: unknown, isPart: boolean): unknown => {
    if (!isNode(schema)) return schema;
    const meets = isMeetingPoint(schema);
    const closed: Record<string, unknown> = { ...schema };
    closeMany(closed, ['properties', 'patternProperties'], (child) => close(child, false));
    closeMany(closed, ['$defs', 'definitions', 'dependentSchemas'], (child) => close(child, true));
    for (const keyword of ['items', 'contains', 'additionalProperties', 'unevaluatedItems']) {
      if (isNode(closed[keyword])) closed[keyword] = close(closed[keyword], false);
    }
    for (const keyword of ['then', 'else']) {
      if (isNode(closed[keyword])) closed[keyword] = close(closed[keyword], true);
    }
    closeList(closed, 'prefixItems', (child) => close(child, false));
    closeList(closed, 'allOf', (child) => close(child, true));
    for (const keyword of ['anyOf', 'oneOf'])
      closeList(closed, keyword, (child) => close(child, isPart || meets));
    if (!isPart && isUnsaid(schema, view)) {
      closed[meets ? 'unevaluatedProperties' : 'additionalProperties'] = false;
    }
    return closed;
  };

  return close(root, false) as SchemaNode;
}

/** Whether several parts describe one object here. */
function isMeetingPoint(node: SchemaNode): boolean {
  const hasOwnKeys = isNode(node['properties']) || isNode(node['patternProperties']);
  const hasParts = ['$ref', '$dynamicRef', 'allOf', 'then', 'else', 'dependentSchemas'].some(
    (key) => key in node,
  );
  const hasAlternatives = 'anyOf' in node || 'oneOf' in node;
  return hasParts || (hasOwnKeys && hasAlternatives);
}

/** Whether the parts that always apply list keys and say nothing about others. */
function isUnsaid(node: SchemaNode, view: SchemaView): boolean {
  const parts = view.facetsOf(node).nodes;
  const listsKeys = parts.some((part) => isNode(part['properties']));
  const saysOthers = parts.some((part) => 'additionalProperties' in part || 'unevaluatedProperties' in part);
  return listsKeys && !saysOthers;
}

function closeMany(
  target: Record<string, unknown>,
  keywords: readonly string[],
  close: (child: unknown) => unknown,
): void {
  for (const keyword of keywords) {
    if (!isNode(target[keyword])) continue;
    target[keyword] = Object.fromEntries(
      namedChildren(target, keyword).map(([name, child]) => [name, close(child)]),
    );
  }
}

function closeList(
  target: Record<string, unknown>,
  keyword: string,
  close: (child: unknown) => unknown,
): void {
  if (Array.isArray(target[keyword])) target[keyword] = listedChildren(target, keyword).map(close);
}
