import { DefinitionError } from '../../errors/errors.ts';
import { isNode } from '../../schema/nodes/json-node.ts';
import type { JsonObject } from '../model/operation.ts';
import { memberOf, objectOf } from './parse/read-values.ts';

/** Supported versions. */
export type DocumentVersion = '2.0' | '3.0' | '3.1' | '3.2';

const SUPPORTED = 'Supported: Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2';

/** Version of a document, and notes about it. */
export interface DetectedVersion {
  readonly version: DocumentVersion;
  readonly root: JsonObject;
  readonly notes: readonly string[];
}

/** Detects the version of a document. Rejects other files, and names their format. */
export function detectVersion(name: string, value: unknown): DetectedVersion {
  if (!isNode(value)) {
    const kind = Array.isArray(value) ? 'an array' : `a ${value === null ? 'null' : typeof value}`;
    throw new DefinitionError(`${name} is ${kind}, not an OpenAPI document: expected an object.`);
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
  const note = `${name} uses OpenAPI 3.${minor}, which is unknown; it was read as 3.2.`;
  return { version: '3.2', root: value, notes: [note] };
}

/** Unquoted versions are numbers: 3.0 becomes 3. */
function versionText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : undefined;
}

/** Formats that are often mistaken for OpenAPI documents, and their descriptions. */
const OTHERS: readonly { readonly isIt: (root: JsonObject) => boolean; readonly what: string }[] = [
  {
    isIt: (root) => Object.hasOwn(root, 'overlay') && Object.hasOwn(root, 'actions'),
    what: 'it is an overlay. Pass it as an overlay of the document that it changes.',
  },
  { isIt: (root) => Object.hasOwn(root, 'asyncapi'), what: 'it is an AsyncAPI document.' },
  { isIt: (root) => Object.hasOwn(root, 'arazzo'), what: 'it is an Arazzo document.' },
  {
    isIt: (root) => Object.hasOwn(root, 'swaggerVersion'),
    what: 'it uses Swagger 1. Convert it to OpenAPI first.',
  },
  {
    isIt: (root) => {
      const info = objectOf(memberOf(root, 'info'));
      return Object.hasOwn(info, '_postman_id') || /getpostman\.com/.test(String(memberOf(info, 'schema')));
    },
    what: 'it is a Postman collection. Export it as OpenAPI.',
  },
  {
    isIt: (root) =>
      memberOf(root, '_type') === 'export' || String(memberOf(root, 'type')).includes('insomnia'),
    what: 'it is an Insomnia collection. Export it as OpenAPI.',
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
    what: 'it has paths, but no version in "openapi" or "swagger".',
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
