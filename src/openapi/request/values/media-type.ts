import { findHeaderMistake } from '../../../outbound/request-headers.ts';

/** Serialization of a media type. */
export type MediaKind = 'json' | 'json-lines' | 'json-sequence' | 'form' | 'multipart' | 'xml' | 'text';

/** A parsed media type of a document. */
export interface MediaType {
  readonly kind: MediaKind;
  /** The content type that is sent; for a range, the type that matches it best. */
  readonly sent: string;
  /** Whether it is a range such as `image/*`. */
  readonly isRange: boolean;
}

const JSON_LINES = new Set([
  'application/jsonl',
  'application/jsonlines',
  'application/json-lines',
  'application/ndjson',
  'application/x-jsonl',
  'application/x-jsonlines',
  'application/x-ndjson',
]);

/** Types that are sent for ranges. Every other range is a file, whose own type is sent. */
const RANGES: ReadonlyMap<string, string> = new Map([
  ['*', 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['multipart/*', 'multipart/form-data'],
  ['text/*', 'text/plain'],
]);

/** Parses a media type of a document. Of a comma-separated list, the first counts. */
export function readMediaType(written: string): MediaType {
  const [first = ''] = written.split(',');
  const [range = ''] = first.split(';');
  const isRange = range.includes('*');
  const sent = isRange
    ? (RANGES.get(range.trim().toLowerCase()) ?? 'application/octet-stream')
    : first.trim();
  return { kind: kindOf(sent), sent, isRange };
}

function kindOf(mediaType: string): MediaKind {
  const [essence = ''] = mediaType.toLowerCase().split(';');
  const type = essence.trim();
  if (type === 'application/json' || type.endsWith('/json') || type.endsWith('+json')) return 'json';
  if (JSON_LINES.has(type)) return 'json-lines';
  if (type.endsWith('json-seq')) return 'json-sequence';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) return 'multipart';
  if (type.endsWith('/xml') || type.endsWith('+xml')) return 'xml';
  return 'text';
}

/** A parameter of a media type, such as its charset, in lower case. */
export function parameterOf(mediaType: string, name: string): string | undefined {
  for (const parameter of mediaType.toLowerCase().split(';').slice(1)) {
    const [key = '', value = ''] = parameter.split('=');
    if (key.trim() === name) return value.trim().replaceAll('"', '');
  }
  return undefined;
}

/** The first type of a list such as `image/png, image/*` that can be sent. */
export function firstConcrete(list: string | undefined): string | undefined {
  return list
    ?.split(',')
    .map((type) => type.trim())
    .find((type) => type !== '' && !type.includes('*'));
}

/** Whether the text is one valid media type of a file, without line breaks. */
export function isConcreteMediaType(text: string): boolean {
  return (
    /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;[\u0020-\u007E]*)?$/.test(text) &&
    findHeaderMistake('content-type', text) === undefined
  );
}
