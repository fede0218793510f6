import { isNode } from '../../schema/nodes/json-node.ts';
import type { JsonObject } from '../model/operation.ts';
import { memberOf, objectOf } from './parse/read-values.ts';

/** References and names in a file. */
export interface FoundReferences {
  /** References as written, each once, without those within the file. */
  readonly references: readonly string[];
  /** `$id` and `$self`, as written: references to these need no other file. */
  readonly names: readonly string[];
}

/**
 * Role of the keys of an object: keywords, names that the author chose (such as those of properties), names among
 * which `x-` begins an extension (such as paths), or the kinds of components.
 */
type Role = 'words' | 'names' | 'extensible' | 'components';

/** Keywords with data: a `$ref` in their values is not a reference. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const']);
const EXTENSIBLE = new Set(['paths', 'responses']);
const NAMES = new Set([
  '$defs',
  'additionalOperations',
  'callbacks',
  'content',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'encoding',
  'headers',
  'links',
  'mediaTypes',
  'parameters',
  'pathItems',
  'patternProperties',
  'properties',
  'requestBodies',
  'schemas',
  'scopes',
  'securityDefinitions',
  'securitySchemes',
  'variables',
  'webhooks',
]);

/** Finds the references of a file: a document, a single schema, or a collection of schemas. */
export function findReferences(root: unknown): FoundReferences {
  const search: Search = { references: new Set(), names: new Set(), seen: new Map() };
  visit(root, 'words', search);
  if (isNode(root)) addText(search.names, memberOf(root, '$self'));
  return { references: [...search.references], names: [...search.names] };
}

interface Search {
  readonly references: Set<string>;
  readonly names: Set<string>;
  /** Visited objects by role: YAML aliases are visited once in each. */
  readonly seen: Map<Role, Set<object>>;
}

function visit(value: unknown, role: Role, search: Search): void {
  if (typeof value !== 'object' || value === null) return;
  let seen = search.seen.get(role);
  if (seen === undefined) search.seen.set(role, (seen = new Set()));
  if (seen.has(value)) return;
  seen.add(value);
  if (Array.isArray(value)) {
    for (const entry of value as readonly unknown[]) visit(entry, 'words', search);
    return;
  }
  for (const key of Object.keys(value)) {
    const member = (value as JsonObject)[key];
    if (key === '$ref' && typeof member === 'string') addReference(search, member);
    else if (role === 'words' && key === '$id') addText(search.names, member);
    else if (role === 'words' && key === 'discriminator') addMapping(search, member);
    else {
      const next = roleOf(key, role);
      if (next !== undefined) visit(member, next, search);
    }
  }
}

/** Role of the keys of a member; undefined if it is not searched. */
function roleOf(key: string, role: Role): Role | undefined {
  if (role === 'names') return 'words';
  if (key.startsWith('x-')) return undefined;
  if (role === 'extensible') return 'words';
  if (DATA.has(key)) return undefined;
  if (role === 'components') return 'names';
  if (key === 'components') return 'components';
  if (EXTENSIBLE.has(key)) return 'extensible';
  return NAMES.has(key) ? 'names' : 'words';
}

/** Values are names of schemas or references; a name has no slash and no file extension. */
function addMapping(search: Search, discriminator: unknown): void {
  const mapping: JsonObject = objectOf(memberOf(objectOf(discriminator), 'mapping'));
  for (const value of Object.values(mapping)) {
    if (typeof value === 'string' && /[/#]|\.(?:json|ya?ml)$/i.test(value)) addReference(search, value);
  }
}

function addReference({ references }: Search, ref: string): void {
  if (!ref.startsWith('#') && ref !== '') references.add(ref);
}

function addText(texts: Set<string>, value: unknown): void {
  if (typeof value === 'string' && value !== '') texts.add(value);
}
