import type { RequestCase } from '../support/request-case.ts';

const STRING = { type: 'string' };
const JSON_TYPE = { 'content-type': 'application/json' };
/** Bytes that are not text in any encoding. */
const BYTES = 'AAH/gP4NCg==';

function json(path: string, schema: object | undefined, body: unknown): Omit<RequestCase, 'name' | 'body'> {
  return {
    path,
    content: { 'application/json': schema === undefined ? {} : { schema } },
    given: { body },
    target: path,
    headers: JSON_TYPE,
  };
}

/** JSON request bodies. */
export const JSON_CASES: readonly RequestCase[] = [
  {
    ...json(
      '/body/json/object',
      {
        type: 'object',
        required: ['name'],
        properties: {
          name: STRING,
          age: { type: 'integer' },
          price: { type: 'number' },
          isNew: { type: 'boolean' },
          tags: { type: 'array', items: STRING },
          owner: { type: 'object', properties: { name: STRING, 'x y': STRING } },
        },
      },
      {
        name: 'a "b" & é😀\n',
        age: 0,
        price: 1.5,
        isNew: false,
        tags: [],
        owner: { name: '', 'x y': 'z' },
      },
    ),
    name: 'JSON, an object',
    body: {
      text: String.raw`{"name":"a \"b\" & é😀\n","age":0,"price":1.5,"isNew":false,"tags":[],"owner":{"name":"","x y":"z"}}`,
    },
  },
  {
    ...json('/body/json/array', { type: 'array', items: { type: 'object', properties: { id: STRING } } }, [
      { id: '1' },
      { id: '2' },
    ]),
    name: 'JSON, a list of objects',
    body: { text: '[{"id":"1"},{"id":"2"}]' },
  },
  {
    ...json('/body/json/string', STRING, 'plain "text"'),
    name: 'JSON, a text',
    body: { text: String.raw`"plain \"text\""` },
  },
  { ...json('/body/json/number', { type: 'number' }, 42.5), name: 'JSON, a number', body: { text: '42.5' } },
  {
    ...json('/body/json/boolean', { type: 'boolean' }, false),
    name: 'JSON, a boolean',
    body: { text: 'false' },
  },
  {
    ...json('/body/json/null', { type: ['object', 'null'], properties: { a: STRING } }, null),
    name: 'JSON, null',
    only: '3.1',
    body: { text: 'null' },
  },
  {
    ...json(
      '/body/json/null-property',
      { type: 'object', properties: { a: { type: ['string', 'null'] }, b: STRING } },
      {
        a: null,
        b: 'x',
      },
    ),
    name: 'JSON, a property that is null',
    only: '3.1',
    body: { text: '{"a":null,"b":"x"}' },
  },
  {
    ...json(
      '/body/json/map',
      { type: 'object', additionalProperties: { type: 'integer' } },
      { 'a b': 1, c: 2 },
    ),
    name: 'JSON, any properties',
    args: { body: { 'a b': 1, c: 2 } },
    body: { text: '{"a b":1,"c":2}' },
  },
  {
    ...json('/body/json/anything', undefined, { a: [1, { b: null }] }),
    name: 'JSON, of which nothing is said',
    args: { body: { a: [1, { b: null }] } },
    body: { text: '{"a":[1,{"b":null}]}' },
  },
  {
    ...json(
      '/body/json/one-of',
      {
        oneOf: [
          { type: 'object', required: ['cat'], properties: { cat: STRING } },
          { type: 'object', required: ['dog'], properties: { dog: STRING } },
        ],
      },
      { dog: 'Rex' },
    ),
    name: 'JSON, one of several objects',
    args: { body: { dog: 'Rex' } },
    body: { text: '{"dog":"Rex"}' },
  },
  {
    ...json(
      '/body/json/all-of',
      {
        allOf: [
          { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
          { type: 'object', properties: { name: STRING } },
        ],
      },
      { id: 1, name: 'x' },
    ),
    name: 'JSON, several objects in one',
    body: { text: '{"id":1,"name":"x"}' },
  },
  {
    ...json(
      '/body/json/names',
      { type: 'object', properties: { 'a[b]': STRING, $c: STRING, 'd e': STRING } },
      {
        'a[b]': '1',
        $c: '2',
        'd e': '3',
      },
    ),
    name: 'JSON, properties with other characters in their names',
    args: { a_b: '1', c: '2', d_e: '3' },
    body: { text: '{"a[b]":"1","$c":"2","d e":"3"}' },
  },
  {
    ...json(
      '/body/json/bytes',
      { type: 'object', properties: { data: { type: 'string', format: 'byte' } } },
      { data: BYTES },
    ),
    name: 'JSON, bytes as base64',
    body: { text: `{"data":"${BYTES}"}` },
  },
  {
    ...json(
      '/body/json/read-only',
      {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'integer', readOnly: true }, name: STRING },
      },
      { name: 'x' },
    ),
    name: 'JSON, without what is read-only',
    body: { text: '{"name":"x"}' },
  },
  {
    ...json('/body/json/empty', { type: 'object', properties: {}, additionalProperties: false }, {}),
    name: 'JSON, an object without properties',
    body: { text: '{}' },
  },
  {
    name: 'JSON of a vendor',
    path: '/body/json/vendor',
    content: {
      'application/vnd.api+json': { schema: { type: 'object', properties: { data: { type: 'object' } } } },
    },
    given: { body: { data: { type: 'pets' } } },
    target: '/body/json/vendor',
    headers: { 'content-type': 'application/vnd.api+json' },
    body: { text: '{"data":{"type":"pets"}}' },
  },
  {
    name: 'JSON with a charset',
    path: '/body/json/charset',
    content: { 'application/json; charset=utf-8': { schema: { type: 'object', properties: { a: STRING } } } },
    given: { body: { a: 'é' } },
    target: '/body/json/charset',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: { text: '{"a":"é"}' },
  },
  {
    name: 'JSON merge patch',
    method: 'patch',
    path: '/body/json/merge-patch',
    only: '3.1',
    content: {
      'application/merge-patch+json': {
        schema: { type: 'object', properties: { a: { type: ['string', 'null'] }, b: { type: 'object' } } },
      },
    },
    given: { body: { a: null, b: { c: null } } },
    target: '/body/json/merge-patch',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { text: '{"a":null,"b":{"c":null}}' },
  },
  {
    name: 'JSON patch',
    method: 'patch',
    path: '/body/json/patch',
    content: {
      'application/json-patch+json': {
        schema: { type: 'array', items: { type: 'object', properties: { op: STRING, path: STRING } } },
      },
    },
    given: { body: [{ op: 'remove', path: '/a' }] },
    target: '/body/json/patch',
    headers: { 'content-type': 'application/json-patch+json' },
    body: { text: '[{"op":"remove","path":"/a"}]' },
  },
  {
    name: 'JSON before other types',
    path: '/body/json/preferred',
    content: {
      'application/xml': { schema: { type: 'object', properties: { a: STRING } } },
      'application/x-www-form-urlencoded': { schema: { type: 'object', properties: { a: STRING } } },
      'application/json': { schema: { type: 'object', properties: { a: STRING } } },
    },
    given: { body: { a: 'x' } },
    target: '/body/json/preferred',
    headers: JSON_TYPE,
    body: { text: '{"a":"x"}' },
  },
];
