import { SchemaError } from '../../errors/errors.ts';
import { isNode, namedChildren, subschemas } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { compilePattern } from '../expressions/pattern.ts';
import { createRefResolver, partsOf } from '../nodes/resolve-ref.ts';
import type { RefResolver } from '../nodes/resolve-ref.ts';

/** Dialect of every advertised schema. */
export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Maximum depth of a schema: clients and validators walk it recursively. */
export const MAX_SCHEMA_DEPTH = 128;
/** Maximum number of subschemas. */
export const MAX_SUBSCHEMAS = 50_000;
/** Maximum number of parts that describe one value, references inlined. */
export const MAX_PARTS = 10_000;
/** Maximum length of a chain of references of one value. */
const MAX_CHAIN = 1000;

/**
 * Rejects a document that cannot be served: other dialects, external or unresolved references, invalid patterns. Returns the nodes that
 * have patterns.
 */
export function assertServable(root: SchemaNode, owner: string): readonly SchemaNode[] {
  const check: Check = {
    owner,
    resolve: createRefResolver(root),
    seen: new Set(),
    targets: [],
    patterned: [],
    hasReferences: false,
  };
  visit(root, '#', 0, check);
  // The array grows during the iteration. A target starts at depth 0: recursive code does not follow references on the way.
  for (const { target, path } of check.targets) visit(target, `${path}/$ref`, 0, check);
  // Without references a document is a tree, and no value has more parts than there are subschemas.
  if (check.hasReferences || check.seen.size > MAX_PARTS) assertDecidable(check);
  return check.patterned;
}

/** A dialect or an `$id` of its own changes the meaning of references in a subschema. */
function checkIdentity(node: SchemaNode, path: string, { owner, seen }: Check): void {
  const { $schema, $id } = node as { $schema?: unknown; $id?: unknown };
  if ($schema !== undefined && !isSupportedDialect($schema)) {
    throw new SchemaError(
      `${owner} declares the dialect ${JSON.stringify($schema)}; only JSON Schema 2020-12 (${DIALECT}) is supported. Convert the schema, or remove "$schema".`,
    );
  }
  if ($id !== undefined && seen.size > 1) {
    throw new SchemaError(
      `${owner}: "$id" at ${path} is not allowed below the root. Remove it, and refer to "#/$defs/…" instead.`,
    );
  }
}

function isSupportedDialect(dialect: unknown): boolean {
  return typeof dialect === 'string' && dialect.replace(/#$/, '') === DIALECT;
}

interface Check {
  readonly owner: string;
  readonly resolve: RefResolver;
  readonly seen: Set<SchemaNode>;
  /** Targets of references: they may be under any keyword, including those that hold no schemas. */
  readonly targets: { readonly target: SchemaNode; readonly path: string }[];
  readonly patterned: SchemaNode[];
  hasReferences: boolean;
}

// oxlint-disable-next-line max-params -- a recursion step: node, place, depth and what all steps share.
function visit(node: SchemaNode, path: string, depth: number, check: Check): void {
  if (check.seen.has(node)) return;
  check.seen.add(node);
  if (depth > MAX_SCHEMA_DEPTH) {
    throw new SchemaError(
      `${check.owner} is nested deeper than ${MAX_SCHEMA_DEPTH} levels at ${path.slice(0, 200)}….`,
    );
  }
  if (check.seen.size > MAX_SUBSCHEMAS) {
    throw new SchemaError(`${check.owner} has more than ${MAX_SUBSCHEMAS} subschemas.`);
  }
  checkIdentity(node, path, check);
  checkPatterns(node, path, check);
  for (const target of refTargets(node, path, check)) {
    if (isNode(target) && !check.seen.has(target)) check.targets.push({ target, path });
  }
  for (const child of subschemas(node)) {
    if (isNode(child.schema)) visit(child.schema, `${path}/${child.path}`, depth + 1, check);
    else if (typeof child.schema !== 'boolean') {
      throw new SchemaError(
        `${check.owner}: ${path}/${child.path} must be a schema (an object or a boolean).`,
      );
    }
  }
}

function refTargets(node: SchemaNode, path: string, check: Check): unknown[] {
  const targets: unknown[] = [];
  for (const keyword of ['$ref', '$dynamicRef']) {
    if (!Object.hasOwn(node, keyword)) continue;
    check.hasReferences = true;
    const ref = node[keyword];
    if (typeof ref !== 'string')
      throw new SchemaError(`${check.owner}: ${keyword} at ${path} must be a string.`);
    if (!ref.startsWith('#')) {
      throw new SchemaError(
        `${check.owner}: ${keyword} ${JSON.stringify(ref)} at ${path} points outside the document. References are never fetched; copy the target under "$defs" and refer to "#/$defs/…".`,
      );
    }
    const target = check.resolve(ref);
    if (!isNode(target) && typeof target !== 'boolean') {
      throw new SchemaError(
        `${check.owner}: ${keyword} ${JSON.stringify(ref)} at ${path} cannot be resolved.`,
      );
    }
    targets.push(target);
  }
  return targets;
}

function checkPatterns(node: SchemaNode, path: string, check: Check): void {
  if (node['pattern'] === undefined && node['patternProperties'] === undefined) return;
  check.patterned.push(node);
  const patterns = namedChildren(node, 'patternProperties').map(([pattern]) => pattern);
  if (typeof node['pattern'] === 'string') patterns.push(node['pattern']);
  for (const pattern of patterns) {
    try {
      compilePattern(pattern);
    } catch (cause) {
      throw new SchemaError(
        `${check.owner}: the pattern ${JSON.stringify(pattern)} at ${path} is not a valid regular expression.`,
        {
          cause,
        },
      );
    }
  }
}

/**
 * Rejects a schema that refers to itself without describing a member (A = anyOf[B], B = A), which can never be decided, and one whose
 * definitions double at every step (A = anyOf[B, B], B = anyOf[C, C], …), which takes too long.
 */
function assertDecidable({ owner, resolve, seen }: Check): void {
  /** Number of parts that describe one value, with all references inlined. */
  const sizes = new Map<SchemaNode, number>();
  const open = new Set<SchemaNode>();
  const sizeOf = (schema: SchemaNode): number => {
    if (open.size > MAX_CHAIN) {
      throw new SchemaError(`${owner} has a chain of more than ${MAX_CHAIN} references.`);
    }
    const known = sizes.get(schema);
    if (known !== undefined) return known;
    if (open.has(schema)) {
      throw new SchemaError(
        `${owner} refers to itself without describing any member, so no value can be checked.`,
      );
    }
    open.add(schema);
    let size = 1;
    for (const { node } of partsOf(schema, resolve)) size += sizeOf(node);
    open.delete(schema);
    if (size > MAX_PARTS) {
      throw new SchemaError(`${owner} describes one value by more than ${MAX_PARTS} parts and alternatives.`);
    }
    sizes.set(schema, size);
    return size;
  };
  // Members are other values: each subschema starts its own count.
  for (const node of seen) sizeOf(node);
}
