/* oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema */
/** A server over HTTP whose tools take lists of objects with 60 required members, one tool for each schema library. */
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { createServer } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import * as v from 'valibot';
import * as z from 'zod';

const names = Array.from({ length: 60 }, (_, index) => `r${index}`);
const each = (member) => Object.fromEntries(names.map((name) => [name, member]));
const element = { type: 'object', properties: each({ type: 'string' }), required: names };

const negated = { allOf: names.map((name) => ({ not: { not: { required: [name] } } })) };
const conditional = { if: { type: 'object' }, then: { required: names } };
const node = { $dynamicAnchor: 'node', ...conditional, properties: { next: { $dynamicRef: '#node' } } };

const SCHEMAS = {
  zod: z.object({ list: z.array(z.object(each(z.string()))) }),
  zod_nullable: z.object({ list: z.array(z.object(each(z.string()))).nullable() }),
  valibot: toStandardJsonSchema(v.object({ list: v.array(v.object(each(v.string()))) })),
  arktype: type({ list: type(each('string')).array() }),
  json_schema: { type: 'object', properties: { list: { type: 'array', items: element } } },
  // Only the validator supports `not`.
  negated: { type: 'object', properties: { list: { type: 'array', items: negated } } },
  conditional: { type: 'object', properties: { list: { type: 'array', items: conditional } } },
  dynamic: {
    type: 'object',
    properties: { list: { type: 'array', items: { $ref: '#/$defs/node' } } },
    $defs: { node },
  },
};

const tools = Object.entries(SCHEMAS).map(([name, inputSchema]) => ({
  name,
  description: 'Takes what its schema takes.',
  inputSchema,
  handler: () => 'taken',
}));
const server = createServer({ name: 'issues', version: '1.0.0', tools, rateLimit: false });
const { port } = await serveHttp(server, { port: 0 });
process.send({ port });
