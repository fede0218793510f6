import { isNode } from '../../schema/nodes/json-node.ts';
import { flagOf, memberOf, objectOf, textOf } from '../document/parse/read-values.ts';
import type {
  BodyContent,
  JsonObject,
  Located,
  OperationResponse,
  PropertyEncoding,
  RequestBody,
} from '../model/operation.ts';
import { memberAt } from './misplaced-references.ts';
import { exampleOf, readStyle } from './read-parameters.ts';
import { UnreadableOperation } from './reading-context.ts';
import type { ReadingContext } from './reading-context.ts';

/** The request body of OpenAPI 3; undefined if there is none. */
export function readRequestBody(given: Located, context: ReadingContext): RequestBody | undefined {
  if (given.value === undefined || given.value === null) return undefined;
  const found = context.references.follow(given);
  if ('problem' in found) throw new UnreadableOperation(`its body cannot be read: ${found.problem}`);
  const body = objectOf(found.value);
  const content = memberAt({ value: body, baseOf: () => found.base }, 'content', context);
  const contents = readContents(content, context);
  if (contents.length === 0 && Object.keys(objectOf(content.value)).length > 0)
    throw new UnreadableOperation('its body cannot be read: none of its media types can');
  if (contents.length === 0) return undefined;
  return {
    description: textOf(memberOf(body, 'description')),
    required: flagOf(memberOf(body, 'required')),
    contents,
  };
}

/** The responses by status. Unreadable ones are left out: calls do not depend on them. */
export function readResponses(given: Located, context: ReadingContext): OperationResponse[] {
  return Object.entries(objectOf(given.value)).flatMap(([status, value]) => {
    if (status.startsWith('x-')) return [];
    const found = context.references.follow({ value, base: given.base });
    if ('problem' in found) return [];
    const response = objectOf(found.value);
    const content = context.references.follow({ value: memberOf(response, 'content'), base: found.base });
    const contents = 'problem' in content ? [] : readContents(content, context);
    const description = textOf(memberOf(response, 'description'));
    return [{ status, description, headers: headerNamesOf(response), contents }];
  });
}

/** The names of the headers of a response. */
export function headerNamesOf(response: JsonObject): readonly string[] {
  return Object.keys(objectOf(memberOf(response, 'headers'))).map((name) => name.toLowerCase());
}

function readContents({ value, base }: Located, context: ReadingContext): BodyContent[] {
  const contents = Object.entries(objectOf(value));
  context.budget.spend(contents.length);
  return contents.flatMap(([mediaType, given]) => {
    const found = context.references.follow({ value: given, base });
    if ('problem' in found || !isNode(found.value)) {
      context.note(`${mediaType.slice(0, 100)}: it cannot be read and is left out`);
      return [];
    }
    const content = found.value;
    // OpenAPI 3.2: the schema of one of many items in a sequence.
    const items = memberOf(content, 'itemSchema');
    const schema =
      memberOf(content, 'schema') ?? (items === undefined ? undefined : { type: 'array', items });
    return [
      {
        mediaType: toMediaType(mediaType, context),
        schema: schema === undefined ? undefined : { value: schema, base: found.base },
        encoding: readEncodings({ value: memberOf(content, 'encoding'), base: found.base }, context),
        example: exampleOf(content),
      },
    ];
  });
}

/** An invalid media type is treated as JSON. */
function toMediaType(written: string, { note }: ReadingContext): string {
  if (/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+/.test(written.trim())) return written;
  note(`${JSON.stringify(written.slice(0, 100))} is not a media type; it is treated as application/json`);
  return 'application/json';
}

function readEncodings(given: Located, context: ReadingContext): Readonly<Record<string, PropertyEncoding>> {
  const encodings = followed(given, context);
  return Object.fromEntries(
    Object.entries(encodings.value).flatMap(([property, value]) => {
      if (!isNode(value)) return [];
      const encoding = followed({ value, base: encodings.base }, context);
      return [[property, readEncoding(encoding, context)]];
    }),
  );
}

/** An object, or an empty one if it cannot be read: then the default encoding applies. */
function followed(given: Located, { references }: ReadingContext): Located<JsonObject> {
  const found = references.follow(given);
  return 'problem' in found ? { value: {}, base: given.base } : { ...found, value: objectOf(found.value) };
}

function readEncoding(
  { value: encoding, base }: Located<JsonObject>,
  context: ReadingContext,
): PropertyEncoding {
  const saysStyle = ['style', 'explode', 'allowReserved'].some((member) => Object.hasOwn(encoding, member));
  return {
    contentType: textOf(memberOf(encoding, 'contentType')),
    style: saysStyle ? readStyle(encoding, 'query') : undefined,
    headers: readFixedHeaders({ value: memberOf(encoding, 'headers'), base }, context),
  };
}

/** Headers of a part with a fixed value. Others would have to be arguments, which is not supported. */
function readFixedHeaders(given: Located, context: ReadingContext): Readonly<Record<string, string>> {
  const headers = followed(given, context);
  return Object.fromEntries(
    Object.entries(headers.value).flatMap(([name, value]) => {
      const header = followed({ value, base: headers.base }, context);
      const schema = followed({ ...header, value: memberOf(header.value, 'schema') }, context).value;
      const values = memberOf(schema, 'enum');
      const only: unknown = Array.isArray(values) && values.length === 1 ? values[0] : undefined;
      const fixed = memberOf(schema, 'const') ?? only ?? memberOf(schema, 'default');
      return typeof fixed === 'string' || typeof fixed === 'number' ? [[name, String(fixed)]] : [];
    }),
  );
}
