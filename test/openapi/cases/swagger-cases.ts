import { GivenFile } from '../support/request-case.ts';
import type { RequestCase } from '../support/request-case.ts';

const TEXT = 'a b&c=d+e#f%g?h,i/é😀';
const WRITTEN = 'a%20b%26c%3Dd%2Be%23f%25g%3Fh%2Ci%2F%C3%A9%F0%9F%98%80';
const FORM = 'application/x-www-form-urlencoded';
const BYTES = 'AAH/gP4NCg==';

function list(
  name: string,
  place: string,
  collectionFormat?: string,
): NonNullable<RequestCase['parameters']>[0] {
  return {
    name,
    in: place,
    type: 'array',
    items: { type: 'string' },
    ...(place === 'path' ? { required: true } : {}),
    ...(collectionFormat === undefined ? {} : { collectionFormat }),
  };
}

/** The same as Swagger 2.0. */
export const SWAGGER_CASES: readonly RequestCase[] = [
  {
    name: 'path, query and header',
    path: '/two/plain/{id}',
    parameters: [
      { name: 'id', in: 'path', required: true, type: 'string' },
      { name: 'q', in: 'query', type: 'string' },
      { name: 'limit', in: 'query', type: 'integer' },
      { name: 'X-Trace', in: 'header', type: 'string' },
    ],
    given: { path: { id: 'a b' }, query: { q: TEXT, limit: 5 }, header: { 'X-Trace': 't 1' } },
    target: `/two/plain/a%20b?q=${WRITTEN}&limit=5`,
    headers: { 'x-trace': 't 1' },
  },
  {
    name: 'query, a list, nothing said of its format',
    path: '/two/list/usual',
    parameters: [list('p', 'query')],
    given: { query: { p: ['red', TEXT] } },
    target: `/two/list/usual?p=red,${WRITTEN}`,
  },
  {
    name: 'query, csv',
    path: '/two/list/csv',
    parameters: [list('p', 'query', 'csv')],
    given: { query: { p: ['red', TEXT] } },
    target: `/two/list/csv?p=red,${WRITTEN}`,
  },
  {
    name: 'query, ssv',
    path: '/two/list/ssv',
    parameters: [list('p', 'query', 'ssv')],
    given: { query: { p: ['red', 'a&b'] } },
    target: '/two/list/ssv?p=red%20a%26b',
  },
  {
    name: 'query, tsv',
    path: '/two/list/tsv',
    parameters: [list('p', 'query', 'tsv')],
    given: { query: { p: ['red', 'a b'] } },
    target: '/two/list/tsv?p=red%09a%20b',
  },
  {
    name: 'query, pipes',
    path: '/two/list/pipes',
    parameters: [list('p', 'query', 'pipes')],
    given: { query: { p: ['red', 'a b'] } },
    target: '/two/list/pipes?p=red%7Ca%20b',
  },
  {
    name: 'query, multi',
    path: '/two/list/multi',
    parameters: [list('p', 'query', 'multi')],
    given: { query: { p: ['red', TEXT] } },
    target: `/two/list/multi?p=red&p=${WRITTEN}`,
  },
  {
    name: 'path, csv and pipes',
    path: '/two/path/{ids}/{names}',
    parameters: [list('ids', 'path'), list('names', 'path', 'pipes')],
    given: { path: { ids: ['1', '2'], names: ['a', 'b c'] } },
    target: '/two/path/1,2/a%7Cb%20c',
  },
  {
    name: 'header, csv, pipes and ssv',
    path: '/two/header',
    parameters: [
      list('X-Ids', 'header'),
      list('X-Names', 'header', 'pipes'),
      list('X-Tags', 'header', 'ssv'),
    ],
    given: { header: { 'X-Ids': ['1', '2 3'], 'X-Names': ['a', 'b c'], 'X-Tags': ['d', 'e'] } },
    target: '/two/header',
    headers: { 'x-ids': '1,2 3', 'x-names': 'a|b c', 'x-tags': 'd e' },
  },
  {
    name: 'a body',
    path: '/two/body/object',
    parameters: [
      {
        name: 'pet',
        in: 'body',
        required: true,
        schema: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, age: { type: 'integer' } },
        },
      },
    ],
    given: { body: { name: 'é "x"', age: 3 } },
    target: '/two/body/object',
    headers: { 'content-type': 'application/json' },
    body: { text: String.raw`{"name":"é \"x\"","age":3}` },
  },
  {
    name: 'a body that is a list, beside a query',
    path: '/two/body/list',
    parameters: [
      { name: 'dry', in: 'query', type: 'boolean' },
      { name: 'ids', in: 'body', required: true, schema: { type: 'array', items: { type: 'integer' } } },
    ],
    given: { query: { dry: true }, body: [1, 2] },
    target: '/two/body/list?dry=true',
    headers: { 'content-type': 'application/json' },
    body: { text: '[1,2]' },
  },
  {
    name: 'a body of a vendor type',
    path: '/two/body/vendor',
    consumes: ['application/vnd.pet+json'],
    parameters: [
      { name: 'pet', in: 'body', schema: { type: 'object', properties: { name: { type: 'string' } } } },
    ],
    given: { body: { name: 'x' } },
    target: '/two/body/vendor',
    headers: { 'content-type': 'application/vnd.pet+json' },
    body: { text: '{"name":"x"}' },
  },
  {
    name: 'a body that is text',
    path: '/two/body/text',
    consumes: ['text/plain'],
    parameters: [{ name: 'note', in: 'body', required: true, schema: { type: 'string' } }],
    given: { body: 'a\nb' },
    target: '/two/body/text',
    headers: { 'content-type': 'text/plain' },
    body: { text: 'a\nb' },
  },
  {
    name: 'a form',
    path: '/two/form/plain',
    consumes: [FORM],
    parameters: [
      { name: 'name', in: 'formData', type: 'string', required: true },
      { name: 'count', in: 'formData', type: 'integer' },
    ],
    given: { body: { name: TEXT, count: 0 } },
    target: '/two/form/plain',
    headers: { 'content-type': FORM },
    body: { text: 'name=a+b%26c%3Dd%2Be%23f%25g%3Fh%2Ci%2F%C3%A9%F0%9F%98%80&count=0' },
  },
  {
    name: 'a form, nothing said of its type',
    path: '/two/form/usual',
    parameters: [{ name: 'name', in: 'formData', type: 'string' }],
    given: { body: { name: 'x y' } },
    target: '/two/form/usual',
    headers: { 'content-type': FORM },
    body: { text: 'name=x+y' },
  },
  {
    name: 'a form with lists',
    path: '/two/form/lists',
    consumes: [FORM],
    parameters: [list('a', 'formData'), list('b', 'formData', 'multi'), list('c', 'formData', 'pipes')],
    given: { body: { a: ['1', '2'], b: ['3', '4'], c: ['5', '6'] } },
    target: '/two/form/lists',
    headers: { 'content-type': FORM },
    body: { text: 'a=1,2&b=3&b=4&c=5%7C6' },
  },
  {
    name: 'a file beside a field and a path',
    path: '/two/form/file/{id}',
    consumes: ['multipart/form-data'],
    parameters: [
      { name: 'id', in: 'path', required: true, type: 'integer' },
      { name: 'note', in: 'formData', type: 'string' },
      { name: 'file', in: 'formData', type: 'file', required: true },
    ],
    given: {
      path: { id: 7 },
      body: { note: 'n', file: new GivenFile(BYTES, 'f.bin', 'application/x-f') },
    },
    args: { id: 7, note: 'n', file: { data: BYTES, name: 'f.bin', mimeType: 'application/x-f' } },
    target: '/two/form/file/7',
    body: {
      parts: [
        { name: 'note', text: 'n' },
        { name: 'file', file: { name: 'f.bin', base64: BYTES }, type: 'application/x-f' },
      ],
    },
  },
  {
    name: 'one name in the path and in the form',
    path: '/two/form/names/{id}',
    consumes: [FORM],
    parameters: [
      { name: 'id', in: 'path', required: true, type: 'string' },
      { name: 'id', in: 'formData', type: 'string' },
    ],
    method: 'post',
    given: { path: { id: 'p' }, body: { id: 'f' } },
    args: { id: 'p', body_id: 'f' },
    target: '/two/form/names/p',
    headers: { 'content-type': FORM },
    body: { text: 'id=f' },
  },
];
