import { existsSync, renameSync } from 'node:fs';
import { resolve } from 'node:path';
import { createServer, defineMiddleware, ToolError, ToolwrightError } from 'toolwright';
import { ResponseFormatter } from 'toolwright/collaborators';
import { concurrency } from 'toolwright/middleware';
import { serveStdio } from 'toolwright/stdio';
import { addingTools, deletingTools, readingTools } from './graph-tools.ts';
import { KnowledgeGraph } from './knowledge-graph.ts';

const URI = 'memory://knowledge-graph';

/** As in the official SDK: callers see the messages of all errors. */
const showErrors = defineMiddleware(({ next }) =>
  next().catch((error: unknown) => {
    if (error instanceof ToolwrightError) throw error;
    throw new ToolError(error instanceof Error ? error.message : String(error), { cause: error });
  }),
);

/** Notifies subscribers of the graph after every tool that has changed it. */
const announce = defineMiddleware(async ({ subject, next }) => {
  const passed = await next();
  if (!subject.isReadOnly) server.resources?.notifyUpdated(URI);
  return passed;
});

/** MEMORY_FILE_PATH (default memory.jsonl), relative to this folder. A memory.json of earlier versions is renamed. */
function findFile(): string {
  const file = resolve(import.meta.dirname, process.env['MEMORY_FILE_PATH'] || 'memory.jsonl');
  const legacy = resolve(import.meta.dirname, 'memory.json');
  if (!process.env['MEMORY_FILE_PATH'] && !existsSync(file) && existsSync(legacy)) renameSync(legacy, file);
  return file;
}

const graph = new KnowledgeGraph(findFile());
const server = createServer({
  name: 'memory-server',
  version: '0.6.3',
  tools: [...addingTools(graph), ...deletingTools(graph), ...readingTools(graph)],
  resources: [
    {
      uri: URI,
      name: 'knowledge-graph',
      title: 'Knowledge Graph',
      description: 'The full knowledge graph with all entities and relations',
      mimeType: 'application/json',
      contentProvider: async () => JSON.stringify(await graph.read(), undefined, 2),
    },
  ],
  responseFormatter: new ResponseFormatter({ minify: false }),
  // One call at a time: each reads the file, changes the graph and writes it back.
  middleware: [concurrency({ limit: 1 }), announce, showErrors],
});
serveStdio(server);
