import { resolve } from 'node:path';
import { createServer } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import { serveStdio } from 'toolwright/stdio';
import { Notebook } from './notebook.ts';
import { createNotePrompts, createNoteResources } from './note-prompts.ts';
import { createNoteRegistry } from './note-tools.ts';

/**
 * Starts the notebook server: over HTTP on PORT (default 3000, 0 for a free port), or with --stdio on standard input and output. Notes are
 * stored in NOTES_FILE (default .data/notes.json).
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
    throw new Error(`PORT must be an integer from 0 to 65535; received "${text}".`);
  }
  return port;
}

/** The start screen: at most 24 lines, so that it fits on one screen of a terminal. */
function welcome(url: string, file: string, tools: readonly { name: string }[]): string {
  return `A notebook server for MCP is running.

  URL    ${url}
  Notes  ${file}
  Tools  ${tools.map(({ name }) => name).join(', ')}

Paste into another terminal, in the folder of the clone:

  npx toolwright list ${url}
  npx toolwright call ${url} add_note title=Milk
  claude mcp add --transport http notes ${url}

Other clients: ${JSON.stringify({ mcpServers: { notes: { url } } })}

Source  servers/notes/src
More    npm run ynab -- --http (budgets), npm run fitness -- --http (training), servers/*/README.md
Docs    README.md, docs/get-started.md, or the site: npm run docs

Stop with Ctrl+C.`;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
