import type { RequestCase } from '../support/request-case.ts';

const STRING = { type: 'string' };
const LIST = { type: 'array', items: STRING };
const COLOUR = { type: 'object', properties: { R: { type: 'integer' }, G: STRING } };

/** Unencoded: headers have no encoding, and support the characters of Latin-1. */
const TEXT = 'a b&c=d+e#f%g?h/"é"';
/** For cookies, where everything is encoded. */
const COOKIE = 'a b&c=d+e#f%g?h,i/;é😀';
const WRITTEN = 'a%20b%26c%3Dd%2Be%23f%25g%3Fh%2Ci%2F%3B%C3%A9%F0%9F%98%80';

interface Row {
  readonly explode: boolean;
  readonly shape: 'value' | 'list' | 'object';
  readonly expected: string;
}

const HEADER_ROWS: readonly Row[] = [
  { explode: false, shape: 'value', expected: TEXT },
  { explode: false, shape: 'list', expected: `red,${TEXT}` },
  { explode: false, shape: 'object', expected: `R,100,G,${TEXT}` },
  { explode: true, shape: 'value', expected: TEXT },
  { explode: true, shape: 'list', expected: `red,${TEXT}` },
  { explode: true, shape: 'object', expected: `R=100,G=${TEXT}` },
];

const COOKIE_ROWS: readonly Row[] = [
  { explode: false, shape: 'value', expected: `p=${WRITTEN}` },
  { explode: false, shape: 'list', expected: `p=red,${WRITTEN}` },
  { explode: false, shape: 'object', expected: `p=R,100,G,${WRITTEN}` },
  { explode: true, shape: 'value', expected: `p=${WRITTEN}` },
  { explode: true, shape: 'list', expected: `p=red; p=${WRITTEN}` },
  { explode: true, shape: 'object', expected: `R=100; G=${WRITTEN}` },
];

function shapesOf(text: string): Readonly<Record<Row['shape'], { schema: object; value: unknown }>> {
  return {
    value: { schema: STRING, value: text },
    list: { schema: LIST, value: ['red', text] },
    object: { schema: COLOUR, value: { R: 100, G: text } },
  };
}

/** Header parameters. */
export const HEADER_CASES: readonly RequestCase[] = [
  ...HEADER_ROWS.map(({ explode, shape, expected }): RequestCase => {
    const path = `/header/simple/${explode ? 'exploded' : 'joined'}/${shape}`;
    const { schema, value } = shapesOf(TEXT)[shape];
    return {
      name: `header, explode ${explode}, ${shape}`,
      path,
      parameters: [{ name: 'X-P', in: 'header', style: 'simple', explode, schema }],
      given: { header: { 'X-P': value } },
      target: path,
      headers: { 'x-p': expected },
    };
  }),
  {
    name: 'header, numbers and booleans',
    path: '/header/types',
    parameters: [
      { name: 'X-Count', in: 'header', schema: { type: 'integer' } },
      { name: 'X-Flag', in: 'header', schema: { type: 'boolean' } },
    ],
    given: { header: { 'X-Count': 0, 'X-Flag': false } },
    target: '/header/types',
    headers: { 'x-count': '0', 'x-flag': 'false' },
  },
  {
    name: 'header, JSON content, in ASCII',
    path: '/header/content',
    parameters: [{ name: 'X-Meta', in: 'header', content: { 'application/json': { schema: COLOUR } } }],
    given: { header: { 'X-Meta': { R: 1, G: 'é😀' } } },
    target: '/header/content',
    headers: { 'x-meta': String.raw`{"R":1,"G":"\u00e9\ud83d\ude00"}` },
  },
  {
    name: 'header, required with a default, not given',
    path: '/header/default',
    parameters: [
      {
        name: 'Api-Version',
        in: 'header',
        required: true,
        schema: { type: 'string', default: '2022-06-28' },
      },
    ],
    given: {},
    target: '/header/default',
    headers: { 'api-version': '2022-06-28' },
  },
  {
    name: 'header, several',
    path: '/header/several',
    parameters: [
      { name: 'If-Match', in: 'header', schema: STRING },
      { name: 'X-Request-ID', in: 'header', schema: { type: 'string', format: 'uuid' } },
    ],
    given: {
      header: { 'If-Match': '"abc"', 'X-Request-ID': '2f1b0c52-4f4e-4b52-9d0b-8a4f6f6f6f6f' },
    },
    target: '/header/several',
    headers: { 'if-match': '"abc"', 'x-request-id': '2f1b0c52-4f4e-4b52-9d0b-8a4f6f6f6f6f' },
  },
];

/** Cookie parameters. */
export const COOKIE_CASES: readonly RequestCase[] = [
  ...COOKIE_ROWS.map(({ explode, shape, expected }): RequestCase => {
    const path = `/cookie/form/${explode ? 'exploded' : 'joined'}/${shape}`;
    const { schema, value } = shapesOf(COOKIE)[shape];
    return {
      name: `cookie, explode ${explode}, ${shape}`,
      path,
      parameters: [{ name: 'p', in: 'cookie', style: 'form', explode, schema }],
      given: { cookie: { p: value } },
      target: path,
      headers: { cookie: expected },
    };
  }),
  {
    name: 'cookie, several',
    path: '/cookie/several',
    parameters: [
      { name: 'session', in: 'cookie', schema: STRING },
      { name: 'debug', in: 'cookie', schema: { type: 'boolean' } },
      { name: 'theme', in: 'cookie', schema: STRING },
    ],
    given: { cookie: { session: 'abc=', debug: true } },
    target: '/cookie/several',
    headers: { cookie: 'session=abc%3D; debug=true' },
  },
  {
    name: 'cookie, JSON content',
    path: '/cookie/content',
    parameters: [{ name: 'prefs', in: 'cookie', content: { 'application/json': { schema: COLOUR } } }],
    given: { cookie: { prefs: { R: 1, G: 'a;b' } } },
    target: '/cookie/content',
    headers: { cookie: 'prefs=%7B%22R%22%3A1%2C%22G%22%3A%22a%3Bb%22%7D' },
  },
  {
    name: 'cookie, written as it is',
    path: '/cookie/as-it-is',
    only: '3.2',
    parameters: [{ name: 'p', in: 'cookie', style: 'cookie', schema: LIST }],
    given: { cookie: { p: ['a b', 'c=d%20'] } },
    target: '/cookie/as-it-is',
    headers: { cookie: 'p=a b; p=c=d%20' },
  },
];
