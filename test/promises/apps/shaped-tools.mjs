/**
 * A server with a tool for each shape in `SHAPES` (see `support/shapes.ts`), half of them in Zod, half in JSON Schema. Over HTTP, or over
 * stdio with `stdio`. Reports on request the number of handler runs.
 */
import { createServer, defineTool } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import { serveStdio } from 'toolwright/stdio';
import * as z from 'zod';

const asZod = {
  text: ({ min, max }) => z.string().min(min).max(max),
  integer: ({ min, max }) => z.int().min(min).max(max),
  flag: () => z.boolean(),
  choice: ({ values }) => z.enum(values),
  either: () => z.union([z.string(), z.int()]),
  list: ({ of, max }) => z.array(toZod(of)).max(max),
  object: ({ members }) =>
    z.object(
      Object.fromEntries(
        members.map(({ name, shape, isRequired }) => [
          name,
          isRequired ? toZod(shape) : toZod(shape).optional(),
        ]),
      ),
    ),
};
const toZod = (shape) => asZod[shape.kind](shape);

const asJsonSchema = {
  text: ({ min, max }) => ({ type: 'string', minLength: min, maxLength: max }),
  integer: ({ min, max }) => ({ type: 'integer', minimum: min, maximum: max }),
  flag: () => ({ type: 'boolean' }),
  choice: ({ values }) => ({ enum: values }),
  either: () => ({ anyOf: [{ type: 'string' }, { type: 'integer' }] }),
  list: ({ of, max }) => ({ type: 'array', items: toJsonSchema(of), maxItems: max }),
  object: ({ members }) => ({
    type: 'object',
    properties: Object.fromEntries(members.map(({ name, shape }) => [name, toJsonSchema(shape)])),
    required: members.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  }),
};
const toJsonSchema = (shape) => asJsonSchema[shape.kind](shape);

let handled = 0;
const tools = JSON.parse(process.env.SHAPES).map(({ shape, secrets, unknownArguments }, index) =>
  defineTool({
    name: `tool_${index}`,
    description: 'Gives back what it got.',
    inputSchema: index % 2 === 0 ? toZod(shape) : toJsonSchema(shape),
    secrets,
    unknownArguments,
    handler: ({ input }) => {
      handled += 1;
      return JSON.stringify(input);
    },
  }),
);
const server = createServer({ name: 'shaped', version: '1.0.0', tools, rateLimit: false });

process.on('message', (message) => {
  if (message === 'handled') process.send({ handled });
});
if (process.argv[2] === 'stdio') {
  serveStdio(server);
  process.send({ ready: true });
} else {
  process.send({ port: (await serveHttp(server, { port: 0 })).port });
}
