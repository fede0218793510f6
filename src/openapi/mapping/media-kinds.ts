import { isNode, listedChildren, namedTypes } from '../../schema/nodes/json-node.ts';
import type { BodyContent, Located } from '../model/operation.ts';
import type { ConverterParts } from '../schemas/model/conversion.ts';

/** Serialization of a body. */
export type MediaKind = 'json' | 'form' | 'multipart' | 'text' | 'xml' | 'binary';

/** Binary media types, which a model cannot write as text. */
const BINARY =
  /^(?:image|audio|video|font|model)\/|octet-stream|zip|x-tar|x-7z|pdf|protobuf|msgpack|x-bzip|x-xz|msword|officedocument|ms-excel|x-binary/;

/** The kind of a media type; the schema decides if the type is ambiguous. */
export function mediaKindOf({ mediaType, schema }: BodyContent, parts: ConverterParts): MediaKind {
  if (mediaType === 'application/json') return 'json';
  const type = plainType(mediaType);
  if (/[/+]json$|\/(?:json5|x-ndjson|ndjson|jsonl|json-seq|x-jsonlines)$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) return 'multipart';
  if (/[/+]xml$/.test(type) && type !== 'image/svg+xml') return 'xml';
  if (type.startsWith('text/')) return 'text';
  if (isFileSchema(schema, parts)) return 'binary';
  if (BINARY.test(type)) return isStructured(schema, parts) ? 'json' : 'binary';
  return isStructured(schema, parts) || type.includes('*') ? 'json' : 'text';
}

/** `application/json` of `application/json; charset=utf-8`. */
export function plainType(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}

function isStructured(schema: Located | undefined, { references }: ConverterParts): boolean {
  if (schema === undefined) return false;
  const found = references.follow(schema);
  if ('problem' in found || !isNode(found.value)) return false;
  const types = namedTypes(found.value);
  if (types === undefined)
    return ['properties', 'allOf', 'anyOf', 'oneOf', 'items'].some((key) => key in Object(found.value));
  return types.includes('object') || types.includes('array');
}

/** Whether a schema describes bytes, in any version of OpenAPI. */
export function isFileSchema(schema: Located | undefined, { references }: ConverterParts): boolean {
  if (schema === undefined) return false;
  const found = references.follow(schema);
  if ('problem' in found || !isNode(found.value)) return false;
  const { type, format, contentMediaType, contentEncoding } = found.value;
  if (type === 'file') return true;
  const mayBeText =
    type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
  if (!mayBeText) return false;
  // Raw bytes; base64 is a string.
  if (format === 'binary' || contentEncoding === 'binary' || contentEncoding === '8bit') return true;
  return (
    typeof contentMediaType === 'string' &&
    contentEncoding === undefined &&
    BINARY.test(plainType(contentMediaType))
  );
}

/** Whether a property of a form is a file, or an array of files. */
export function isFileProperty(
  schema: Located,
  contentType: string | undefined,
  parts: ConverterParts,
): 'list' | boolean {
  const kind = fileKindOf(schema, parts, 0);
  if (kind !== false) return kind;
  const found = parts.references.follow(schema);
  if ('problem' in found || !isNode(found.value)) return false;
  const { type } = found.value;
  const isOpen =
    type === undefined && Object.keys(found.value).every((key) => key === 'description' || key === 'title');
  return isOpen && contentType !== undefined && BINARY.test(plainType(contentType));
}

const MAX_DEPTH = 2;

function fileKindOf(schema: Located, parts: ConverterParts, depth: number): 'list' | boolean {
  if (isFileSchema(schema, parts)) return true;
  const found = parts.references.follow(schema);
  if ('problem' in found || !isNode(found.value) || depth > MAX_DEPTH) return false;
  const { value, base } = found;
  if (value['type'] === 'array') return isFileSchema({ value: value['items'], base }, parts) ? 'list' : false;
  const kindsOf = (keyword: string): ('list' | boolean)[] =>
    listedChildren(value, keyword)
      .slice(0, MAX_CHOICES)
      .filter((each) => !isNode(each) || each['type'] !== 'null')
      .map((each) => fileKindOf({ value: each, base }, parts, depth + 1));
  const whole = kindsOf('allOf').find((kind) => kind !== false);
  if (whole !== undefined) return whole;
  // One file, or several: an array can represent both.
  const choices = [...kindsOf('anyOf'), ...kindsOf('oneOf')];
  if (choices.length === 0 || choices.includes(false)) return false;
  return choices.includes('list') ? 'list' : true;
}

/** Maximum number of alternatives that are searched for a file. */
const MAX_CHOICES = 4;
