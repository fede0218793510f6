import { OutboundError } from './outbound-error.ts';
import type { OutboundRequest } from './outbound-request.ts';

/** Valid HTTP header names (tokens). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Characters that are not allowed in a header value: a line break would start another header. */
// oxlint-disable-next-line no-control-regex -- those are what is looked for
const NO_VALUE = /[^\t\u0020-\u007E\u0080-\u00FF]/;
/** Headers that the connection or this client sets. */
const OURS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Method and headers of a request. Credentials are added for their own origin, and rejected for any other. */
export function toHeaders(
  { method = 'GET', url, headers = {}, credentials }: OutboundRequest,
  userAgent: string,
): { method: string; headers: Record<string, string> } {
  if (!TOKEN.test(method))
    throw new OutboundError('blocked', `Invalid HTTP method ${JSON.stringify(method)}.`);
  if (credentials !== undefined && credentials.origin !== url.origin) {
    throw new OutboundError(
      'blocked',
      `The credentials are for ${credentials.origin}, not for ${url.origin}.`,
    );
  }
  if (url.username !== '' || url.password !== '')
    throw new OutboundError('blocked', 'The URL must not have a user name or password. Use credentials.');
  const all: Record<string, string> = { 'user-agent': userAgent, accept: 'application/json, */*;q=0.5' };
  for (const [name, value] of [...Object.entries(headers), ...Object.entries(credentials?.headers ?? {})]) {
    const mistake = findHeaderMistake(name, value);
    if (mistake !== undefined) throw new OutboundError('blocked', mistake);
    all[name.toLowerCase()] = value;
  }
  return { method: method.toUpperCase(), headers: all };
}

/** The problem with a header, without its value; undefined if the header can be sent. */
export function findHeaderMistake(name: string, value: unknown): string | undefined {
  const lower = name.toLowerCase();
  if (!TOKEN.test(name) || OURS.has(lower)) return `The header ${JSON.stringify(name)} cannot be set.`;
  if (typeof value !== 'string' || NO_VALUE.test(value))
    return `The value of the header "${lower}" has characters that are not allowed in a header.`;
  return undefined;
}

/** Whether the request has an idempotency key, so that the server can recognize a retry. */
export function hasIdempotencyKey(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');
}
