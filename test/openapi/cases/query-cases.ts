import type { RequestCase } from '../support/request-case.ts';

/** All characters with a meaning in a query. */
const TEXT = 'a b&c=d+e#f%g?h,i/é😀';
const WRITTEN = 'a%20b%26c%3Dd%2Be%23f%25g%3Fh%2Ci%2F%C3%A9%F0%9F%98%80';
/** The same without spaces and bars, which separate items. */
const ITEM = 'b&c=d+e#f%g?h,i/é😀';
const ITEM_WRITTEN = 'b%26c%3Dd%2Be%23f%25g%3Fh%2Ci%2F%C3%A9%F0%9F%98%80';

const STRING = { type: 'string' };
const LIST = { type: 'array', items: STRING };
const COLOUR = { type: 'object', properties: { R: { type: 'integer' }, G: STRING } };

interface Row {
  readonly style: string;
  readonly explode: boolean;
  readonly shape: keyof typeof SHAPES;
  readonly query: string;
}

const SHAPES = {
  value: { schema: STRING, value: TEXT },
  list: { schema: LIST, value: ['red', TEXT] },
  object: { schema: COLOUR, value: { R: 100, G: TEXT } },
  items: { schema: LIST, value: ['red', ITEM] },
  members: { schema: COLOUR, value: { R: 100, G: ITEM } },
};

const ROWS: readonly Row[] = [
  { style: 'form', explode: true, shape: 'value', query: `p=${WRITTEN}` },
  { style: 'form', explode: true, shape: 'list', query: `p=red&p=${WRITTEN}` },
  { style: 'form', explode: true, shape: 'object', query: `R=100&G=${WRITTEN}` },
  { style: 'form', explode: false, shape: 'value', query: `p=${WRITTEN}` },
  { style: 'form', explode: false, shape: 'list', query: `p=red,${WRITTEN}` },
  { style: 'form', explode: false, shape: 'object', query: `p=R,100,G,${WRITTEN}` },
  { style: 'spaceDelimited', explode: false, shape: 'items', query: `p=red%20${ITEM_WRITTEN}` },
  { style: 'spaceDelimited', explode: false, shape: 'members', query: `p=R%20100%20G%20${ITEM_WRITTEN}` },
  { style: 'spaceDelimited', explode: true, shape: 'list', query: `p=red&p=${WRITTEN}` },
  { style: 'pipeDelimited', explode: false, shape: 'items', query: `p=red%7C${ITEM_WRITTEN}` },
  { style: 'pipeDelimited', explode: false, shape: 'members', query: `p=R%7C100%7CG%7C${ITEM_WRITTEN}` },
  { style: 'pipeDelimited', explode: true, shape: 'list', query: `p=red&p=${WRITTEN}` },
  { style: 'deepObject', explode: true, shape: 'object', query: `p%5BR%5D=100&p%5BG%5D=${WRITTEN}` },
  { style: 'deepObject', explode: false, shape: 'object', query: `p%5BR%5D=100&p%5BG%5D=${WRITTEN}` },
];

const STYLED: readonly RequestCase[] = ROWS.map(({ style, explode, shape, query }) => {
  const path = `/query/${style}/${explode ? 'exploded' : 'joined'}/${shape}`;
  const { schema, value } = SHAPES[shape];
  return {
    name: `query, ${style}, explode ${explode}, ${shape}`,
    path,
    parameters: [{ name: 'p', in: 'query', style, explode, schema }],
    given: { query: { p: value } },
    target: `${path}?${query}`,
  };
});

