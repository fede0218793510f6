import type { RequestCase } from '../support/request-case.ts';

const STRING = { type: 'string' };

/** Values in several locations of one request. */
export const MIXED_CASES: readonly RequestCase[] = [
  {
    name: 'one name in every place',
    path: '/mixed/names/{id}',
    parameters: [
      { name: 'id', in: 'path', schema: STRING },
      { name: 'id', in: 'query', schema: STRING },
      { name: 'id', in: 'header', schema: STRING },
      { name: 'id', in: 'cookie', schema: STRING },
    ],
    content: { 'application/json': { schema: { type: 'object', properties: { id: STRING } } } },
    given: {
      path: { id: 'p' },
      query: { id: 'q' },
      header: { id: 'h' },
      cookie: { id: 'c' },
      body: { id: 'b' },
    },
    args: { id: 'p', query_id: 'q', header_id: 'h', cookie_id: 'c', body_id: 'b' },
    target: '/mixed/names/p?id=q',
    headers: { id: 'h', cookie: 'id=c' },
    body: { text: '{"id":"b"}' },
  },
  {
    name: 'a parameter that is called body',
    path: '/mixed/body-name',
    parameters: [{ name: 'body', in: 'query', schema: STRING }],
    content: { 'application/json': { schema: { type: 'array', items: STRING } } },
    given: { query: { body: 'q' }, body: ['a'] },
    args: { body: 'q', request_body: ['a'] },
    target: '/mixed/body-name?body=q',
    headers: { 'content-type': 'application/json' },
    body: { text: '["a"]' },
  },
  {
    name: 'different styles in one query',
    path: '/mixed/styles',
    parameters: [
      { name: 'tags', in: 'query', schema: { type: 'array', items: STRING } },
      { name: 'ids', in: 'query', explode: false, schema: { type: 'array', items: STRING } },
      {
        name: 'sizes',
        in: 'query',
        style: 'pipeDelimited',
        explode: false,
        schema: { type: 'array', items: STRING },
      },
      {
        name: 'f',
        in: 'query',
        style: 'deepObject',
        explode: true,
        schema: { type: 'object', properties: { a: STRING } },
      },
      { name: 'q', in: 'query', schema: STRING },
    ],
    given: { query: { tags: ['a', 'b'], ids: ['1', '2'], sizes: ['s', 'm'], f: { a: 'x' }, q: 'y' } },
    target: '/mixed/styles?tags=a&tags=b&ids=1,2&sizes=s%7Cm&f%5Ba%5D=x&q=y',
  },
  {
    name: 'PUT with a path, a query, a header and a body',
    method: 'put',
    path: '/mixed/all/{pet id}',
    parameters: [
      { name: 'pet id', in: 'path', schema: { type: 'integer' } },
      { name: 'dry_run', in: 'query', schema: { type: 'boolean' } },
      { name: 'If-Match', in: 'header', schema: STRING },
    ],
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['name'],
          properties: { name: STRING, tags: { type: 'array', items: STRING } },
        },
      },
    },
    given: {
      path: { 'pet id': 3 },
      query: { dry_run: true },
      header: { 'If-Match': '"1"' },
      body: { name: 'Rex', tags: [] },
    },
    args: { pet_id: 3, dry_run: true, 'If-Match': '"1"', name: 'Rex', tags: [] },
    target: '/mixed/all/3?dry_run=true',
    headers: { 'if-match': '"1"', 'content-type': 'application/json' },
    body: { text: '{"name":"Rex","tags":[]}' },
  },
  {
    name: 'a header outside of ASCII beside a body',
    path: '/mixed/latin',
    parameters: [{ name: 'X-Note', in: 'header', schema: STRING }],
    content: { 'application/json': { schema: { type: 'object', properties: { a: STRING } } } },
    given: { header: { 'X-Note': 'é' }, body: { a: 'é' } },
    target: '/mixed/latin',
    headers: { 'x-note': 'é', 'content-type': 'application/json' },
    body: { text: '{"a":"é"}' },
  },
  {
    name: 'DELETE with a body',
    method: 'delete',
    path: '/mixed/delete',
    content: {
      'application/json': {
        schema: { type: 'object', properties: { ids: { type: 'array', items: { type: 'integer' } } } },
      },
    },
    given: { body: { ids: [1, 2] } },
    target: '/mixed/delete',
    headers: { 'content-type': 'application/json' },
    body: { text: '{"ids":[1,2]}' },
  },
  { name: 'HEAD', method: 'head', path: '/mixed/head', given: {}, target: '/mixed/head' },
  { name: 'OPTIONS', method: 'options', path: '/mixed/options', given: {}, target: '/mixed/options' },
  { name: 'TRACE', method: 'trace', path: '/mixed/trace', given: {}, target: '/mixed/trace' },
  {
    name: 'PATCH',
    method: 'patch',
    path: '/mixed/patch',
    content: { 'application/json': { schema: { type: 'object', properties: { a: { type: 'integer' } } } } },
    given: { body: { a: 1 } },
    target: '/mixed/patch',
    headers: { 'content-type': 'application/json' },
    body: { text: '{"a":1}' },
  },
];
