import { DefinitionError } from '../../errors/errors.ts';
import { isNode } from '../../schema/nodes/json-node.ts';
import type { JsonObject } from '../model/operation.ts';
import { memberOf, objectOf } from './parse/read-values.ts';

/** The versions that can be read. */
export type DocumentVersion = '2.0' | '3.0' | '3.1' | '3.2';

const SUPPORTED = 'Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 can be read';

/** What a document is, and what there is to say about that. */
export interface DetectedVersion {
  readonly version: DocumentVersion;
  readonly root: JsonObject;
  readonly notes: readonly string[];
}

/** Finds the version of a document. Refuses what is none, and says what it seems to be. */
export function detectVersion(name: string, value: unknown): DetectedVersion {
  if (!isNode(value)) {
    const kind = Array.isArray(value) ? 'a list' : `a ${value === null ? 'null' : typeof value}`;
    throw new DefinitionError(`${name} is ${kind}, not an OpenAPI document, which is an object.`);
  }
  const openapi = versionText(memberOf(value, 'openapi'));
  const swagger = versionText(memberOf(value, 'swagger'));
  const found = openapi ?? swagger;
  if (found === undefined)
    throw new DefinitionError(`${name} is not an OpenAPI document: ${describe(value)} ${SUPPORTED}.`);
  const [, major, minor = '0'] = /^(\d{1,4})(?:\.(\d{1,4}))?(?![\d])/.exec(found) ?? [];
  if (openapi === undefined && major === '2') return { version: '2.0', root: value, notes: [] };
  if (openapi === undefined || major !== '3') {
    const key = openapi === undefined ? 'swagger' : 'openapi';
    throw new DefinitionError(`${name} has "${key}: ${found.slice(0, 40)}". ${SUPPORTED}.`);
  }
  if (minor === '0' || minor === '1' || minor === '2')
    return { version: `3.${minor}`, root: value, notes: [] };
  const note = `${name} is written in OpenAPI 3.${minor}, which is not known; it was read as 3.2.`;
  return { version: '3.2', root: value, notes: [note] };
}

/** Numbers are versions that nobody quoted: 3.0 is 3 then. */
function versionText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : undefined;
}

/** What is often given in place of an OpenAPI document, and how it is told. */
const OTHERS: readonly { readonly isIt: (root: JsonObject) => boolean; readonly what: string }[] = [
  {
    isIt: (root) => Object.hasOwn(root, 'overlay') && Object.hasOwn(root, 'actions'),
    what: 'it is an overlay, which is given beside the document that it changes.',
  },
  { isIt: (root) => Object.hasOwn(root, 'asyncapi'), what: 'it is an AsyncAPI document.' },
  { isIt: (root) => Object.hasOwn(root, 'arazzo'), what: 'it is an Arazzo document.' },
  {
    isIt: (root) => Object.hasOwn(root, 'swaggerVersion'),
    what: 'it is written in Swagger 1, and has to be converted first.',
  },
  {
    isIt: (root) => {
      const info = objectOf(memberOf(root, 'info'));
      return Object.hasOwn(info, '_postman_id') || /getpostman\.com/.test(String(memberOf(info, 'schema')));
    },
    what: 'it is a Postman collection, and has to be exported as OpenAPI.',
  },
  {
    isIt: (root) =>
      memberOf(root, '_type') === 'export' || String(memberOf(root, 'type')).includes('insomnia'),
    what: 'it is an Insomnia collection, and has to be exported as OpenAPI.',
  },
  {
    isIt: (root) =>
      isNode(memberOf(objectOf(memberOf(root, 'data')), '__schema')) || isNode(root['__schema']),
    what: 'it is the schema of a GraphQL API.',
  },
  {
    isIt: (root) => Array.isArray(memberOf(objectOf(memberOf(root, 'log')), 'entries')),
    what: 'it is a HAR file.',
  },
  {
    isIt: (root) => Object.hasOwn(root, 'paths'),
    what: 'it has paths, but neither "openapi" nor "swagger" says in which version it is written.',
  },
  {
    isIt: (root) => /json-schema\.org/.test(String(memberOf(root, '$schema'))),
    what: 'it is a JSON Schema.',
  },
];

function describe(root: JsonObject): string {
  const known = OTHERS.find(({ isIt }) => isIt(root));
  if (known !== undefined) return known.what;
  const keys = Object.keys(root);
  if (keys.length === 0) return 'it is an empty object.';
  const shown = keys.slice(0, 5).map((key) => JSON.stringify(key.slice(0, 40)));
  return `it has neither "openapi" nor "swagger", but ${shown.join(', ')}${keys.length > 5 ? ' and more' : ''}.`;
}
