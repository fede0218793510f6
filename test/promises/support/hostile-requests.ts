import { JSON_FIELDS, mirrorFields, toBytes, toolCall } from './canary.ts';
import type { Field } from './canary.ts';

/** A request whose end is ambiguous; a parser that ends it too early finds a call of the canary after it. */
export interface HostileRequest {
  readonly title: string;
  readonly bytes: Buffer;
}

/** Closes its connection, so that a parser that reads it hangs up soon. */
export const CANARY: string = toBytes({
  ...toolCall('canary'),
  fields: [['Host', '127.0.0.1'], ['Connection', 'close'], ...toolCall('canary').fields],
}).toString('latin1');

const SIZE = CANARY.length;
const CHUNK = `${SIZE.toString(16)}\r\n${CANARY}\r\n`;
/** Chunked encoding that ends immediately, and the bytes after it. */
const EMPTY_CHUNKS = `0\r\n\r\n${CANARY}`;

/**
 * A chunk of three bytes whose extension may end at the line feed or at the end of the line. Then comes a chunk that contains the canary,
 * or three bytes, the last chunk and the canary.
 */
const TWO_ENDS = `3;a\n{ }\r\n${EMPTY_CHUNKS.length.toString(16)}\r\n${EMPTY_CHUNKS}\r\n0\r\n\r\n`;

const HEAD = [['Host', '127.0.0.1'], ...JSON_FIELDS, ...mirrorFields('tools/call', 'echo')] as const;

/** Raw header lines below a valid request line; `body` follows the empty line. */
function post(lines: string, body: string, version = '1.1'): Buffer {
  const head = HEAD.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`POST /mcp HTTP/${version}\r\n${head}${lines}\r\n\r\n${body}`, 'latin1');
}

const chunked = (body: string): Buffer => post('Transfer-Encoding: chunked', body);
const both = (coding: string): Buffer => post(`Content-Length: ${SIZE + 5}\r\n${coding}`, EMPTY_CHUNKS);

/** Requests with an ambiguous end. Each gets one response, 400, and the connection is closed. */
export const MALFORMED: readonly HostileRequest[] = [
  { title: 'a length and chunks', bytes: both('Transfer-Encoding: chunked') },
  {
    title: 'chunks and a short length',
    bytes: post('Transfer-Encoding: chunked\r\nContent-Length: 5', `${CHUNK}0\r\n\r\n`),
  },
  { title: 'two lengths, the first longer', bytes: lengths(`${SIZE}`, '0') },
  { title: 'two lengths, the second longer', bytes: lengths('0', `${SIZE}`) },
  { title: 'a list of lengths', bytes: lengths(`0, ${SIZE}`) },
  { title: 'a length with a sign', bytes: lengths(`+${SIZE}`) },
  { title: 'a length with a space in it', bytes: lengths(`0 ${SIZE}`) },
  { title: 'a length beyond 64 bits', bytes: lengths(String(2n ** 64n)) },
  { title: 'a length in hexadecimal', bytes: lengths(`0x${SIZE.toString(16)}`) },
  { title: 'a space before the colon of a length', bytes: post(`Content-Length : ${SIZE}`, CANARY) },
  { title: 'a length and an unknown coding', bytes: both('Transfer-Encoding: xchunked') },
  { title: 'chunks that are not the last coding', bytes: both('Transfer-Encoding: chunked, identity') },
  {
    title: 'two codings in two headers',
    bytes: post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', EMPTY_CHUNKS),
  },
  { title: 'a space before the colon of a coding', bytes: both('Transfer-Encoding : chunked') },
  { title: 'a coding behind a vertical tab', bytes: both('Transfer-Encoding: \u000bchunked') },
  { title: 'a coding on a line of its own', bytes: both('Transfer-Encoding:\r\n chunked') },
  { title: 'a coding in a folded line', bytes: both('X-Folded: a\r\n Transfer-Encoding: chunked') },
  { title: 'a coding behind a bare line feed', bytes: both('X-Feed: a\nTransfer-Encoding: chunked') },
  { title: 'a coding behind a bare carriage return', bytes: both('X-Return: a\rTransfer-Encoding: chunked') },
  { title: 'a NUL in a header', bytes: post(`X-Nul: a\0b\r\nContent-Length: ${SIZE}`, CANARY) },
  { title: 'a chunk of negative size', bytes: chunked(`-1\r\n\r\n${EMPTY_CHUNKS}`) },
  { title: 'a chunk beyond 64 bits', bytes: chunked(`10000000000000002\r\n{}\r\n${EMPTY_CHUNKS}`) },
  { title: 'a bare line feed in the extension of a chunk', bytes: chunked(TWO_ENDS) },
  {
    title: 'chunks in HTTP/1.0',
    bytes: post('Transfer-Encoding: chunked\r\nConnection: keep-alive', EMPTY_CHUNKS, '1.0'),
  },
];

function lengths(...values: readonly string[]): Buffer {
  return post(values.map((value) => `Content-Length: ${value}`).join('\r\n'), CANARY);
}

/** Valid requests with the canary as their body. Each is rejected once, whatever its body contains. */
export const HIDDEN: readonly HostileRequest[] = [
  { title: 'in the body of a GET', bytes: hide('GET', []) },
  { title: 'in a body that is no JSON', bytes: hide('POST', [['Content-Type', 'text/plain']]) },
  { title: 'in a body for another host', bytes: hide('POST', [['Host', 'evil.example'], ...JSON_FIELDS]) },
  {
    title: 'in a body for a WebSocket',
    bytes: hide('GET', [
      ['Connection', 'Upgrade'],
      ['Upgrade', 'websocket'],
    ]),
  },
  {
    title: 'in a body that waits to be let in',
    bytes: hide('POST', [['Expect', '100-continue'], ...JSON_FIELDS]),
  },
  { title: 'in chunks', bytes: chunked(`${CHUNK}0\r\n\r\n`) },
];

function hide(method: string, fields: readonly Field[]): Buffer {
  const host: readonly Field[] = fields.some(([name]) => name === 'Host') ? [] : [['Host', '127.0.0.1']];
  return toBytes({ method, target: '/mcp', fields: [...host, ...fields], body: CANARY });
}
