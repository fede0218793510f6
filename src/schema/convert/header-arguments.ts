import { SchemaError } from '../../errors/errors.ts';
import { isNode, subschemas } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';

/** Annotation of an argument that is also sent as an HTTP header. */
export const HEADER_KEYWORD = 'x-mcp-header';

/** Prefix of these header names. */
export const ARGUMENT_HEADER = 'mcp-param-';

/** An argument that is also sent as an HTTP header, so that proxies can route by it. */
export interface HeaderArgument {
  /** Header name in lower case, such as `mcp-param-region`. */
  readonly header: string;
  readonly path: readonly string[];
  readonly type: string;
}

const NONE: readonly HeaderArgument[] = [];

/** Cache by schema; schemas are frozen. */
const known = new WeakMap<object, readonly HeaderArgument[]>();

/** The arguments of an input schema that are also sent as headers. */
export function headerArgumentsOf(schema: SchemaNode): readonly HeaderArgument[] {
  const found = known.get(schema) ?? collect(schema, []);
  known.set(schema, found);
  return found;
}

function collect(schema: SchemaNode, path: readonly string[]): readonly HeaderArgument[] {
  const { properties } = schema;
  if (!isNode(properties) || path.length > MAX_DEPTH) return NONE;
  const found: HeaderArgument[] = [];
  for (const [name, property] of Object.entries(properties)) {
    if (!isNode(property)) continue;
    const header = property[HEADER_KEYWORD];
    const here = [...path, name];
    if (typeof header === 'string') {
      found.push({ header: toHeaderName(header), path: here, type: String(property['type']) });
    }
    found.push(...collect(property, here));
  }
  return found.length === 0 ? NONE : found;
}

/** Removes the annotations of headers that are not wanted. */
export function withoutHeaders(schema: SchemaNode, isWanted: (header: string) => boolean): SchemaNode {
  if (headerArgumentsOf(schema).every(({ header }) => isWanted(header))) return schema;
  const { properties } = schema;
  const kept = Object.entries(isNode(properties) ? properties : {}).map(([name, property]) => {
    if (!isNode(property)) return [name, property] as const;
    const { [HEADER_KEYWORD]: header, ...bare } = property;
    const isKept = typeof header === 'string' && isWanted(toHeaderName(header));
    return [name, withoutHeaders(isKept ? property : bare, isWanted)] as const;
  });
  return { ...schema, properties: Object.fromEntries(kept) };
}

/** Removes annotations that several arguments share: clients could not follow them. */
export function withoutSharedHeaders(schema: SchemaNode): SchemaNode {
  const all = headerArgumentsOf(schema).map(({ header }) => header);
  const isShared = (header: string): boolean => all.indexOf(header) !== all.lastIndexOf(header);
  return all.some(isShared) ? withoutHeaders(schema, (header) => !isShared(header)) : schema;
}

/** The header that all schemas of one argument name; undefined if they disagree or the name is invalid. */
export function agreedHeader(schemas: readonly SchemaNode[]): string | undefined {
  const named = schemas.map((schema) => schema[HEADER_KEYWORD]).filter((name) => typeof name === 'string');
  const [first] = named;
  const type = schemas[0]?.['type'];
  const isOne =
    named.every((name) => name.toLowerCase() === first?.toLowerCase()) &&
    schemas.every((schema) => schema['type'] === type) &&
    TYPES.includes(String(type));
  return isOne ? first : undefined;
}

function toHeaderName(name: string): string {
  return `${ARGUMENT_HEADER}${name.toLowerCase()}`;
}

/** Maximum depth of an argument with a header. */
const MAX_DEPTH = 16;

const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const TYPES = ['string', 'integer', 'boolean'];

/** Rejects annotations that clients could not follow. `json` contains at least the serialized schema. */
export function assertHeaderArguments(schema: SchemaNode, owner: string, json: string): void {
  // Fast path: almost no schema has an annotation.
  if (!json.includes(HEADER_KEYWORD)) return;
  const misplaced = findMisplaced(schema, '', true);
  if (misplaced !== undefined)
    throw new SchemaError(
      `${owner}: ${HEADER_KEYWORD} at "${misplaced}" is not allowed: set it only on arguments that are reached through "properties".`,
    );
  const seen = new Set<string>();
  for (const { header, path, type } of headerArgumentsOf(schema)) {
    const name = header.slice(ARGUMENT_HEADER.length);
    const where = `${owner}: ${HEADER_KEYWORD} of "${path.join('.')}"`;
    if (!TOKEN.test(name)) throw new SchemaError(`${where} must be a valid HTTP header name.`);
    if (seen.has(name)) throw new SchemaError(`${where} is used twice; header names are case-insensitive.`);
    if (!TYPES.includes(type))
      throw new SchemaError(`${where} is only allowed on arguments of these types: ${TYPES.join(', ')}.`);
    seen.add(name);
  }
}

/** Path of an annotation that is not reachable from the root through `properties` alone. */
function findMisplaced(schema: SchemaNode, path: string, isReachable: boolean): string | undefined {
  if (!isReachable && HEADER_KEYWORD in schema) return path;
  for (const { path: step, schema: part } of subschemas(schema)) {
    if (!isNode(part)) continue;
    const found = findMisplaced(part, `${path}/${step}`, isReachable && step.startsWith('properties/'));
    if (found !== undefined) return found;
  }
  return undefined;
}
