import type { RequestCase } from '../support/request-case.ts';

const STRING = { type: 'string' };
const LIST = { type: 'array', items: STRING };
const FORM = 'application/x-www-form-urlencoded';
const FORM_TYPE = { 'content-type': FORM };

interface FormRow {
  readonly name: string;
  readonly path: string;
  readonly properties: Readonly<Record<string, object>>;
  readonly encoding?: Readonly<Record<string, object>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

const FORM_ROWS: readonly FormRow[] = [
  {
    name: 'texts, numbers and booleans',
    path: '/form/plain',
    properties: { name: STRING, count: { type: 'integer' }, flag: { type: 'boolean' } },
    body: { name: 'a b&c=d+e#f%g?h,i/é😀*', count: 0, flag: false },
    text: 'name=a+b%26c%3Dd%2Be%23f%25g%3Fh%2Ci%2F%C3%A9%F0%9F%98%80*&count=0&flag=false',
  },
  {
    name: 'a list',
    path: '/form/list',
    properties: { tags: LIST },
    body: { tags: ['a', 'b c'] },
    text: 'tags=a&tags=b+c',
  },
  {
    name: 'an object, of which nothing is said',
    path: '/form/object',
    properties: { address: { type: 'object', properties: { city: STRING } } },
    body: { address: { city: 'A B' } },
    text: 'address=%7B%22city%22%3A%22A+B%22%7D',
  },
  {
    name: 'a joined list',
    path: '/form/joined',
    properties: { tags: LIST },
    encoding: { tags: { style: 'form', explode: false } },
    body: { tags: ['a', 'b,c'] },
    text: 'tags=a,b%2Cc',
  },
  {
    name: 'a list with bars',
    path: '/form/bars',
    properties: { tags: LIST },
    encoding: { tags: { style: 'pipeDelimited', explode: false } },
    body: { tags: ['a', 'b'] },
    text: 'tags=a%7Cb',
  },
  {
    name: 'a deep object',
    path: '/form/deep',
    properties: {
      card: {
        type: 'object',
        properties: { number: STRING, owner: { type: 'object', properties: { name: STRING } } },
      },
      items: { type: 'array', items: { type: 'object', properties: { price: STRING } } },
    },
    encoding: {
      card: { style: 'deepObject', explode: true },
      items: { style: 'deepObject', explode: true },
    },
    body: { card: { number: '42', owner: { name: 'A B' } }, items: [{ price: 'p1' }, { price: 'p2' }] },
    text: 'card%5Bnumber%5D=42&card%5Bowner%5D%5Bname%5D=A+B&items%5B0%5D%5Bprice%5D=p1&items%5B1%5D%5Bprice%5D=p2',
  },
  {
    name: 'a spread object',
    path: '/form/spread',
    properties: {
      colour: { type: 'object', properties: { R: { type: 'integer' }, G: { type: 'integer' } } },
    },
    encoding: { colour: { style: 'form', explode: true } },
    body: { colour: { R: 1, G: 2 } },
    text: 'R=1&G=2',
  },
  {
    name: 'a property that is JSON',
    path: '/form/json',
    properties: {
      filter: { type: 'object', properties: { a: LIST } },
      ids: { type: 'array', items: { type: 'object' } },
    },
    encoding: { filter: { contentType: 'application/json' } },
    body: { filter: { a: ['x'] } },
    text: 'filter=%7B%22a%22%3A%5B%22x%22%5D%7D',
  },
  {
    name: 'reserved characters',
    path: '/form/reserved',
    properties: { url: STRING },
    encoding: { url: { allowReserved: true } },
    body: { url: 'http://a.b/c?d e&f' },
    text: 'url=http://a.b/c?d+e%26f',
  },
];

const FORM_CASES: readonly RequestCase[] = FORM_ROWS.map(
  ({ name, path, properties, encoding, body, text }) => ({
    name: `form, ${name}`,
    path,
    content: {
      [FORM]: { schema: { type: 'object', properties }, ...(encoding === undefined ? {} : { encoding }) },
    },
    given: { body },
    target: path,
    headers: FORM_TYPE,
    body: { text },
  }),
);

/** Form request bodies. */
export const FORM_BODY_CASES: readonly RequestCase[] = [
  ...FORM_CASES,
  {
    name: 'form, any properties',
    path: '/form/map',
    content: { [FORM]: { schema: { type: 'object', additionalProperties: STRING } } },
    given: { body: { 'a b': 'c d', e: 'f' } },
    args: { body: { 'a b': 'c d', e: 'f' } },
    target: '/form/map',
    headers: FORM_TYPE,
    body: { text: 'a+b=c+d&e=f' },
  },
];
