import { SchemaError } from '../../errors/errors.ts';
import { isNode, namedChildren, subschemas } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { compilePattern } from '../expressions/pattern.ts';
import { createRefResolver, partsOf } from '../nodes/resolve-ref.ts';
import type { RefResolver } from '../nodes/resolve-ref.ts';

/** The dialect of every schema we advertise. */
export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** A schema nested deeper than this is refused: clients and validators walk it recursively. */
export const MAX_SCHEMA_DEPTH = 128;
/** A schema with more subschemas than this is refused. */
export const MAX_SUBSCHEMAS = 50_000;
/** A schema that describes one value by more parts than this, references written out, is refused. */
export const MAX_PARTS = 10_000;
/** References of one value that lead from one to the next. */
const MAX_CHAIN = 1000;

/**
 * Refuses a document that cannot be served: other dialects, references that leave it or lead nowhere, broken patterns. Returns the nodes
 * that have patterns.
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
  // The list grows while it is walked. A target has a depth of its own: nobody who walks a document follows its references on the way.
  for (const { target, path } of check.targets) visit(target, `${path}/$ref`, 0, check);
  // Without references a document is a tree, and no value has more parts than there are subschemas.
  if (check.hasReferences || check.seen.size > MAX_PARTS) assertDecidable(check);
  return check.patterned;
}

/** A dialect or an address of its own changes what the references of a subschema mean. */
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
  /** What was referred to: it may stand anywhere, also under a keyword that holds no schemas. */
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
      throw new SchemaError(`${check.owner}: ${keyword} ${JSON.stringify(ref)} at ${path} leads nowhere.`);
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
 * A schema that leads back to itself without stepping into the value (A = anyOf[B], B = A) can never be decided, and one whose
 * definitions double at every step (A = anyOf[B, B], B = anyOf[C, C], …) not within a lifetime.
 */
function assertDecidable({ owner, resolve, seen }: Check): void {
  /** How many parts describe one value, all references written out. */
  const sizes = new Map<SchemaNode, number>();
  const open = new Set<SchemaNode>();
  const sizeOf = (schema: SchemaNode): number => {
    if (open.size > MAX_CHAIN) {
      throw new SchemaError(
        `${owner} has a chain of more than ${MAX_CHAIN} references.`,
      );
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
  // Members are other values: each subschema starts a count of its own.
  for (const node of seen) sizeOf(node);
}
