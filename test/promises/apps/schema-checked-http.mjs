/** A server over HTTP whose tools have raw JSON Schemas that a small value can make expensive to check. */
import { createServer } from 'toolwright';
import { serveHttp } from 'toolwright/http';

const titles = ['a', 'b'];
const end = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const stepTo = (reference) => (title) => ({
  title,
  type: 'object',
  properties: { next: reference },
  required: ['next'],
});
const recursion = (keyword, reference) => ({
  type: 'object',
  properties: { root: { $ref: '#/$defs/node' } },
  $defs: { node: { $dynamicAnchor: 'node', [keyword]: [...titles.map(stepTo(reference)), end] } },
});
const ref = { $ref: '#/$defs/node' };

const SCHEMAS = {
  any_of: recursion('anyOf', ref),
  one_of: recursion('oneOf', ref),
  dynamic: recursion('anyOf', { $dynamicRef: '#node' }),
  contains: {
    type: 'object',
    properties: { root: ref },
    $defs: { node: { type: ['array', 'integer'], items: ref, contains: ref } },
  },
  unique: { type: 'object', properties: { list: { type: 'array', uniqueItems: true } } },
  listed: {
    type: 'object',
    properties: {
      list: { type: 'array', items: { enum: Array.from({ length: 20_000 }, (_, id) => `value ${id}`) } },
    },
  },
};

const tools = Object.entries(SCHEMAS).map(([name, inputSchema]) => ({
  name,
  description: 'Takes what its schema takes.',
  inputSchema,
  handler: () => 'taken',
}));
const server = createServer({ name: 'checked', version: '1.0.0', tools, rateLimit: false });
const { port } = await serveHttp(server, { port: 0 });
process.send({ port });
