import { DefinitionPool } from '../nodes/definition-pool.ts';
import { namedChildren } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { tolerating, withoutRest } from './part-of-object.ts';
import { rootKeys } from '../view/root-keys.ts';
import { lastSpeaker } from './share-keys.ts';

/** Keywords at the root of a plain object document. Such documents can be merged. */
const PLAIN_KEYWORDS: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$comment',
  '$defs',
  'definitions',
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
]);

/** Whether a document only lists the properties of an object. */
export function isPlainObject(document: SchemaNode): boolean {
  return document['type'] === 'object' && Object.keys(document).every((key) => PLAIN_KEYWORDS.has(key));
}

/** Joins the documents of the parts of one object. The last part with a rule for unnamed keys decides about them, as in `shareKeys`. */
export function joinDocuments(documents: readonly SchemaNode[]): SchemaNode {
  const pool = new DefinitionPool();
  const joined = documents.every(isPlainObject) ? layFlat(documents, pool) : layBeside(documents, pool);
  const definitions = pool.definitions();
  return definitions === undefined ? joined : { ...joined, $defs: definitions };
}

function layFlat(documents: readonly SchemaNode[], pool: DefinitionPool): SchemaNode {
  const parts = documents.map((document) => pool.embed(document));
  const { properties: _properties, required: _required, ...rest } = Object.assign({}, ...parts) as SchemaNode;
  const properties = parts.flatMap((part) => namedChildren(part, 'properties'));
  const required = [
    ...new Set(parts.flatMap((part) => (part['required'] as readonly string[] | undefined) ?? [])),
  ];
  const { additionalProperties, ...words } = rest as Record<string, unknown>;
  return {
    type: 'object',
    ...words,
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
  };
}

function layBeside(documents: readonly SchemaNode[], pool: DefinitionPool): SchemaNode {
  const keys = documents.map(rootKeys);
  const speaker = lastSpeaker(keys);
  const parts = documents.map((document, index) => {
    const others = keys.filter((_, other) => other !== index);
    const names = [...new Set(others.flatMap((each) => each.names))];
    const patterns = [...new Set(others.flatMap((each) => each.patterns))];
    const part =
      index === speaker
        ? tolerating(document, { names, patterns })
        : withoutRest(document, keys[index]?.names ?? []);
    return pool.embed(document, part);
  });
  return { type: 'object', allOf: parts };
}
