/** A server whose tools, prompt and resource count their calls: a request that must be rejected must not be counted. */
import { createServer, createTool, definePrompt, defineResource, defineTool } from 'toolwright';
import * as z from 'zod';

/** Number of calls, by name. */
export const counts = {};

const count = (name) => {
  counts[name] = (counts[name] ?? 0) + 1;
  return name;
};

const echo = defineTool({
  name: 'echo',
  description: 'Gives back what it is told.',
  inputSchema: z.object({ text: z.string() }),
  handler: ({ input }) => {
    count('echo');
    return input.text;
  },
});

/** Must not be reached without access. */
const canary = defineTool({
  name: 'canary',
  description: 'Must not be reached.',
  inputSchema: z.object({}),
  handler: () => count('canary'),
});

const mirrored = (schema, name) => schema.meta({ 'x-mcp-header': name });
const route = defineTool({
  name: 'route',
  description: 'Has arguments that travel as headers.',
  inputSchema: z.object({
    region: mirrored(z.string(), 'Region').optional(),
    shard: mirrored(z.int(), 'Shard').optional(),
    dry: mirrored(z.boolean(), 'Dry').optional(),
    tenant: z.object({ id: mirrored(z.string(), 'Tenant').optional() }).optional(),
  }),
  handler: ({ input }) => {
    count('route');
    return JSON.stringify(input);
  },
});

/** A caller without scopes sees one of its two actions; the other has the same argument, as a number. */
const depot = createTool('depot')
  .action({
    name: 'list',
    schema: z.object({ region: mirrored(z.string(), 'Region') }),
    handler: () => count('depot'),
  })
  .action({
    name: 'purge',
    scopes: ['admin'],
    schema: z.object({ region: z.number(), vault: mirrored(z.string(), 'Vault') }),
    handler: () => count('depot'),
  });

const greet = definePrompt({
  name: 'greet',
  arguments: [{ name: 'who' }],
  handler: () => {
    count('greet');
    return 'Greet them.';
  },
});

const rules = defineResource({
  uri: 'docs://rules',
  name: 'rules',
  contentProvider: () => {
    count('rules');
    return 'No running.';
  },
});

export const server = createServer({
  name: 'canary',
  version: '1.0.0',
  tools: [echo, canary, route, depot],
  prompts: [greet],
  resources: [rules],
  rateLimit: false,
});

process.on('message', (message) => {
  if (message === 'counts') process.send({ counts });
});
