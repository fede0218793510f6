import { API_DOCUMENT, API_SERVER, API_TEST, API_FILE } from './openapi-template.ts';

/** The parts of a project that depend on its template. Sources are valid both as TypeScript and as JavaScript. */
export interface Template {
  /** Description for the help. */
  readonly what: string;
  /** Sources by file name without extension. */
  readonly sources: (name: string) => Readonly<Record<string, string>>;
  readonly files: (name: string, ending: Ending) => Readonly<Record<string, string>>;
  /** The file to serve; undefined for the configuration in the folder. */
  readonly server: string | undefined;
  readonly transport: 'http' | 'stdio';
  /** Additional path that `toolwright dev` watches. */
  readonly watched?: string;
  /** A command that tries the server. */
  readonly trial: string;
}

/** The file extension of sources, which is also the name of the language. */
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
    if (words === 0) throw new ToolError('The text contains no words.', { suggestions: ['Pass a text with at least one word.'] });
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

test('rejects a text without words', async () => {
  const { isError, text } = await client.callTool('count_words', { text: ' ' });
  assert.equal(isError, true);
  assert.match(text, /contains no words/);
});
`;

const server = (name: string): string => `import { createServer } from 'toolwright';
import tools from './tools.ts';

// The toolwright commands (dev, serve, list, call, doctor) load the default export.
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
): string => `# The configuration of the server. Serve it with "toolwright serve"; "toolwright schema" prints all options.
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

export type TemplateName = 'config' | 'http' | 'minimal' | 'openapi';

/** The templates of `toolwright init`. The first is the default. */
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
      'docs/welcome.md': `# ${name}\n\nClients can read the files in this folder as \`docs://${name}/…\`.\n`,
    }),
    server: undefined,
    transport: 'http',
    trial: 'call greet name=Ada',
  },
};
