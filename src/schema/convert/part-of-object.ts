import { editValue } from './edit-value.ts';
import { isNode, namedChildren, SAME_VALUE } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { createPatternTest } from '../expressions/pattern.ts';
import { saysRest } from '../view/root-keys.ts';

/** Keys that a part of an object describes. */
export interface PartKeys {
  readonly names: readonly string[];
  readonly patterns: readonly string[];
}

/** Makes the root of a document ignore these keys, whatever its rules for unnamed keys are. */
export function tolerating(document: SchemaNode, foreign: PartKeys): SchemaNode {
  return editRest(document, (node) => {
    const { properties, patternProperties, propertyNames } = node as Record<string, unknown>;
    return {
      ...node,
      properties: { ...anything(foreign.names), ...(isNode(properties) ? properties : {}) },
      ...(foreign.patterns.length === 0
        ? {}
        : {
            patternProperties: {
              ...anything(foreign.patterns),
              ...(isNode(patternProperties) ? patternProperties : {}),
            },
          }),
      ...(propertyNames === undefined
        ? {}
        : { propertyNames: { anyOf: [propertyNames, ...nameSchemas(foreign)] } }),
    };
  });
}

/**
 * Restricts the root of a document to rules about its own keys, which have these names. A closed alternative stays closed to the keys of
 * its siblings.
 */
export function withoutRest(document: SchemaNode, names: readonly string[]): SchemaNode {
  const matches = createPatternTest();
  return editRest(document, (node) => {
    const {
      additionalProperties,
      unevaluatedProperties: _unevaluated,
      propertyNames: _names,
      ...rest
    } = node as Record<string, unknown>;
    if (additionalProperties === undefined) return rest;
    const patterns = namedChildren(rest, 'patternProperties').map(([pattern]) => pattern);
    const siblings = names.filter((name) => !patterns.some((pattern) => matches(pattern, name)));
    const { properties } = rest as { properties?: unknown };
    return {
      ...rest,
      properties: {
        ...Object.fromEntries(siblings.map((name) => [name, additionalProperties])),
        ...(isNode(properties) ? properties : {}),
      },
    };
  });
}

function anything(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, {}]));
}

function nameSchemas({ names, patterns }: PartKeys): SchemaNode[] {
  return [
    ...(names.length === 0 ? [] : [{ enum: names }]),
    ...patterns.map((pattern) => ({ type: 'string', pattern })),
  ];
}

/** Edits every node that describes the object itself and has rules for unnamed keys. */
function editRest(document: SchemaNode, edit: (node: SchemaNode) => SchemaNode): SchemaNode {
  return editValue(document, { keywords: SAME_VALUE, concerns: saysRest, edit });
}
