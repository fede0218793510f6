import { tool, ToolRegistry, toolsFrom } from 'toolwright';
import * as z from 'zod';

class Tools {
  #greeting = 'Hello';

  @tool({ description: 'Greets', inputSchema: z.object({ name: z.string() }) })
  greet(input: { name: string }) {
    return `${this.#greeting}, ${input.name}!`;
  }

  @tool({ description: 'Doubles', inputSchema: z.object({ n: z.number() }) })
  double = ({ n }: { n: number }) => n * 2;
}

async function main(): Promise<void> {
  const registry = new ToolRegistry().registerAll(toolsFrom(new Tools()));
  for (const [name, args] of Object.entries({ greet: { name: 'Ada' }, double: { n: 4 } })) {
    const { content } = await registry.executeTool({ name, arguments: args });
    console.log(JSON.stringify(content));
  }
}

export const done: Promise<void> = main();
