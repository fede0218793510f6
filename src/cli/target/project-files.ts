/** The files of a new project, by their names. */
export function projectFiles(name: string, version: string): Readonly<Record<string, string>> {
  return {
    'package.json': `${JSON.stringify(
      {
        name,
        version: '0.1.0',
        private: true,
        type: 'module',
        scripts: { start: 'toolwright serve --http', test: 'node --test' },
        dependencies: { toolwright: `^${version}`, zod: '^4.2.0' },
        engines: { node: '>=20.19' },
      },
      undefined,
      2,
    )}\n`,
    'toolwright.config.yaml': `# A whole server in a file: toolwright serve. See toolwright schema for everything it can say.
name: '${name}'
version: 0.1.0
instructions: Greets people, and knows how to count words.
tools:
  - module: ./tools.js
prompts:
  - name: introduce
    description: Introduces two people to each other
    arguments:
      - { name: first, required: true }
      - { name: second, required: true }
    template: Introduce {{first}} to {{second}}. Be brief.
resources:
  - { directory: ./docs, uri: 'docs://${name}/', name: docs }
`,
    'tools.js': TOOLS,
    'tools.test.js': TOOLS_TEST,
    'docs/welcome.md': `# ${name}

What stands in this folder can be read as \`docs://${name}/…\`.
`,
    '.gitignore': 'node_modules/\n',
    'README.md': `# ${name}

\`\`\`sh
npm install
npm test                                   # the tests of the tools
npx toolwright list                        # what the server has
npx toolwright call greet name=Ada         # try a tool
npm start                                  # serve over HTTP
npx toolwright serve --print-client-config claude-code
\`\`\`
`,
  };
}

const TOOLS = `import { defineTool, ToolError } from 'toolwright';
import * as z from 'zod';

export const greet = defineTool({
  name: 'greet',
  description: 'Greets somebody by name',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({ name: z.string().min(1).describe('Whom to greet') }),
  handler: ({ input }) => \`Hello, \${input.name}!\`,
});

export const countWords = defineTool({
  name: 'count_words',
  description: 'Counts the words of a text',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({ text: z.string() }),
  outputSchema: z.object({ words: z.number() }),
  handler: ({ input }) => {
    const words = input.text.split(/\\s+/).filter(Boolean).length;
    if (words === 0) throw new ToolError('There are no words in this text.', { suggestions: ['Give a text with words.'] });
    return { words };
  },
});

export default [greet, countWords];
`;

const TOOLS_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolRegistry } from 'toolwright';
import { connectTestClient } from 'toolwright/testing';
import tools, { countWords } from './tools.js';

const client = connectTestClient(new ToolRegistry().registerAll(tools));

test('greets by name', async () => {
  assert.equal((await client.callTool('greet', { name: 'Ada' })).text, 'Hello, Ada!');
});

test('counts words', async () => {
  assert.deepEqual((await client.call(countWords, { text: 'to be or not' })).structured, { words: 4 });
});

test('says what is wrong with a text without words', async () => {
  const { isError, text } = await client.callTool('count_words', { text: ' ' });
  assert.equal(isError, true);
  assert.match(text, /There are no words/);
});
`;
