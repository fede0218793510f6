/** One policy for tools, prompts and resources. Hidden ones get the response of unknown ones. */
import { createServer, silentLogger } from 'toolwright';
import * as z from 'zod';

const policy = ({ tags }, { principal }) => !tags.includes('staff') || principal?.id === 'ada';
const server = createServer({ name: 'office', version: '1.0.0', policy, logger: silentLogger })
  .registerTool(
    'fire',
    { description: 'Fires somebody', tags: ['staff'], inputSchema: z.object({}) },
    () => 'Done.',
  )
  .registerPrompt({ name: 'help', template: 'Help me.' })
  .registerPrompt({ name: 'dismissal', tags: ['staff'], template: 'Write a letter of dismissal.' })
  .registerResource({ uri: 'office://salaries', name: 'salaries', tags: ['staff'], text: 'A lot.' });

for (const id of ['ada', 'bob']) {
  const caller = { principal: { id } };
  const { content } = await server.tools.executeTool({ name: 'fire', ...caller });
  const read = await server.resources.readResource({ uri: 'office://salaries', ...caller });
  console.log(
    id,
    server.prompts.getAllPrompts(caller).map(({ name }) => name),
  );
  console.log('  tool:', content[0].text);
  console.log('  resource:', read.kind === 'value' ? read.value.contents[0].text : read.message);
}
