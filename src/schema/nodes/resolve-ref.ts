import { isNode, subschemas } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';

/** Finds what a local `$ref` points to: `#`, `#/$defs/name` or `#anchor`. */
export type RefResolver = (ref: string) => unknown;

/** A resolver for one document. Anchors are collected once. */
export function createRefResolver(root: SchemaNode): RefResolver {
  let anchors: Map<string, SchemaNode> | undefined;
  return (ref) => {
    if (ref === '#') return root;
    if (ref.startsWith('#/')) return followPointer(root, ref.slice(2));
    if (!ref.startsWith('#')) return undefined;
    anchors ??= collectAnchors(root);
    return anchors.get(ref.slice(1));
  };
}

function followPointer(root: SchemaNode, pointer: string): unknown {
  let current: unknown = root;
  for (const part of pointer.split('/')) {
    const key = decodePart(part);
    if (Array.isArray(current)) {
      // `Number('')` is 0: only a plain index names an element.
      if (!/^(?:0|[1-9]\d*)$/.test(key)) return undefined;
      current = (current as readonly unknown[])[Number(key)];
    } else if (isNode(current) && Object.hasOwn(current, key)) current = current[key];
    else return undefined;
  }
  return current;
}

function decodePart(part: string): string {
  let decoded = part;
  try {
    decoded = decodeURIComponent(part);
  } catch {
    // Not percent-encoded after all: take it as it is written.
  }
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}

function collectAnchors(root: SchemaNode): Map<string, SchemaNode> {
  const anchors = new Map<string, SchemaNode>();
  const visit = (schema: unknown): void => {
    if (!isNode(schema)) return;
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = schema[keyword];
      if (typeof name === 'string' && !anchors.has(name)) anchors.set(name, schema);
    }
    for (const child of subschemas(schema)) visit(child.schema);
  };
  visit(root);
  return anchors;
}
