import { allNodes, isNode, SAME_VALUE, subschemas } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';

/** Resolves a local `$ref`: `#`, `#/$defs/name` or `#anchor`. */
export type RefResolver = (ref: string) => unknown;

/** Creates a resolver for one document. Anchors are collected once. */
export function createRefResolver(root: SchemaNode): RefResolver {
  let anchors: Map<string, SchemaNode> | undefined;
  const find: RefResolver = (ref) => {
    if (ref === '#') return root;
    if (ref.startsWith('#/')) return followPointer(root, ref.slice(2));
    if (!ref.startsWith('#')) return undefined;
    anchors ??= collectAnchors(root);
    return anchors.get(ref.slice(1));
  };
  // Cache: the same few references are followed repeatedly.
  const found = new Map<string, unknown>();
  return (ref) => {
    const known = found.get(ref);
    if (known !== undefined) return known;
    const target = find(ref);
    if (target !== undefined) found.set(ref, target);
    return target;
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

/** Decodes a part of a JSON pointer in a reference to a key. */
export function decodePart(part: string): string {
  let decoded = part;
  try {
    decoded = decodeURIComponent(part);
  } catch {
    // Not percent-encoded: use it unchanged.
  }
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}

function collectAnchors(root: SchemaNode): Map<string, SchemaNode> {
  const anchors = new Map<string, SchemaNode>();
  for (const node of allNodes(root)) {
    for (const name of [node['$anchor'], node['$dynamicAnchor']])
      if (typeof name === 'string' && !anchors.has(name)) anchors.set(name, node);
  }
  return anchors;
}

/** Keywords that refer to another schema of the same value. Within one document, a dynamic reference is a plain one. */
const REFERENCES = ['$ref', '$dynamicRef'] as const;

/** Targets of the references of a node. */
export function targetsOf(node: SchemaNode, resolve: RefResolver): readonly unknown[] {
  let targets: unknown[] | undefined;
  for (const keyword of REFERENCES) {
    const ref = node[keyword];
    if (typeof ref === 'string') (targets ??= []).push(resolve(ref));
  }
  return targets ?? NO_TARGETS;
}

const NO_TARGETS: readonly unknown[] = [];

/** A schema that describes the same value as the schema that contains it or refers to it. */
export interface Part {
  readonly keyword: string;
  readonly path: string;
  readonly node: SchemaNode;
}

/** The parts of a node that describe the same value, whether they apply always or to some values. */
export function* partsOf(node: SchemaNode, resolve: RefResolver): Generator<Part> {
  for (const target of targetsOf(node, resolve))
    if (isNode(target)) yield { keyword: '$ref', path: '$ref', node: target };
  for (const { keyword, path, schema } of subschemas(node, SAME_VALUE))
    if (isNode(schema)) yield { keyword, path, node: schema };
}
