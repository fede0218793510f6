import { resolve } from 'node:path';
import { createServer } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import { serveStdio } from 'toolwright/stdio';
import { Notebook } from './notebook.ts';
import { createNotePrompts, createNoteResources } from './note-prompts.ts';
import { createNoteRegistry } from './note-tools.ts';

/**
 * Starts the notebook server: over HTTP on PORT (default 3000, 0 for a free one), or with --stdio on standard input and output. NOTES_FILE
 * (default .data/notes.json) is where the notes are.
 */
async function main(): Promise<void> {
  const file = resolve(process.env['NOTES_FILE'] || '.data/notes.json');
  const notebook = await Notebook.open(file);
  const registry = createNoteRegistry(notebook);
  const server = createServer({
    name: 'toolwright-notes',
    version: '0.1.0',
    title: 'Notes',
    instructions: 'A notebook. Search before you add, so that no note is written twice.',
    tools: registry,
    prompts: createNotePrompts(notebook),
    resources: createNoteResources(notebook),
  });
  if (process.argv.includes('--stdio')) {
    await serveStdio(server).closed;
    return;
  }
  const running = await serveHttp(server, { port: readPort(process.env['PORT'] || '3000') });
  console.log(welcome(running.url, file, registry.listTools()));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      console.log(`\n${signal}: stopping.`);
      void running.close().then(() => server.close());
    });
  }
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new Error(`PORT must be a number from 0 to 65535; it is "${text}".`);
  }
  return port;
}

function welcome(
  url: string,
  file: string,
  tools: readonly { name: string; description?: string }[],
): string {
  const call = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'add_note',
      arguments: { title: 'Hello from curl' },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  });
  const list = tools.map((tool) => `  ${tool.name.padEnd(14)}${tool.description ?? ''}`).join('\n');
  return `A notebook behind MCP is running.

  URL    ${url}
  Notes  ${file}

Tools:
${list}
Prompts: summarize_tag, write_down. Resources: notes://all, notes://note/{id}.

Try it, in another terminal:
  npx toolwright call ${url} add_note title='Hello from the command line'
  npx toolwright list ${url}

Or without anything:
  curl -s ${url} -H 'content-type: application/json' -H 'mcp-protocol-version: 2026-07-28' -H 'mcp-method: tools/call' -H 'mcp-name: add_note' -d '${call}'

Add it to a client, such as Claude Code or any with a file of mcpServers:
  claude mcp add --transport http notes ${url}
  ${JSON.stringify({ mcpServers: { notes: { url } } })}

Stop with Ctrl+C.`;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
