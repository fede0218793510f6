import { createServer, definePrompt, defineResource, defineTool, ToolError } from 'toolwright';
import * as z from 'zod';

/** The server that every runtime serves and every client uses: one tool for each kind of result, a prompt and a resource. */
export function createMatrixServer() {
  return createServer({
    name: 'matrix',
    version: '1.0.0',
    tools: [add, fail, ask, revision],
    prompts: [greet],
    resources: [rules],
  });
}

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  outputSchema: z.object({ sum: z.number() }),
  handler: ({ input }) => ({ sum: input.a + input.b }),
});

const fail = defineTool({
  name: 'fail',
  description: 'Fails',
  inputSchema: z.object({ reason: z.string() }),
  handler: ({ input }) => {
    throw new ToolError(`Failed: ${input.reason}`);
  },
});

const ask = defineTool({
  name: 'ask',
  description: 'Asks the user for a name',
  inputSchema: z.object({}),
  handler: async ({ context }) => {
    const answer = await context.ask('name', {
      message: 'Your name?',
      schema: z.object({ name: z.string() }),
    });
    return answer.action === 'accept' ? `Hello, ${answer.content.name}!` : 'Hello!';
  },
});

const revision = defineTool({
  name: 'revision',
  description: 'Names the protocol revision of the connection',
  inputSchema: z.object({}),
  handler: ({ context }) => context.client.protocolVersion,
});

const greet = definePrompt({
  name: 'greet',
  arguments: [{ name: 'who', required: true }],
  template: 'Greet {{who}}.',
});
const rules = defineResource({ uri: 'docs://rules', name: 'rules', text: 'Carry the one.' });
