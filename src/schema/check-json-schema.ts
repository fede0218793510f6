import { SchemaError } from '../errors/errors.ts';
import { isNode, listedChildren, namedChildren, subschemas } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';
import { compilePattern } from './pattern.ts';
import { createRefResolver } from './resolve-ref.ts';
import type { RefResolver } from './resolve-ref.ts';

/** The dialect of every schema we advertise. */
export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** A schema nested deeper than this is refused: clients and validators walk it recursively. */
export const MAX_SCHEMA_DEPTH = 128;
/** A schema with more subschemas than this is refused. */
export const MAX_SUBSCHEMAS = 50_000;

/** Refuses a document that cannot be served: other dialects, references that leave it or lead nowhere, broken patterns. */
export function assertServable(root: SchemaNode, owner: string): void {
  const { $schema } = root as { $schema?: unknown };
  if ($schema !== undefined && !isSupportedDialect($schema)) {
    throw new SchemaError(
      `${owner} declares the dialect ${JSON.stringify($schema)}; only JSON Schema 2020-12 (${DIALECT}) is served. Convert the schema, or leave "$schema" out.`,
    );
  }
  const check: Check = { owner, resolve: createRefResolver(root), count: 0 };
  visit(root, '#', 0, check);
  assertNoLoop(root, check);
}

function isSupportedDialect(dialect: unknown): boolean {
  return typeof dialect === 'string' && dialect.replace(/#$/, '') === DIALECT;
}

interface Check {
  readonly owner: string;
  readonly resolve: RefResolver;
  count: number;
}

// oxlint-disable-next-line max-params -- a recursion step: node, place, depth and what all steps share.
function visit(node: SchemaNode, path: string, depth: number, check: Check): void {
  check.count += 1;
  if (depth > MAX_SCHEMA_DEPTH) {
    throw new SchemaError(
      `${check.owner} is nested deeper than ${MAX_SCHEMA_DEPTH} levels at ${path.slice(0, 200)}….`,
    );
  }
  if (check.count > MAX_SUBSCHEMAS) {
    throw new SchemaError(`${check.owner} has more than ${MAX_SUBSCHEMAS} subschemas.`);
  }
  checkRef(node, path, check);
  checkPatterns(node, path, check);
  for (const child of subschemas(node)) {
    if (isNode(child.schema)) visit(child.schema, `${path}/${child.path}`, depth + 1, check);
    else if (typeof child.schema !== 'boolean') {
      throw new SchemaError(
        `${check.owner}: ${path}/${child.path} must be a schema (an object or a boolean).`,
      );
    }
  }
}

function checkRef(node: SchemaNode, path: string, check: Check): void {
  for (const keyword of ['$ref', '$dynamicRef']) {
    if (!Object.hasOwn(node, keyword)) continue;
    const ref = node[keyword];
    if (typeof ref !== 'string')
      throw new SchemaError(`${check.owner}: ${keyword} at ${path} must be a string.`);
    if (!ref.startsWith('#')) {
      throw new SchemaError(
        `${check.owner}: ${keyword} ${JSON.stringify(ref)} at ${path} points outside the document. References are never fetched; copy the target under "$defs" and point to "#/$defs/…".`,
      );
    }
    if (check.resolve(ref) === undefined) {
      throw new SchemaError(`${check.owner}: ${keyword} ${JSON.stringify(ref)} at ${path} leads nowhere.`);
    }
  }
}

function checkPatterns(node: SchemaNode, path: string, check: Check): void {
  const patterns = namedChildren(node, 'patternProperties').map(([pattern]) => pattern);
  if (typeof node['pattern'] === 'string') patterns.push(node['pattern']);
  for (const pattern of patterns) {
    try {
      compilePattern(pattern);
    } catch (cause) {
      throw new SchemaError(
        `${check.owner}: the pattern ${JSON.stringify(pattern)} at ${path} is no regular expression.`,
        {
          cause,
        },
      );
    }
  }
}

/** A schema that leads back to itself without stepping into the value (A = anyOf[B], B = A) can never be decided. */
function assertNoLoop(root: SchemaNode, check: Check): void {
  const state = new Map<SchemaNode, 'open' | 'done'>();
  const enter = (schema: unknown): void => {
    if (!isNode(schema) || state.get(schema) === 'done') return;
    if (state.get(schema) === 'open') {
      throw new SchemaError(
        `${check.owner} refers to itself without describing any member, so no value can be checked.`,
      );
    }
    state.set(schema, 'open');
    for (const part of partsOfSameValue(schema, check.resolve)) enter(part);
    state.set(schema, 'done');
    for (const child of subschemas(schema)) enter(child.schema);
  };
  enter(root);
}

function* partsOfSameValue(node: SchemaNode, resolve: RefResolver): Generator {
  for (const keyword of ['$ref', '$dynamicRef']) {
    const ref = node[keyword];
    if (typeof ref === 'string') yield resolve(ref);
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) yield* listedChildren(node, keyword);
  for (const keyword of ['if', 'then', 'else', 'not']) yield node[keyword];
  for (const [, child] of namedChildren(node, 'dependentSchemas')) yield child;
}
