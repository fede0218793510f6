import { flagOf, memberOf, objectOf, textOf, textsOf } from '../document/parse/read-values.ts';
import type {
  BodyContent,
  JsonObject,
  Located,
  Operation,
  OperationResponse,
  Parameter,
  PropertyEncoding,
  RequestBody,
  ValueStyle,
} from '../model/operation.ts';
import { headerNamesOf } from './read-contents.ts';
import { followAll, isReservedHeader } from './read-parameters.ts';
import { UnreadableOperation } from './reading-context.ts';
import type { ReadingContext } from './reading-context.ts';

type Entry = Located<JsonObject>;

/** The unread parts of an operation of Swagger 2.0. */
interface SwaggerParts {
  readonly value: JsonObject;
  /** The parameters of the path, and those of the operation. */
  readonly lists: readonly Located[];
  readonly responses: Located;
}

/** Reads requests and responses of Swagger 2.0, where bodies are parameters and media types are members of the operation. */
export function readSwaggerMessages(
  { value, lists, responses }: SwaggerParts,
  context: ReadingContext,
): Pick<Operation, 'body' | 'parameters' | 'responses'> {
  const entries = mergeEntries(lists.flatMap((list) => followAll(list, context)));
  const { root } = context.document;
  const consumes = typesOf(memberOf(value, 'consumes') ?? memberOf(root, 'consumes'));
  const produces = typesOf(memberOf(value, 'produces') ?? memberOf(root, 'produces'));
  const whole = entries.find((entry) => locationOf(entry) === 'body');
  const fields = entries.filter((entry) => locationOf(entry) === 'formData');
  return {
    parameters: entries.flatMap((entry) => readParameter(entry, context)),
    body: whole === undefined ? readForm(fields, consumes) : readBody(whole, consumes),
    responses: readResponses(responses, produces, context),
  };
}

function locationOf({ value }: Entry): unknown {
  return memberOf(value, 'in');
}

function mergeEntries(entries: readonly Entry[]): Entry[] {
  const merged = new Map<string, Entry>();
  for (const entry of entries) {
    const name = memberOf(entry.value, 'name');
    // There is only one body, whatever its name.
    const isHeader = locationOf(entry) === 'header';
    const called = isHeader ? String(name).toLowerCase() : String(name);
    const key = locationOf(entry) === 'body' ? 'body' : `${String(locationOf(entry))} ${called}`;
    merged.set(key, entry);
  }
  return [...merged.values()];
}

function typesOf(given: unknown): readonly string[] {
  return textsOf(given).filter((type) => type.includes('/'));
}

function readParameter(entry: Entry, context: ReadingContext): Parameter[] {
  const { value, base } = entry;
  const location = locationOf(entry);
  const name = memberOf(value, 'name');
  if (location === 'body' || location === 'formData') return [];
  if (typeof name !== 'string' || name === '') {
    context.note('a parameter without a name is left out');
    return [];
  }
  if (location !== 'path' && location !== 'query' && location !== 'header')
    throw new UnreadableOperation(
      location === undefined
        ? `the parameter "${name}" has no location: set "in" to path, query, header, body or formData`
        : `the parameter "${name}" has an unknown location: in is ${JSON.stringify(location)}`,
    );
  if (isReservedHeader(location, name)) {
    context.note(`the header ${name} is not an argument: it is set automatically, or cannot be sent`);
    return [];
  }
  return [
    {
      name,
      in: location,
      description: textOf(memberOf(value, 'description')),
      required: location === 'path' || flagOf(memberOf(value, 'required')),
      deprecated: false,
      ...readCollectionFormat(value, location === 'query' ? 'form' : 'simple'),
      contentType: undefined,
      schema: { value: schemaOf(value), base },
      example: memberOf(value, 'x-example'),
      spansSegments: location === 'path' && flagOf(memberOf(value, 'x-multi-segment')),
    },
  ];
}

const DELIMITED: Readonly<Record<string, ValueStyle['style'] | undefined>> = {
  ssv: 'spaceDelimited',
  tsv: 'tabDelimited',
  pipes: 'pipeDelimited',
};

/** The collection format of arrays. Default: `csv`. */
function readCollectionFormat(value: JsonObject, usual: 'form' | 'simple'): ValueStyle {
  const said = textOf(memberOf(value, 'collectionFormat')) ?? 'csv';
  const style = (Object.hasOwn(DELIMITED, said) ? DELIMITED[said] : undefined) ?? usual;
  const innerDelimiters = readInner(objectOf(memberOf(value, 'items')), 0);
  return {
    style,
    explode: said === 'multi' && usual === 'form',
    allowReserved: false,
    ...(innerDelimiters.length === 0 ? {} : { innerDelimiters }),
  };
}

