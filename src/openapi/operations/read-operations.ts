import { isNode } from '../../schema/nodes/json-node.ts';
import type { LoadedDocument } from '../document/load-document.ts';
import {
  extensionsOf,
  flagOf,
  listOf,
  memberOf,
  objectOf,
  textOf,
  textsOf,
} from '../document/parse/read-values.ts';
import type { References } from '../document/references.ts';
import type { JsonObject, Located, Operation, Parameter } from '../model/operation.ts';
import { plainName } from '../request/document-path.ts';
import { followMisplaced, memberAt, withBeside, withPlainMembers } from './misplaced-references.ts';
import type { Holder } from './misplaced-references.ts';
import { readRequestBody, readResponses } from './read-contents.ts';
import { mergeParameters, readParameters } from './read-parameters.ts';
import { readSecurity } from './read-security.ts';
import { readServers } from './read-servers.ts';
import { ReadingBudget, UnreadableOperation } from './reading-context.ts';
import type { ReadingContext } from './reading-context.ts';
import { readSwaggerMessages } from './swagger-messages.ts';

/** Result of reading one entry of the document's paths. */
export type ReadOperation =
  | { readonly key: string; readonly operation: Operation; readonly notes: readonly string[] }
  | { readonly key: string; readonly operationId?: string | undefined; readonly refused: string };

