import { sameJson } from '../../../base/json/same-json.ts';
import type { SchemaNode } from '../../../schema/nodes/json-node.ts';
import type { Conversion } from './conversion.ts';

/** Removes a default that is not one of the allowed values: a call with it would be rejected. */
export function withoutStrayDefault(node: SchemaNode, at: Conversion): SchemaNode {
  const { default: value, enum: values } = node;
  if (value === undefined || !Array.isArray(values) || values.some((each) => sameJson(each, value)))
    return node;
  const { default: _default, ...rest } = node;
  // A null default means that there is none.
  if (value !== null)
    at.problem(`the default ${showDefault(value)} is not one of the allowed values; it is left out`);
  return rest;
}

/** A default in a note. */
export function showDefault(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\u2026` : text;
}

const MAX_SHOWN = 60;