const DELIMITERS: ReadonlyMap<unknown, string> = new Map([
  ['ssv', ' '],
  ['tsv', '\t'],
  ['pipes', '|'],
]);
/** Maximum nesting of arrays. */
const MAX_LISTS = 8;

function readInner(items: JsonObject, depth: number): string[] {
  if (memberOf(items, 'type') !== 'array' || depth === MAX_LISTS) return [];
  const delimiter = DELIMITERS.get(memberOf(items, 'collectionFormat')) ?? ',';
  return [delimiter, ...readInner(objectOf(memberOf(items, 'items')), depth + 1)];
}

/** Members of the parameter that are not part of its schema. */
const NOT_OF_SCHEMA: ReadonlySet<string> = new Set([
  'name',
  'in',
  'required',
  'description',
  'collectionFormat',
  'allowEmptyValue',
]);

/** A schema from the members that describe the value. Some documents have a `schema`, contrary to the specification. */
function schemaOf(value: JsonObject): unknown {
  const ready = memberOf(value, 'schema');
  if (ready !== undefined && memberOf(value, 'type') === undefined) return ready;
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => !NOT_OF_SCHEMA.has(key) && !key.startsWith('x-ex')),
  );
}

function readBody({ value, base }: Entry, consumes: readonly string[]): RequestBody {
  const schema = memberOf(value, 'schema');
  const types = consumes.length > 0 ? consumes : ['application/json'];
  return {
    description: textOf(memberOf(value, 'description')),
    required: flagOf(memberOf(value, 'required')),
    contents: types.map((mediaType) => ({
      mediaType,
      schema: schema === undefined ? undefined : { value: schema, base },
      encoding: {},
      example: memberOf(value, 'x-example'),
    })),
  };
}

/** Form fields become the properties of a body. */
function readForm(fields: readonly Entry[], consumes: readonly string[]): RequestBody | undefined {
  const [first] = fields;
  if (first === undefined) return undefined;
  const named = fields.filter(({ value }) => typeof memberOf(value, 'name') === 'string');
  const nameOf = ({ value }: Entry): string => String(memberOf(value, 'name'));
  const required = named.filter(({ value }) => flagOf(memberOf(value, 'required')));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(named.map((field) => [nameOf(field), fieldSchema(field)])),
    ...(required.length > 0 ? { required: required.map(nameOf) } : {}),
  };
  const encoding = Object.fromEntries(named.map((field) => [nameOf(field), fieldEncoding(field)]));
  const hasFile = named.some(({ value }) => memberOf(value, 'type') === 'file');
  const forms = consumes.filter((type) => /^(?:multipart\/|application\/x-www-form-urlencoded)/i.test(type));
  const fitting = hasFile ? forms.filter((type) => /^multipart\//i.test(type)) : forms;
  const usual = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  const types = fitting.length > 0 ? fitting : [usual];
  return {
    description: undefined,
    required: required.length > 0,
    contents: types.map((mediaType): BodyContent => ({
      mediaType,
      schema: { value: schema, base: first.base },
      encoding,
      example: undefined,
    })),
  };
}

function fieldSchema({ value }: Entry): unknown {
  const description = memberOf(value, 'description');
  const schema = schemaOf(value);
  return { ...objectOf(schema), ...(typeof description === 'string' ? { description } : {}) };
}

function fieldEncoding({ value }: Entry): PropertyEncoding {
  const isList = memberOf(value, 'type') === 'array';
  return {
    contentType: undefined,
    style: isList ? readCollectionFormat(value, 'form') : undefined,
    headers: {},
  };
}

function readResponses(
  given: Located,
  produces: readonly string[],
  context: ReadingContext,
): OperationResponse[] {
  return Object.entries(objectOf(given.value)).flatMap(([status, value]) => {
    if (status.startsWith('x-')) return [];
    const found = context.references.follow({ value, base: given.base });
    if ('problem' in found) return [];
    const response = objectOf(found.value);
    const schema = memberOf(response, 'schema');
    const types = produces.length > 0 ? produces : ['application/json'];
    const contents = (schema === undefined ? [] : types).map((mediaType): BodyContent => ({
      mediaType,
      schema: { value: schema, base: found.base },
      encoding: {},
      example: undefined,
    }));
    const description = textOf(memberOf(response, 'description'));
    return [{ status, description, headers: headerNamesOf(response), contents }];
  });
}
