/** One middleware around tools, prompts and resources: it adds the user to the context of all handlers. */
import { defineMiddleware, PromptsManager, ResourcesManager, ToolRegistry } from 'toolwright';
import * as z from 'zod';

const seen = [];
const withUser = defineMiddleware(async ({ context, subject, next }) => {
  seen.push(`${subject.kind ?? 'tool'} ${subject.name}`);
  return next({ user: context.principal?.id ?? 'nobody' });
});

const tools = new ToolRegistry().use(withUser);
tools.register({
  name: 'whoami',
  description: 'Says who you are',
  inputSchema: z.object({}),
  handler: ({ context }) => context.user,
});
const prompts = new PromptsManager()
  .use(withUser)
  .addPrompt({ name: 'plan', handler: ({ context }) => `A plan for ${context.user}` });
const resources = new ResourcesManager().use(withUser).addResource({
  uri: 'me://desk',
  name: 'desk',
  contentProvider: ({ context }) => `The desk of ${context.user}`,
});

const principal = { id: 'ada' };
console.log((await tools.executeTool({ name: 'whoami', principal })).content[0].text);
console.log((await prompts.getPrompt({ name: 'plan', principal })).value.messages[0].content.text);
console.log((await resources.readResource({ uri: 'me://desk', principal })).value.contents[0].text);
console.log(seen);
