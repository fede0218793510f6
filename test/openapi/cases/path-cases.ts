import type { RequestCase } from '../support/request-case.ts';

/** All characters with a meaning in a path, except the slash. */
const TEXT = 'a b&c=d+e#f%g?h,é😀';
const WRITTEN = 'a%20b%26c%3Dd%2Be%23f%25g%3Fh%2C%C3%A9%F0%9F%98%80';

const LIST = { type: 'array', items: { type: 'string' } };
const COLOUR = {
  type: 'object',
  properties: { R: { type: 'integer' }, G: { type: 'string' } },
};

interface Row {
  readonly style: string;
  readonly explode: boolean;
  readonly shape: 'value' | 'list' | 'object';
  /** Expected content of the segment. */
  readonly segment: string;
}

const ROWS: readonly Row[] = [
  { style: 'simple', explode: false, shape: 'value', segment: WRITTEN },
  { style: 'simple', explode: false, shape: 'list', segment: `red,${WRITTEN}` },
  { style: 'simple', explode: false, shape: 'object', segment: `R,100,G,${WRITTEN}` },
  { style: 'simple', explode: true, shape: 'value', segment: WRITTEN },
  { style: 'simple', explode: true, shape: 'list', segment: `red,${WRITTEN}` },
  { style: 'simple', explode: true, shape: 'object', segment: `R=100,G=${WRITTEN}` },
  { style: 'label', explode: false, shape: 'value', segment: `.${WRITTEN}` },
  { style: 'label', explode: false, shape: 'list', segment: `.red,${WRITTEN}` },
  { style: 'label', explode: false, shape: 'object', segment: `.R,100,G,${WRITTEN}` },
  { style: 'label', explode: true, shape: 'value', segment: `.${WRITTEN}` },
  { style: 'label', explode: true, shape: 'list', segment: `.red.${WRITTEN}` },
  { style: 'label', explode: true, shape: 'object', segment: `.R=100.G=${WRITTEN}` },
  { style: 'matrix', explode: false, shape: 'value', segment: `;p=${WRITTEN}` },
  { style: 'matrix', explode: false, shape: 'list', segment: `;p=red,${WRITTEN}` },
  { style: 'matrix', explode: false, shape: 'object', segment: `;p=R,100,G,${WRITTEN}` },
  { style: 'matrix', explode: true, shape: 'value', segment: `;p=${WRITTEN}` },
  { style: 'matrix', explode: true, shape: 'list', segment: `;p=red;p=${WRITTEN}` },
  { style: 'matrix', explode: true, shape: 'object', segment: `;R=100;G=${WRITTEN}` },
];

const SHAPES = {
  value: { schema: { type: 'string' }, value: TEXT },
  list: { schema: LIST, value: ['red', TEXT] },
  object: { schema: COLOUR, value: { R: 100, G: TEXT } },
};

/** Path parameters. */
export const PATH_CASES: readonly RequestCase[] = [
  ...ROWS.map(({ style, explode, shape, segment }): RequestCase => {
    const folder = `/path/${style}/${explode ? 'exploded' : 'joined'}/${shape}`;
    const { schema, value } = SHAPES[shape];
    return {
      name: `path, ${style}, explode ${explode}, ${shape}`,
      path: `${folder}/{p}/end`,
      parameters: [{ name: 'p', in: 'path', style, explode, schema }],
      given: { path: { p: value } },
      target: `${folder}/${segment}/end`,
    };
  }),
  {
    name: 'path, nothing said of its style',
    path: '/path/usual/{p}',
    parameters: [{ name: 'p', in: 'path', schema: LIST }],
    given: { path: { p: ['x', 'y z'] } },
    target: '/path/usual/x,y%20z',
  },
  {
    name: 'path, an integer and a boolean',
    path: '/path/types/{count}/{flag}',
    parameters: [
      { name: 'count', in: 'path', schema: { type: 'integer' } },
      { name: 'flag', in: 'path', schema: { type: 'boolean' } },
    ],
    given: { path: { count: -7, flag: false } },
    target: '/path/types/-7/false',
  },
  {
    name: 'path, several in one segment',
    path: '/path/parts/{from}...{to}.{format}',
    parameters: [
      { name: 'from', in: 'path', schema: { type: 'string' } },
      { name: 'to', in: 'path', schema: { type: 'string' } },
      { name: 'format', in: 'path', schema: { type: 'string', enum: ['json', 'csv'] } },
    ],
    given: { path: { from: 'v1.0', to: 'v 2', format: 'csv' } },
    target: '/path/parts/v1.0...v%202.csv',
  },
  {
    name: 'path, the same value twice',
    path: '/path/twice/{p}/copy/{p}',
    parameters: [{ name: 'p', in: 'path', schema: { type: 'string' } }],
    given: { path: { p: 'a b' } },
    target: '/path/twice/a%20b/copy/a%20b',
  },
  {
    name: 'path, JSON content',
    path: '/path/content/{p}',
    parameters: [{ name: 'p', in: 'path', content: { 'application/json': { schema: COLOUR } } }],
    given: { path: { p: { R: 1, G: 'a b' } } },
    target: '/path/content/%7B%22R%22%3A1%2C%22G%22%3A%22a%20b%22%7D',
  },
  {
    name: 'path, text that is in capital letters and tildes',
    path: '/path/plain/{p}',
    parameters: [{ name: 'p', in: 'path', schema: { type: 'string' } }],
    given: { path: { p: 'AZaz09-._~' } },
    target: '/path/plain/AZaz09-._~',
  },
  {
    name: 'path, a name with other characters',
    path: '/path/names/{pet-id}/{user.name}',
    parameters: [
      { name: 'pet-id', in: 'path', schema: { type: 'integer' } },
      { name: 'user.name', in: 'path', schema: { type: 'string' } },
    ],
    given: { path: { 'pet-id': 7, 'user.name': 'ann' } },
    target: '/path/names/7/ann',
  },
];
