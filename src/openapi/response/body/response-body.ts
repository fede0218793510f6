import { isUtf8 } from 'node:buffer';
import type { OutboundAnswer } from '../../../outbound/outbound-client.ts';
import { decodeText, findByteOrder, parseContentType } from './content-type.ts';

/** The body of a response, by kind. */
export type ResponseBody =
  | { readonly kind: 'empty' }
  /** `isDeclared`: the content type is JSON; otherwise the text only looks like it. */
  | { readonly kind: 'json'; readonly text: string; readonly type: string; readonly isDeclared: boolean }
  | { readonly kind: 'text'; readonly text: string; readonly type: string }
  | { readonly kind: 'image' | 'audio' | 'binary'; readonly type: string };

/** Classifies a body by its content type. If a part is selected, every text is tried as JSON. */
export function readBody({ headers, body }: OutboundAnswer, triesJson = false): ResponseBody {
  if (body.length === 0) return { kind: 'empty' };
  const { essence, charset } = parseContentType(headers.get('content-type'));
  // A byte order mark wins over the header.
  const encoding = findByteOrder(body) ?? charset;
  const isJson = essence === 'application/json' || essence === 'text/json' || essence.endsWith('+json');
  const isReadable =
    essence === ''
      ? charset !== undefined || (isUtf8(body) && !body.includes(0))
      : (isJson || isTextType(essence)) &&
        // Binary data with a text type, as some servers send every download.
        (encoding !== undefined || !body.subarray(0, LOOKED_AT).includes(0));
  if (!isReadable) return { kind: kindOfBytes(essence), type: essence || UNKNOWN };
  const text = decodeText(body, encoding);
  const [start] = /\S/.exec(text) ?? [];
  if (start === undefined) return { kind: 'empty' };
  if (isJson) return { kind: 'json', text, type: essence, isDeclared: true };
  const looksLikeJson = (start === '{' || start === '[') && (essence === '' || triesJson);
  return looksLikeJson
    ? { kind: 'json', text, type: essence, isDeclared: false }
    : { kind: 'text', text, type: essence };
}

const UNKNOWN = 'application/octet-stream';

const LOOKED_AT = 8192;

function kindOfBytes(type: string): 'image' | 'audio' | 'binary' {
  if (type.startsWith('image/')) return 'image';
  return type.startsWith('audio/') ? 'audio' : 'binary';
}

function isTextType(type: string): boolean {
  return (
    type.startsWith('text/') ||
    type.startsWith('message/') ||
    /[/+](?:xml|yaml)$/.test(type) ||
    TEXTS.has(type.replace('application/', '').replace(/^x-/, ''))
  );
}

/** Text subtypes of `application/` and `application/x-`. */
const TEXTS = new Set([
  'javascript',
  'ecmascript',
  'typescript',
  'www-form-urlencoded',
  'ndjson',
  'jsonl',
  'jsonlines',
  'json-lines',
  'json-seq',
  'json5',
  'csv',
  'yaml',
  'yml',
  'toml',
  'sql',
  'graphql',
  'markdown',
  'pem-file',
  'sh',
  'tex',
  'latex',
]);
