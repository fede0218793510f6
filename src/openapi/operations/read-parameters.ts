import { isNode } from '../../schema/nodes/json-node.ts';
import { flagOf, listOf, memberOf, objectOf, textOf } from '../document/parse/read-values.ts';
import type {
  JsonObject,
  Located,
  Parameter,
  ParameterLocation,
  ParameterStyle,
  ValueStyle,
} from '../model/operation.ts';
import { isHeaderForArguments } from '../request/compile-headers.ts';
import { memberAt } from './misplaced-references.ts';
import { UnreadableOperation } from './reading-context.ts';
import type { ReadingContext } from './reading-context.ts';

const LOCATIONS: ReadonlySet<unknown> = new Set(['path', 'query', 'header', 'cookie', 'querystring']);

/** Reads an array of parameters of OpenAPI 3. */
export function readParameters(list: Located, context: ReadingContext): Parameter[] {
  const parameters: Parameter[] = [];
  for (const each of followAll(list, context)) {
    const parameter = readOnce(each, context);
    if (parameter !== undefined) parameters.push(parameter);
  }
  return parameters;
}

/** Cache: operations share parameters. */
const known = new WeakMap<object, Parameter>();

function readOnce(entry: Located<JsonObject>, context: ReadingContext): Parameter | undefined {
  const before = known.get(entry.value);
  if (before !== undefined && (before.schema === undefined || before.schema.base === entry.base))
    return before;
  const parameter = readParameter(entry, context);
  // Frozen, because it is shared and passed to functions of users.
  if (parameter !== undefined) known.set(entry.value, Object.freeze(parameter));
  return parameter;
}

/** The entries of an array, with references followed. An operation with an unreadable parameter cannot be called. */
export function followAll({ value, base }: Located, context: ReadingContext): Located<JsonObject>[] {
  return listOf(value).flatMap((entry) => {
    const found = follow({ value: entry, base }, context);
    if (!Array.isArray(found.value) || Array.isArray(entry)) return [asParameter(found, entry)];
    context.note(
      'a parameter: a reference to an array, which OpenAPI does not allow there; all its entries are used',
    );
    const { value: list, base: within } = found;
    return listOf(list).map((each) => asParameter(follow({ value: each, base: within }, context), each));
  });
}

function follow(entry: Located, { references }: ReadingContext): Located {
  const found = references.follow(entry);
  if ('problem' in found) throw new UnreadableOperation(`a parameter cannot be read: ${found.problem}`);
  return found;
}

function asParameter({ value, base }: Located, entry: unknown): Located<JsonObject> {
  if (!isNode(value)) throw new UnreadableOperation('a parameter is not an object');
  return { value: withOwnDescription(value, entry), base };
}

/** Since 3.1, a description beside a reference wins. Before that it is ignored by the specification, but people write it. */
function withOwnDescription(found: JsonObject, entry: unknown): JsonObject {
  if (entry === found || !isNode(entry)) return found;
  const own = textOf(memberOf(entry, 'description'));
  return own === undefined ? found : { ...found, description: own };
}

/** Merges the parameters of the path and of the operation: of two with one name and location, the later one wins. */
export function mergeParameters(lists: readonly (readonly Parameter[])[]): Parameter[] {
  const merged = new Map<string, Parameter>();
  for (const list of lists) {
    for (const parameter of list) {
      // Header names are case-insensitive.
      const name = parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
      merged.set(`${parameter.in} ${name}`, parameter);
    }
  }
  return [...merged.values()];
}

/** Whether a header is not a parameter: it belongs to the body, to credentials or to the connection. */
export function isReservedHeader(location: unknown, name: string): boolean {
  return location === 'header' && (name.toLowerCase() === 'accept' || !isHeaderForArguments(name));
}

function readParameter({ value, base }: Located<JsonObject>, context: ReadingContext): Parameter | undefined {
  const name = memberOf(value, 'name');
  const location = memberOf(value, 'in');
  if (typeof name !== 'string' || name === '') {
    context.note('a parameter without a name is left out');
    return undefined;
  }
  if (!LOCATIONS.has(location))
    throw new UnreadableOperation(
      location === undefined
        ? `the parameter "${name}" has no location: set "in" to path, query, header or cookie`
        : `the parameter "${name}" has an unknown location: in is ${JSON.stringify(location)}`,
    );
  if (isReservedHeader(location, name)) {
    context.note(`the header ${name} is not an argument: it is set automatically, or cannot be sent`);
    return undefined;
  }
  const contents = memberAt({ value, baseOf: () => base }, 'content', context);
  const [content] = Object.entries(objectOf(contents.value));
  const media =
    content === undefined ? undefined : readMedia({ value: content[1], base: contents.base }, context);
  const schema = memberOf(value, 'schema') ?? memberOf(objectOf(media?.value), 'schema');
  return {
    name,
    in: location as ParameterLocation,
    description: textOf(memberOf(value, 'description')),
    required: location === 'path' || flagOf(memberOf(value, 'required')),
    deprecated: flagOf(memberOf(value, 'deprecated')),
    ...readStyle(value, location as ParameterLocation),
    contentType: content?.[0],
    schema:
      schema === undefined
        ? undefined
        : { value: schema, base: Object.hasOwn(value, 'schema') ? base : (media?.base ?? base) },
    example: exampleOf(value, media?.value),
    spansSegments: location === 'path' && flagOf(memberOf(value, 'x-multi-segment')),
  };
}

/** Since 3.2, it may be a reference. */
function readMedia(given: Located, { references }: ReadingContext): Located {
  const found = references.follow(given);
  return 'problem' in found ? given : found;
}

const STYLES: Readonly<Record<ParameterLocation, readonly ParameterStyle[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
  querystring: ['form'],
};

/** The serialization style of a value; the default of its location if the document has none, or one that the location does not allow. */
export function readStyle(value: JsonObject, location: ParameterLocation): ValueStyle {
  const [usual = 'form', ...others] = STYLES[location];
  const said = memberOf(value, 'style');
  const style = others.find((each) => each === said) ?? usual;
  const explode = memberOf(value, 'explode');
  return {
    style,
    explode:
      typeof explode === 'boolean'
        ? explode
        : style === 'form' || style === 'cookie' || style === 'deepObject',
    allowReserved: flagOf(memberOf(value, 'allowReserved')),
  };
}

/** The first example of a parameter or a media type; undefined if there is none. */
export function exampleOf(...holders: readonly unknown[]): unknown {
  for (const holder of holders) {
    if (!isNode(holder)) continue;
    if (Object.hasOwn(holder, 'example')) return holder['example'];
    const [first] = Object.values(objectOf(memberOf(holder, 'examples')));
    const value = isNode(first) ? (memberOf(first, 'value') ?? memberOf(first, 'dataValue')) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}
