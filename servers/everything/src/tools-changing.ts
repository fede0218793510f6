import { defineTool } from 'toolwright';
import type { AnyToolDefinition, PromptsManager, ToolRegistry } from 'toolwright';
import * as z from 'zod';

const NOTHING = z.object({});

/** A change that is undone in the same turn changes no list. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Tools that change the server and undo the change: subscribed clients are notified. */
export function changingTools(registry: ToolRegistry, prompts: PromptsManager): AnyToolDefinition[] {
  return [
    defineTool({
      name: 'test_trigger_tool_change',
      description: 'Adds a tool and removes it again.',
      inputSchema: NOTHING,
      handler: async () => {
        const name = 'test_temporary_tool';
        registry.register({
          name,
          description: 'Temporary.',
          inputSchema: NOTHING,
          handler: () => 'Still here.',
        });
        await nextTurn();
        registry.unregister(name);
        return 'The tools have changed.';
      },
    }),
    defineTool({
      name: 'test_trigger_prompt_change',
      description: 'Adds a prompt and removes it again.',
      inputSchema: NOTHING,
      handler: async () => {
        const name = 'test_temporary_prompt';
        prompts.addPrompt({ name, description: 'Temporary.', template: 'Still here.' });
        await nextTurn();
        prompts.removePrompt(name);
        return 'The prompts have changed.';
      },
    }),
  ];
}
