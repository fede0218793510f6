import { isNode } from '../../schema/nodes/json-node.ts';
import type { LoadedDocument } from '../document/load-document.ts';
import { listOf, memberOf, objectOf, textOf, textsOf } from '../document/parse/read-values.ts';
import type { JsonObject, OperationServer, ServerVariable } from '../model/operation.ts';

/** Levels of a document that can list servers. */
export interface ServerLevels {
  readonly operation: JsonObject;
  readonly item: JsonObject;
  readonly document: LoadedDocument;
}

/** The servers of an operation, else of its path, else of the document. */
export function readServers({ operation, item, document }: ServerLevels): readonly OperationServer[] {
  if (document.version === '2.0') return readSwaggerServers(document.root, operation);
  for (const level of [operation, item, document.root]) {
    const given = listOf(memberOf(level, 'servers'));
    const servers = given.length === 0 ? NONE : readList(given);
    if (servers.length > 0) return servers;
  }
  return NONE;
}

const NONE: readonly OperationServer[] = [];

/** Cache: most operations have the servers of the document. */
const known = new WeakMap<object, readonly OperationServer[]>();

function readList(given: readonly unknown[]): readonly OperationServer[] {
  let servers = known.get(given);
  if (servers === undefined) {
    servers = given.flatMap((each) => readServer(each));
    known.set(given, servers);
  }
  return servers;
}

function readServer(given: unknown): OperationServer[] {
  const server = objectOf(given);
  const url = textOf(memberOf(server, 'url'));
  if (url === undefined) return [];
  const variables = Object.entries(objectOf(memberOf(server, 'variables')))
    .filter(([, value]) => isNode(value))
    .map(([name, value]): [string, ServerVariable] => [name, readVariable(objectOf(value))]);
  return [
    { url, description: textOf(memberOf(server, 'description')), variables: Object.fromEntries(variables) },
  ];
}

function readVariable(variable: JsonObject): ServerVariable {
  const [fallback] = textsOf([memberOf(variable, 'default')]);
  const choices = textsOf(memberOf(variable, 'enum'));
  return { default: fallback, enum: choices.length === 0 ? undefined : choices };
}

/** `schemes`, `host` and `basePath` as URLs. Without a host, the host of the document's own URL is used. */
function readSwaggerServers(root: JsonObject, operation: JsonObject): OperationServer[] {
  // Some documents have a whole URL there.
  const host = textOf(memberOf(root, 'host'))
    ?.trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/\/$/, '');
  const basePath = textOf(memberOf(root, 'basePath')) ?? '/';
  const path = basePath.startsWith('/') ? basePath : `/${basePath}`;
  if (host === undefined || host === '') return [{ url: path, description: undefined, variables: {} }];
  const own = textsOf(memberOf(operation, 'schemes'));
  const schemes = new Set(
    (own.length > 0 ? own : textsOf(memberOf(root, 'schemes'))).map((scheme) => scheme.toLowerCase()),
  );
  const usable = ['https', 'http'].filter((scheme) => schemes.has(scheme));
  // A protocol-relative URL: the scheme of the document's own URL, if that is HTTP.
  const chosen = usable.length > 0 ? usable.map((scheme) => `${scheme}:`) : [''];
  return chosen.map((scheme) => ({
    url: `${scheme}//${host}${path}`,
    description: undefined,
    variables: {},
  }));
}
