import { API_DOCUMENT, API_SERVER, API_TEST, API_FILE } from './openapi-template.ts';

/** What a project is made of: everything that differs from template to template. Sources are TypeScript and JavaScript at once. */
export interface Template {
  /** For the help, and for the question. */
  readonly what: string;
  /** Sources without their ending. */
  readonly sources: (name: string) => Readonly<Record<string, string>>;
  readonly files: (name: string, ending: Ending) => Readonly<Record<string, string>>;
  /** The file to serve; undefined for the configuration of the folder. */
  readonly server: string | undefined;
  /** How clients reach it. */
  readonly transport: 'http' | 'stdio';
  /** What else `toolwright dev` watches. */
  readonly watched?: string;
  /** Shows that it works. */
  readonly trial: string;
}

/** The ending of sources, which is the name of the language, too. */
export type Ending = 'js' | 'ts';

const TOOLS = `import { defineTool, ToolError } from 'toolwright';
import * as z from 'zod';

export const greet = defineTool({
  name: 'greet',
  description: 'Greets a person by name',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({ name: z.string().min(1).describe('The person to greet') }),
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
import tools, { countWords } from './tools.ts';

const client = connectTestClient(new ToolRegistry().registerAll(tools));

test('greets by name', async () => {
  assert.equal((await client.callTool('greet', { name: 'Ada' })).text, 'Hello, Ada!');
});

test('counts words', async () => {
  assert.deepEqual((await client.call(countWords, { text: 'to be or not' })).structured, { words: 4 });
});

test('explains what is wrong with a text without words', async () => {
  const { isError, text } = await client.callTool('count_words', { text: ' ' });
  assert.equal(isError, true);
  assert.match(text, /There are no words/);
});
`;

const server = (name: string): string => `import { createServer } from 'toolwright';
import tools from './tools.ts';

// The default export is what the commands of toolwright load: dev, serve, list, call, doctor.
export default createServer({
  name: '${name}',
  version: '0.1.0',
  instructions: 'Greets people and counts words.',
  tools,
});
`;

const SERVE_STDIO = `import { serveStdio } from 'toolwright/stdio';
import server from './server.ts';

await serveStdio(server).closed;
`;

const SERVE_HTTP = `import { serveHttp } from 'toolwright/http';
import server from './server.ts';

const running = await serveHttp(server, { port: Number(process.env['PORT'] ?? 3000) });
console.log(\`Serving at \${running.url}\`);

const stop = () => void running.close();
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
`;

const CONFIG = (
  name: string,
  ending: Ending,
): string => `# A whole server in a file: toolwright serve. toolwright schema prints everything that can be in it.
name: '${name}'
version: 0.1.0
instructions: Greets people and counts words.
tools:
  - module: ./src/tools.${ending}
prompts:
  - name: introduce
    description: Introduces two people to each other
    arguments:
      - { name: first, required: true }
      - { name: second, required: true }
    template: Introduce {{first}} to {{second}}. Be brief.
resources:
  - { directory: ./docs, uri: 'docs://${name}/', name: docs }
transport: { type: http, port: 3000 }
`;

/** The name of a template. */
export type TemplateName = 'config' | 'http' | 'minimal' | 'openapi';

/** The templates of `toolwright init`, the first by default. */
export const TEMPLATES: Readonly<Record<TemplateName, Template>> = {
  minimal: {
    what: 'two tools, for clients that start the server (standard input and output)',
    sources: (name) => ({
      tools: TOOLS,
      'tools.test': TOOLS_TEST,
      server: server(name),
      main: SERVE_STDIO,
    }),
    files: () => ({}),
    server: 'server',
    transport: 'stdio',
    trial: 'call {server} greet name=Ada',
  },
  http: {
    what: 'two tools, over HTTP',
    sources: (name) => ({ tools: TOOLS, 'tools.test': TOOLS_TEST, server: server(name), main: SERVE_HTTP }),
    files: () => ({}),
    server: 'server',
    transport: 'http',
    trial: 'call {server} greet name=Ada',
  },
  openapi: {
    what: 'the operations of an OpenAPI document as tools',
    sources: (name) => ({
      api: API_FILE,
      server: API_SERVER(name),
      'server.test': API_TEST,
      main: SERVE_STDIO,
    }),
    files: () => ({ 'openapi.yaml': API_DOCUMENT }),
    server: 'server',
    transport: 'stdio',
    watched: 'openapi.yaml',
    trial: 'describe {server} addTodo',
  },
  config: {
    what: 'a configuration with tools, a prompt and resources, over HTTP',
    sources: () => ({ tools: TOOLS, 'tools.test': TOOLS_TEST }),
    files: (name, ending) => ({
      'toolwright.config.yaml': CONFIG(name, ending),
      'docs/welcome.md': `# ${name}\n\nClients can read the files of this folder as \`docs://${name}/…\`.\n`,
    }),
    server: undefined,
    transport: 'http',
    trial: 'call greet name=Ada',
  },
};
