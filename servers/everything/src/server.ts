import { createServer, PromptsManager, ToolRegistry } from 'toolwright';
import type { ToolwrightServer } from 'toolwright';
import { directorySkills, dynamicSkill } from 'toolwright/skills';
import { prompts as definitions } from './prompts.ts';
import { resources } from './resources.ts';
import { askingTools } from './tools-asking.ts';
import { changingTools } from './tools-changing.ts';
import { contentTools } from './tools-content.ts';
import { roundsTools } from './tools-rounds.ts';
import { taskTools } from './tools-tasks.ts';

/** A server with every feature that the official conformance suite tests. */
export function createEverythingServer(): ToolwrightServer {
  const prompts = new PromptsManager({ prompts: definitions });
  const registry = new ToolRegistry({ name: 'everything' });
  registry.registerAll([
    ...contentTools,
    ...askingTools,
    ...roundsTools,
    ...taskTools,
    ...changingTools(registry, prompts),
  ]);
  return createServer({
    name: 'toolwright-everything',
    version: '0.1.0',
    instructions: 'Everything the protocol has, for testing clients and this library.',
    tools: registry,
    prompts,
    resources,
    skills: [
      directorySkills(new URL('../skills', import.meta.url)),
      dynamicSkill({
        path: 'reports/daily',
        frontmatter: { description: 'Assembles the report of the day; generated each time it is read.' },
        content: () => `The report of ${new Date().toISOString().slice(0, 10)}.`,
      }),
    ],
  });
}
