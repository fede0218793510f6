import { findHeaderMistake } from '../../../outbound/request-headers.ts';

/** How values of a media type are written. */
export type MediaKind = 'json' | 'json-lines' | 'json-sequence' | 'form' | 'multipart' | 'xml' | 'text';

/** A media type of a document. */
export interface MediaType {
  readonly kind: MediaKind;
  /** What is sent as the content type; a range stands for the type that fits it best. */
  readonly sent: string;
  /** Such as `image/*`. */
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

/** What stands for a range. Everything else that is one is a file, and says itself what it is. */
const RANGES: ReadonlyMap<string, string> = new Map([
  ['*', 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['multipart/*', 'multipart/form-data'],
  ['text/*', 'text/plain'],
]);

/** Reads a media type as documents write it. Of several with commas between, the first counts. */
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

/** A parameter of a media type, such as its charset, in small letters. */
export function parameterOf(mediaType: string, name: string): string | undefined {
  for (const parameter of mediaType.toLowerCase().split(';').slice(1)) {
    const [key = '', value = ''] = parameter.split('=');
    if (key.trim() === name) return value.trim().replaceAll('"', '');
  }
  return undefined;
}

/** Of a list such as `image/png, image/*`, the first one that can be sent. */
export function firstConcrete(list: string | undefined): string | undefined {
  return list
    ?.split(',')
    .map((type) => type.trim())
    .find((type) => type !== '' && !type.includes('*'));
}

/** Whether somebody may say this of a file: one type, and nothing that would end the line. */
export function isConcreteMediaType(text: string): boolean {
  return (
    /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;[\u0020-\u007E]*)?$/.test(text) &&
    findHeaderMistake('content-type', text) === undefined
  );
}