/** Query parameters. */
export const QUERY_CASES: readonly RequestCase[] = [
  ...STYLED,
  {
    name: 'query, a list, nothing said of its style',
    path: '/query/usual/list',
    parameters: [{ name: 'tags', in: 'query', schema: LIST }],
    given: { query: { tags: ['a', 'b,c'] } },
    target: '/query/usual/list?tags=a&tags=b%2Cc',
  },
  {
    name: 'query, a list of one',
    path: '/query/usual/one',
    parameters: [{ name: 'tags', in: 'query', schema: LIST }],
    given: { query: { tags: ['a b'] } },
    target: '/query/usual/one?tags=a%20b',
  },
  {
    name: 'query, numbers and booleans',
    path: '/query/types',
    parameters: [
      { name: 'whole', in: 'query', schema: { type: 'integer' } },
      { name: 'part', in: 'query', schema: { type: 'number' } },
      { name: 'yes', in: 'query', schema: { type: 'boolean' } },
      { name: 'no', in: 'query', schema: { type: 'boolean' } },
      { name: 'ids', in: 'query', schema: { type: 'array', items: { type: 'integer' } } },
    ],
    given: { query: { whole: 0, part: 1.5, yes: true, no: false, ids: [1, 2] } },
    target: '/query/types?whole=0&part=1.5&yes=true&no=false&ids=1&ids=2',
  },
  {
    name: 'query, an empty text',
    path: '/query/empty',
    parameters: [{ name: 'q', in: 'query', allowEmptyValue: true, schema: STRING }],
    given: { query: { q: '' } },
    target: '/query/empty?q=',
  },
  {
    name: 'query, optional ones that are not given',
    path: '/query/absent',
    parameters: [
      { name: 'q', in: 'query', schema: STRING },
      { name: 'page', in: 'query', schema: { type: 'integer', default: 1 } },
      { name: 'tags', in: 'query', schema: LIST },
    ],
    given: { query: { q: 'x' } },
    target: '/query/absent?q=x',
  },
  {
    name: 'query, deepObject in several levels',
    path: '/query/deep/nested',
    parameters: [
      {
        name: 'filter',
        in: 'query',
        style: 'deepObject',
        explode: true,
        schema: {
          type: 'object',
          properties: {
            price: {
              type: 'object',
              properties: { gte: { type: 'integer' }, lt: { type: 'integer' } },
            },
            owner: { type: 'object', properties: { name: STRING } },
          },
        },
      },
    ],
    given: { query: { filter: { price: { gte: 10, lt: 20 }, owner: { name: 'A & B' } } } },
    target:
      '/query/deep/nested?filter%5Bprice%5D%5Bgte%5D=10&filter%5Bprice%5D%5Blt%5D=20&filter%5Bowner%5D%5Bname%5D=A%20%26%20B',
  },
  {
    name: 'query, deepObject with a list of objects',
    path: '/query/deep/list',
    parameters: [
      {
        name: 'f',
        in: 'query',
        style: 'deepObject',
        explode: true,
        schema: {
          type: 'object',
          properties: { rules: { type: 'array', items: { type: 'object', properties: { op: STRING } } } },
        },
      },
    ],
    given: { query: { f: { rules: [{ op: 'eq' }, { op: 'ne' }] } } },
    target: '/query/deep/list?f%5Brules%5D%5B0%5D%5Bop%5D=eq&f%5Brules%5D%5B1%5D%5Bop%5D=ne',
  },
  {
    name: 'query, allowReserved',
    path: '/query/reserved',
    parameters: [{ name: 'url', in: 'query', allowReserved: true, schema: STRING }],
    given: { query: { url: 'http://a.b/c?d=[e]@f!$()*,;:g &+#h' } },
    target: '/query/reserved?url=http://a.b/c?d=[e]@f!$()*,;:g%20%26%2B%23h',
  },
  {
    name: 'query, allowReserved in a joined list',
    path: '/query/reserved-list',
    parameters: [{ name: 'paths', in: 'query', allowReserved: true, explode: false, schema: LIST }],
    given: { query: { paths: ['/a/b', '/c,d'] } },
    target: '/query/reserved-list?paths=/a/b,/c%2Cd',
  },
  {
    name: 'query, JSON content',
    path: '/query/content/json',
    parameters: [
      {
        name: 'filter',
        in: 'query',
        content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
      },
    ],
    given: { query: { filter: { a: [1, 'x y'], b: null } } },
    target: '/query/content/json?filter=%7B%22a%22%3A%5B1%2C%22x%20y%22%5D%2C%22b%22%3Anull%7D',
  },
  {
    name: 'query, JSON content that is a text',
    path: '/query/content/json-text',
    parameters: [{ name: 'v', in: 'query', content: { 'application/json': { schema: STRING } } }],
    given: { query: { v: 'a"b' } },
    target: '/query/content/json-text?v=%22a%5C%22b%22',
  },
  {
    name: 'query, names with other characters',
    path: '/query/names',
    parameters: [
      { name: 'filter[status]', in: 'query', schema: STRING },
      { name: '$top', in: 'query', schema: { type: 'integer' } },
      { name: 'user.name', in: 'query', schema: STRING },
      { name: 'größe', in: 'query', schema: STRING },
    ],
    given: { query: { 'filter[status]': 'open', $top: 5, 'user.name': 'ann', größe: 'XL' } },
    args: { filter_status: 'open', top: 5, 'user.name': 'ann', gro_e: 'XL' },
    target: '/query/names?filter%5Bstatus%5D=open&%24top=5&user.name=ann&gr%C3%B6%C3%9Fe=XL',
  },
  {
    name: 'query, a list whose name ends with brackets',
    path: '/query/brackets',
    parameters: [{ name: 'ids[]', in: 'query', schema: LIST }],
    given: { query: { 'ids[]': ['a', 'b'] } },
    args: { ids: ['a', 'b'] },
    target: '/query/brackets?ids%5B%5D=a&ids%5B%5D=b',
  },
  {
    name: 'query, a date and a time',
    path: '/query/dates',
    parameters: [
      { name: 'day', in: 'query', schema: { type: 'string', format: 'date' } },
      { name: 'at', in: 'query', schema: { type: 'string', format: 'date-time' } },
    ],
    given: { query: { day: '2026-02-28', at: '2026-02-28T10:00:00+02:00' } },
    target: '/query/dates?day=2026-02-28&at=2026-02-28T10%3A00%3A00%2B02%3A00',
  },
  {
    name: 'query, required ones of which there is only one value, not given',
    path: '/query/fixed',
    parameters: [
      { name: 'version', in: 'query', required: true, schema: { type: 'string', enum: ['v2'] } },
      { name: 'limit', in: 'query', required: true, schema: { type: 'integer', default: 20 } },
      { name: 'q', in: 'query', required: true, schema: STRING },
    ],
    given: { query: { q: 'x' } },
    target: '/query/fixed?version=v2&limit=20&q=x',
  },
  {
    name: 'query, a constant',
    path: '/query/constant',
    only: '3.1',
    parameters: [{ name: 'kind', in: 'query', required: true, schema: { const: 'full' } }],
    given: {},
    target: '/query/constant?kind=full',
  },
  {
    name: 'query, one type of several',
    path: '/query/union',
    only: '3.1',
    parameters: [
      { name: 'id', in: 'query', schema: { type: ['integer', 'string'] } },
      { name: 'parent', in: 'query', schema: { type: ['string', 'null'] } },
    ],
    given: { query: { id: 12, parent: 'p/1' } },
    target: '/query/union?id=12&parent=p%2F1',
  },
  {
    name: 'query, a parameter that is the whole of it',
    path: '/query/whole',
    only: '3.2',
    parameters: [
      {
        name: 'search',
        in: 'querystring',
        content: {
          'application/x-www-form-urlencoded': {
            schema: { type: 'object', properties: { a: { type: 'integer' }, b: STRING } },
          },
        },
      },
    ],
    given: { query: { search: { a: 1, b: 'x y&z' } } },
    target: '/query/whole?a=1&b=x+y%26z',
  },
];