/** All operations of a document, and notes about the document. */
export interface ReadOperations {
  readonly operations: readonly ReadOperation[];
  readonly notes: readonly string[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Reads every operation. An error in one operation affects only that one. */
export function readOperations(document: LoadedDocument, references: References): ReadOperations {
  const { root, version } = document;
  const operations: ReadOperation[] = [];
  const notes = describeIgnored(root, version);
  const budget = new ReadingBudget();
  const paths = readPaths(document, references, notes);
  if (typeof paths === 'string') return { operations: [{ key: 'paths', refused: paths }], notes };
  for (const [path, given] of Object.entries(paths.value)) {
    if (path.startsWith('x-')) continue;
    readPathItem(
      { value: given, base: paths.baseOf(path) },
      { path, document, references, budget, operations },
    );
  }
  return { operations, notes };
}

/** The paths of a document, or the reason why they cannot be read. */
function readPaths({ root, uri }: LoadedDocument, references: References, notes: string[]): Holder | string {
  const given = { value: memberOf(root, 'paths'), base: uri };
  try {
    const found = followMisplaced(given, 'paths', { references, note: (text) => notes.push(text) });
    return withBeside(given, { ...found, value: objectOf(found.value) });
  } catch (error) {
    if (error instanceof UnreadableOperation) return error.message;
    throw error;
  }
}

interface PathParts {
  readonly path: string;
  readonly document: LoadedDocument;
  readonly references: References;
  readonly budget: ReadingBudget;
  /** Collects all operations. */
  readonly operations: ReadOperation[];
}

function readPathItem(given: Located, parts: PathParts): void {
  const { path, references, document, operations } = parts;
  const found = references.follow(given);
  if ('problem' in found) {
    const refused = `the reference of the path cannot be resolved: ${found.problem}`;
    operations.push({ key: path, refused });
    return;
  }
  if (!isNode(found.value)) {
    operations.push({ key: path, refused: 'the path is not an object' });
    return;
  }
  const item = withBeside(given, { ...found, value: found.value });
  for (const { method, member, value } of listMethods(item.value, document.version))
    operations.push(readOne({ value, base: item.baseOf(member) }, { ...parts, method, item }));
}

interface ListedMethod {
  readonly method: string;
  /** Key of the operation in the path item, such as `get`. */
  readonly member: string;
  readonly value: unknown;
}

function listMethods(item: JsonObject, version: LoadedDocument['version']): ListedMethod[] {
  const known = version === '3.2' ? [...METHODS, 'query'] : METHODS;
  const listed = known
    .filter((method) => Object.hasOwn(item, method))
    .map((method) => ({ method, member: method, value: item[method] }));
  if (version !== '3.2') return listed;
  const member = 'additionalOperations';
  const further = Object.entries(objectOf(memberOf(item, member)));
  return [...listed, ...further.map(([method, value]) => ({ method, member, value }))];
}

interface OperationParts extends PathParts {
  readonly method: string;
  readonly item: Holder;
}

/** Valid characters of a method; longer than any in use. */
const METHOD_NAME = /^[A-Za-z][A-Za-z0-9-]{0,31}$/;

const MAX_PATH = 8192;
/** Maximum number of parameters of an operation. */
const MAX_PARAMETERS = 1000;

/** Maximum number of notes per operation. */
const MAX_NOTES = 50;

function readOne(given: Located, parts: OperationParts): ReadOperation {
  const { method, path, document, references, budget } = parts;
  const key = `${method.toUpperCase()} ${path}`;
  const notes = new Set<string>();
  const note = (text: string): void => {
    if (notes.size < MAX_NOTES) notes.add(text);
  };
  try {
    if (!METHOD_NAME.test(method)) throw new UnreadableOperation('its method is not an HTTP method');
    const context = { document, references, budget, note };
    const found = followMisplaced(given, 'the operation', context);
    if (!isNode(found.value)) throw new UnreadableOperation('it is not an object');
    if (path.length > MAX_PATH)
      throw new UnreadableOperation(`its path is longer than ${MAX_PATH} characters`);
    const holder = withBeside(given, { ...found, value: found.value });
    budget.spend(partsOf(holder.value, parts));
    const operation = readOperation(holder, parts, context);
    return { key, operation, notes: [...notes] };
  } catch (error) {
    if (!(error instanceof UnreadableOperation)) throw error;
    const operationId = textOf(memberOf(objectOf(given.value), 'operationId'));
    return { key, operationId, refused: error.message };
  }
}

const LISTS = ['parameters', 'tags', 'security', 'servers'] as const;

/** Number of parts of an operation, without reading them. */
function partsOf(value: JsonObject, { item }: OperationParts): number {
  const shared = listOf(memberOf(item.value, 'parameters')).length;
  let parts = Object.keys(value).length + Object.keys(item.value).length + shared;
  for (const member of LISTS) parts += listOf(memberOf(value, member)).length;
  return parts;
}

function readOperation(
  given: Holder,
  { method, path, item: givenItem, document }: OperationParts,
  context: ReadingContext,
): Operation {
  const isSwagger = document.version === '2.0';
  const lists = [givenItem, given].map((holder) => memberAt(holder, 'parameters', context));
  const { value } = withPlainMembers(given, context);
  const { value: item } = withPlainMembers(givenItem, context);
  const body = { value: memberOf(value, 'requestBody'), base: given.baseOf('requestBody') };
  const answers = findResponses(given, context);
  const messages = isSwagger ? readSwaggerMessages({ value, lists, responses: answers }, context) : undefined;
  const parameters =
    messages?.parameters ?? mergeParameters(lists.map((list) => readParameters(list, context)));
  if (parameters.length > MAX_PARAMETERS)
    throw new UnreadableOperation(`it has more than ${MAX_PARAMETERS} parameters`);
  let responses: Operation['responses'] | undefined;
  if (memberOf(value, 'callbacks') !== undefined) context.note('its callbacks are ignored');
  return {
    key: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    operationId: textOf(memberOf(value, 'operationId')),
    summary: textOf(memberOf(value, 'summary')) ?? textOf(memberOf(item, 'summary')),
    description: textOf(memberOf(value, 'description')) ?? textOf(memberOf(item, 'description')),
    deprecated: flagOf(memberOf(value, 'deprecated')),
    tags: textsOf(memberOf(value, 'tags')),
    parameters: fitToPath(parameters, path, context),
    body: messages === undefined ? readRequestBody(body, context) : messages.body,
    // Lazy: responses are only needed for operations that are called.
    get responses() {
      responses ??= messages?.responses ?? readResponses(answers, context);
      return responses;
    },
    statuses: Object.keys(objectOf(memberOf(value, 'responses'))),
    servers: readServers({ operation: value, item, document }),
    security: readSecurity(memberOf(value, 'security')) ?? readSecurity(memberOf(document.root, 'security')),
    extensions: joinExtensions(extensionsOf(item), extensionsOf(value)),
  };
}

/** Calls do not depend on responses. */
function findResponses(given: Holder, context: ReadingContext): Located {
  try {
    return memberAt(given, 'responses', context);
  } catch (error) {
    if (!(error instanceof UnreadableOperation)) throw error;
    context.note(error.message);
    return { value: undefined, base: context.document.uri };
  }
}

function joinExtensions(ofPath: JsonObject, own: JsonObject): JsonObject {
  return Object.keys(ofPath).length === 0 ? own : { ...ofPath, ...own };
}

/** Every name in braces needs a parameter. An undeclared one is treated as a string. */
function fitToPath(
  parameters: readonly Parameter[],
  path: string,
  { note }: ReadingContext,
): readonly Parameter[] {
  // A fragment only distinguishes operations.
  const [sent = ''] = path.split('#');
  const [own = '', query = ''] = sent.split('?');
  const inPath = namesIn(own);
  const inQuery = namesIn(query);
  const greedy = GREEDY.test(own);
  if (inQuery.size === 0 && !greedy && isFitting(parameters, inPath)) return parameters;
  const fitting = parameters.filter((parameter) => {
    if (parameter.in !== 'path' || inPath.has(parameter.name) || inQuery.has(parameter.name)) return true;
    note(`the path has no {${parameter.name}}, so that parameter is left out`);
    return false;
  });
  const declared = new Set(fitting.filter((each) => each.in === 'path').map(({ name }) => name));
  const queried = new Set(fitting.filter((each) => each.in === 'query').map(({ name }) => name));
  const missing = [
    ...[...inPath].filter((name) => !declared.has(name)),
    ...[...inQuery].filter((name) => !declared.has(name) && !queried.has(name)),
  ];
  for (const name of missing) note(`{${name}} in the path is not declared; it is treated as a string`);
  const all = [...missing.map(undeclared), ...fitting];
  return greedy ? all.map((parameter) => withGreed(parameter, own)) : all;
}

/** `{name+}`, and RFC 6570's `{+name}`: the value may be several segments. */
const GREEDY = /\{\+|\+\}/;

function withGreed(parameter: Parameter, path: string): Parameter {
  const { name } = parameter;
  const isGreedy =
    parameter.in === 'path' && [`{${name}+}`, `{+${name}}`].some((each) => path.includes(each));
  return isGreedy ? { ...parameter, spansSegments: true } : parameter;
}

/** The usual case: one parameter for each name, and one name for each. */
function isFitting(parameters: readonly Parameter[], names: ReadonlySet<string>): boolean {
  const declared = parameters.filter((each) => each.in === 'path');
  return declared.length === names.size && declared.every(({ name }) => names.has(name));
}

function namesIn(path: string): ReadonlySet<string> {
  if (!path.includes('{')) return NO_NAMES;
  const pieces = path
    .split('{')
    .slice(1)
    .filter((piece) => piece.includes('}'));
  return new Set(pieces.map((piece) => plainName(piece.split('}')[0] ?? '')));
}

const NO_NAMES: ReadonlySet<string> = new Set();

function undeclared(name: string): Parameter {
  return {
    name,
    in: 'path',
    description: undefined,
    required: true,
    deprecated: false,
    style: 'simple',
    explode: false,
    allowReserved: false,
    contentType: undefined,
    schema: { value: { type: 'string' }, base: 'inline:/undeclared' },
    example: undefined,
    spansSegments: false,
  };
}

function describeIgnored(root: JsonObject, version: LoadedDocument['version']): string[] {
  const webhooks = Object.keys(objectOf(memberOf(root, 'webhooks'))).length;
  const notes: string[] = [];
  if (webhooks > 0)
    notes.push(
      `${webhooks} webhook${webhooks === 1 ? ' is' : 's are'} ignored: they are requests from the API, not to it`,
    );
  if (!isNode(memberOf(root, 'paths')) && version !== '3.1' && version !== '3.2')
    notes.push('the document has no paths');
  return notes;
}
