import { GivenFile } from '../support/request-case.ts';
import type { RequestCase } from '../support/request-case.ts';

const STRING = { type: 'string' };
/** Bytes that are not text in any encoding. */
const BYTES = 'AAH/gP4NCg==';
const PNG = 'iVBORw0KGgo=';

/** Text and binary request bodies. */
export const CONTENT_CASES: readonly RequestCase[] = [
  {
    name: 'lines of JSON',
    path: '/body/lines',
    content: { 'application/x-ndjson': { schema: { type: 'array', items: { type: 'object' } } } },
    given: { body: [{ a: 1 }, { a: 'x\ny' }] },
    target: '/body/lines',
    headers: { 'content-type': 'application/x-ndjson' },
    body: { text: '{"a":1}\n{"a":"x\\ny"}\n' },
  },
  {
    name: 'plain text',
    path: '/body/text',
    content: { 'text/plain': { schema: STRING } },
    given: { body: 'a "b"\n{c} é😀' },
    target: '/body/text',
    headers: { 'content-type': 'text/plain' },
    body: { text: 'a "b"\n{c} é😀' },
  },
  {
    name: 'CSV',
    path: '/body/csv',
    content: { 'text/csv': { schema: STRING } },
    given: { body: 'a,b\r\n1,2\r\n' },
    target: '/body/csv',
    headers: { 'content-type': 'text/csv' },
    body: { text: 'a,b\r\n1,2\r\n' },
  },
  {
    name: 'XML, as it is written',
    path: '/body/xml',
    content: { 'application/xml': { schema: { type: 'object', properties: { a: STRING } } } },
    given: { body: '<pet><a>1 &amp; 2</a></pet>' },
    target: '/body/xml',
    headers: { 'content-type': 'application/xml' },
    body: { text: '<pet><a>1 &amp; 2</a></pet>' },
  },
  {
    name: 'bytes',
    path: '/body/bytes',
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    given: { body: new GivenFile(BYTES, 'data.bin', 'application/octet-stream') },
    args: { body: BYTES },
    target: '/body/bytes',
    headers: { 'content-type': 'application/octet-stream' },
    body: { base64: BYTES },
  },
  {
    name: 'bytes, of which nothing is said',
    path: '/body/bytes-unsaid',
    only: '3.1',
    content: { 'application/octet-stream': {} },
    given: { body: new GivenFile(BYTES, 'data.bin', 'application/octet-stream') },
    args: { body: { data: BYTES } },
    target: '/body/bytes-unsaid',
    headers: { 'content-type': 'application/octet-stream' },
    body: { base64: BYTES },
  },
  {
    name: 'an image',
    method: 'put',
    path: '/body/image',
    content: { 'image/png': { schema: { type: 'string', format: 'binary' } } },
    given: { body: new GivenFile(PNG, 'a.png', 'image/png') },
    args: { body: { uri: `data:image/png;base64,${PNG}` } },
    target: '/body/image',
    headers: { 'content-type': 'image/png' },
    body: { base64: PNG },
  },
  {
    name: 'any image',
    method: 'put',
    path: '/body/any-image',
    content: { 'image/*': { schema: { type: 'string', format: 'binary' } } },
    given: { body: new GivenFile(PNG, 'a.png', 'image/png') },
    args: { body: { data: PNG, mimeType: 'image/png' } },
    target: '/body/any-image',
    headers: { 'content-type': 'image/png' },
    body: { base64: PNG },
  },
];
