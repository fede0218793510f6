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
import { exampleOf, readStyle } from './read-parameters.ts';
import { UnreadableOperation } from './reading-context.ts';
import type { ReadingContext } from './reading-context.ts';

/** The body of a request of OpenAPI 3; undefined if it has none. */
export function readRequestBody(given: Located, context: ReadingContext): RequestBody | undefined {
  if (given.value === undefined || given.value === null) return undefined;
  const found = context.references.follow(given);
  if ('problem' in found) throw new UnreadableOperation(`its body cannot be read: ${found.problem}`);
  const body = objectOf(found.value);
  const contents = readContents({ value: memberOf(body, 'content'), base: found.base }, context);
  if (contents.length === 0) return undefined;
  return {
    description: textOf(memberOf(body, 'description')),
    required: flagOf(memberOf(body, 'required')),
    contents,
  };
}

/** What the API may answer, by status. What cannot be read is left out: calls do not depend on it. */
export function readResponses(given: Located, context: ReadingContext): OperationResponse[] {
  return Object.entries(objectOf(given.value)).flatMap(([status, value]) => {
    if (status.startsWith('x-')) return [];
    const found = context.references.follow({ value, base: given.base });
    if ('problem' in found) return [];
    const response = objectOf(found.value);
    const contents = readContents({ value: memberOf(response, 'content'), base: found.base }, context);
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
    if ('problem' in found || !isNode(found.value)) return [];
    const content = found.value;
    // OpenAPI 3.2: one of many, written one after the other.
    const items = memberOf(content, 'itemSchema');
    const schema =
      memberOf(content, 'schema') ?? (items === undefined ? undefined : { type: 'array', items });
    return [
      {
        mediaType: toMediaType(mediaType, context),
        schema: schema === undefined ? undefined : { value: schema, base: found.base },
        encoding: readEncodings(objectOf(memberOf(content, 'encoding'))),
        example: exampleOf(content),
      },
    ];
  });
}

/** What is not a media type at all is meant to be JSON. */
function toMediaType(written: string, { note }: ReadingContext): string {
  if (/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+/.test(written.trim())) return written;
  note(`${JSON.stringify(written.slice(0, 100))} is not a media type; it is taken for application/json`);
  return 'application/json';
}

function readEncodings(encodings: JsonObject): Readonly<Record<string, PropertyEncoding>> {
  return Object.fromEntries(
    Object.entries(encodings).flatMap(([property, given]) =>
      isNode(given) ? [[property, readEncoding(given)]] : [],
    ),
  );
}

function readEncoding(encoding: JsonObject): PropertyEncoding {
  const saysStyle = ['style', 'explode', 'allowReserved'].some((member) => Object.hasOwn(encoding, member));
  return {
    contentType: textOf(memberOf(encoding, 'contentType')),
    style: saysStyle ? readStyle(encoding, 'query') : undefined,
    headers: readFixedHeaders(objectOf(memberOf(encoding, 'headers'))),
  };
}

/** Headers of a part whose value is fixed. Others would be arguments that nobody has asked for so far. */
function readFixedHeaders(headers: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, header]) => {
      const schema = objectOf(memberOf(objectOf(header), 'schema'));
      const values = memberOf(schema, 'enum');
      const only: unknown = Array.isArray(values) && values.length === 1 ? values[0] : undefined;
      const value = memberOf(schema, 'const') ?? only ?? memberOf(schema, 'default');
      return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [];
    }),
  );
}
