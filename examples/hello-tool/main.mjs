/** One tool, called with valid and with invalid arguments. */
import { defineTool, ToolRegistry } from 'toolwright';
import * as z from 'zod';

const greet = defineTool({
  name: 'greet',
  description: 'Greets somebody by name',
  inputSchema: z.object({ name: z.string().min(1) }),
  handler: ({ input }) => `Hello, ${input.name}!`,
});

const registry = new ToolRegistry({ name: 'hello' }).register(greet);
for (const args of [{ name: 'Ada' }, {}]) {
  const { content, isError = false } = await registry.executeTool({ name: 'greet', arguments: args });
  console.log(isError ? 'refused:' : 'answered:', content[0].text);
}
